/** A stretch of a transport's rounds, numbered from 0: several runs follow one another on one network. */

import { defined } from "../../input/input.ts";
import type { Historian } from "../history/history.ts";
import { type Clock, runtimeClock } from "./runtime.ts";
import type { Belief, Counts, ElementType, ExchangeOutcome, Request, Transport, Vector } from "./transport.ts";

export class Shifted implements Transport {
  readonly name: string;
  readonly rank: number;
  readonly size: number;
  readonly counts: Counts;
  readonly clock: Clock;
  /** Messages as the simulator counts them: everything that goes to one peer in one exchange. */
  messages = 0;
  readonly #transport: Transport;
  readonly #first: number;

  constructor(transport: Transport, first: number) {
    this.#transport = transport;
    this.#first = first;
    this.name = transport.name;
    this.rank = transport.rank;
    this.size = transport.size;
    this.counts = transport.counts;
    this.clock = transport.clock ?? runtimeClock;
  }

  get reached(): number {
    return Math.max(-1, this.#transport.reached - this.#first);
  }

  get history(): Historian | undefined {
    const { history } = this.#transport;
    return (
      history && ((line) => history("exchange" in line ? { ...line, exchange: line.exchange + this.#first } : line))
    );
  }

  believe({ first, last, witnesses }: Belief): void {
    const moved = (round: number | undefined) => (round === undefined ? undefined : round + this.#first);
    this.#transport.believe?.(defined({ first: moved(first), last: moved(last), witnesses }));
  }

  exchange(request: Request): Promise<ExchangeOutcome> {
    this.messages += new Set(request.send.map(({ peer }) => peer)).size;
    return this.#transport.exchange({ ...request, round: request.round + this.#first });
  }

  lend(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
    return this.#transport.lend?.(index, type, length, taken);
  }

  prepare(peers: readonly number[]): void {
    this.#transport.prepare?.(peers);
  }

  overhear(): void {
    this.#transport.overhear?.();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
