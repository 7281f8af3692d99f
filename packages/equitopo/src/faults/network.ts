/** A topology's rounds over a network that fails: what arrives of round t, how much was sent, how long it took. */

import { real } from "../input/input.ts";
import { messagesOf } from "../round/messages.ts";
import type { Round } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { type Crash, checkCrashes, crashedAt } from "./crash.ts";
import { isLost } from "./drop.ts";
import { checkLatency, type Latency, roundSeconds } from "./latency.ts";
import { thinRound } from "./thin.ts";

export interface Faults {
  /** The probability that a message (in undirected rounds: an exchange) is lost. */
  readonly drop?: number;
  readonly crash?: readonly Crash[];
  /** Simulate the time that the rounds take. */
  readonly latency?: Latency;
  /** Send push-sum weights along and report x / weight: the true mean also where directed messages are lost. */
  readonly pushSum?: boolean;
}

/** The rounds as they come out after faults, with what they cost. */
export class Network {
  readonly #topology: Topology;
  readonly #drop: number;
  readonly #crash: readonly Crash[];
  readonly #latency: Latency | undefined;
  readonly #keeper: "receiver" | "sender";
  readonly #seed: number;
  /** Messages of every node so far: a number for what all sent alike, and an array for the rest. */
  #alike = 0;
  readonly #own: Float64Array;
  #planned: Round | undefined;
  #counts: number | Int32Array = 0;
  #down: Uint8Array | undefined;

  constructor(topology: Topology, faults: Faults, seed: number) {
    this.#topology = topology;
    this.#drop = faults.drop === undefined ? 0 : real("drop", faults.drop, { min: 0, max: 1 }, 0.1);
    this.#crash = checkCrashes(topology.n, faults.crash ?? []);
    this.#latency = faults.latency === undefined ? undefined : checkLatency(topology.n, faults.latency);
    this.#keeper = faults.pushSum === true ? "sender" : "receiver";
    this.#seed = seed;
    this.#own = new Float64Array(topology.n);
  }

  /** Round t without the messages that do not arrive. */
  round(t: number): Round {
    const { n, symmetric } = this.#topology;
    const round = this.#topology.round(t);
    // A static topology gives the same object again.
    if (round !== this.#planned) this.#counts = messagesOf(round);
    this.#planned = round;
    const down = crashedAt(n, this.#crash, t);
    this.#down = down;
    if (this.#drop === 0 && down === undefined) return round;
    const lost = (from: number, to: number) =>
      (down !== undefined && (down[from] === 1 || down[to] === 1)) ||
      (this.#drop > 0 && isLost(this.#drop, this.#seed, t, from, to, symmetric));
    return thinRound(round, lost, this.#keeper);
  }

  /** Counts what round t sends (a lost message was sent, too) and gives the seconds it takes. */
  send(t: number, bytes: number): number {
    const { n } = this.#topology;
    const counts = this.#counts;
    const down = this.#down;
    const messages = (j: number) => (down?.[j] === 1 ? 0 : typeof counts === "number" ? counts : counts[j]);
    if (typeof counts === "number" && down === undefined) this.#alike += counts;
    else for (let j = 0; j < n; j++) this.#own[j] += messages(j);
    return this.#latency === undefined ? 0 : roundSeconds(this.#latency, n, this.#seed, t, bytes, messages);
  }

  /** The most messages that any node sent. */
  messages(): number {
    return this.#alike + this.#own.reduce((most, count) => Math.max(most, count), 0);
  }
}
