/**
 * W(t) at one peer: who its partners are (from (seed, t) alone), the exchange, and its row of W x. Memory goes in
 * circles: what the algorithm gives up is what it later gets back, and where the transport lends memory that peers read
 * in place, rows live there and are never copied.
 *
 * When a partner's vectors do not come:
 * - undirected rounds (w_ij = w_ji for every partner): void on both sides; the weight stays with x_i, what remains of W
 *   is symmetric and doubly stochastic, and the mean of those that go on is kept;
 * - directed rounds, "self": the weight goes to x_i, rows of W still sum to 1, the mean shifts by w_ij (x_i - x_j) / n;
 * - directed rounds, "drop": the sum goes without it, as push-sum needs it, where a weight travels beside the value.
 */

import { InputError } from "../input/input.ts";
import type { Link, Peers, Topology } from "../topology/topology.ts";
import { combine, combineMean } from "./combine.ts";
import {
  allocate,
  type ElementType,
  type Incoming,
  type Outcome,
  type Outgoing,
  type Transport,
  typeOf,
  type Vector,
} from "./transport.ts";

export interface MixingOptions {
  readonly transport: Transport;
  readonly topology: Topology;
  /** Milliseconds for one exchange; the transport's own where it is left out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
  /** What becomes of a missing partner's weight in a directed round. Default "self". */
  readonly missing?: "self" | "drop";
}

/** What one exchange was like. */
export interface MixReport {
  /** Partners whose vectors were awaited, and those of them whose did not come. */
  readonly partners: readonly number[];
  readonly missing: readonly number[];
  /** Milliseconds spent in the exchange, waiting included. */
  readonly waited: number;
}

/** An exchange that has been started: its outcome, and what it was asked. */
interface Started {
  readonly vectors: readonly Vector[];
  readonly links: readonly Link[];
  readonly view: Peers | undefined;
  /** For `mean` rounds. */
  readonly keep: number;
  readonly outcome: Promise<Outcome>;
  readonly since: number;
}

export class Mixing {
  readonly #options: MixingOptions;
  readonly #everyone: readonly Link[];
  /** The transport's memory in the algorithm's hands, by number of vector: nobody else's until it is given up. */
  readonly #lent = new Map<number, Vector>();
  readonly #spare: Vector[] = [];
  /** Encounters in a row that a partner missed. */
  readonly #misses = new Map<number, number>();
  report: MixReport = { partners: [], missing: [], waited: 0 };

  constructor(options: MixingOptions) {
    const { transport, topology } = options;
    if (transport.size !== topology.n) {
      throw new InputError(
        `the transport must have the topology's n = ${topology.n} peers`,
        transport.size,
        "give both one n",
      );
    }
    this.#options = options;
    this.#everyone = Array.from({ length: topology.n }, (_, node) => ({ node, weight: 1 / topology.n })).filter(
      ({ node }) => node !== transport.rank,
    );
  }

  /** Sends the vectors of exchange number `round` out, mixed by W(t) or by an exact mean. They must not change now. */
  start(t: number, round: number, vectors: readonly Vector[], by: "topology" | "mean" = "topology"): Started {
    const { transport, topology, timeout, signal } = this.#options;
    let view: Peers | undefined;
    let keep = 0;
    if (by === "topology") {
      view = topology.peers(t, transport.rank);
      if (view.from.length === topology.n - 1) {
        // Only the complete graph is defined by a mean rather than by a sum over neighbours; the order of additions differs.
        const whole = topology.round(t);
        if (whole.kind === "mean") {
          keep = whole.keep;
          view = undefined;
        }
      }
    }
    const links = view?.from ?? this.#everyone;
    const send: Outgoing[] = [];
    for (const { node } of view?.to ?? this.#everyone) for (const data of vectors) send.push({ peer: node, data });
    const receive: Incoming[] = [];
    for (const { node } of links) {
      const patience = this.#patience(node);
      for (const { length, ...vector } of vectors.map((data) => ({ length: data.length, type: typeOf(data) }))) {
        receive.push({ peer: node, length, ...vector, ...(patience === undefined ? {} : { timeout: patience }) });
      }
    }
    const mutual = view === undefined || topology.symmetric;
    const since = performance.now();
    const outcome = transport.exchange({
      round,
      send,
      receive,
      mutual,
      signal,
      ...(timeout === undefined ? {} : { timeout }),
    });
    return { vectors, links, view, keep, outcome, since };
  }

  /** Awaits what was started and answers with the mixed vectors; those given are given up. */
  async finish(started: Started): Promise<Vector[]> {
    const { vectors, links, since } = started;
    const outcome = await started.outcome;
    const waited = performance.now() - since;
    const arrived = [...outcome.arrived];
    const mixed = this.#memory(vectors);
    this.#combine(started, arrived, mixed);
    const torn = outcome.release();
    if (torn.length > 0) {
      for (const entry of torn) arrived[entry] = undefined;
      this.#combine(started, arrived, mixed);
    }
    for (const vector of vectors) if (!outcome.kept.includes(vector)) this.#recycle(vector);
    const missing = links.filter((_, j) => !whole(arrived, j, vectors.length)).map(({ node }) => node);
    for (const { node } of links)
      this.#misses.set(node, missing.includes(node) ? (this.#misses.get(node) ?? 0) + 1 : 0);
    this.report = { partners: links.map(({ node }) => node), missing, waited };
    return mixed;
  }

  /** y_v of every vector v, from what arrived; x is left as it is. */
  #combine({ vectors, links, view, keep }: Started, arrived: readonly (Vector | undefined)[], mixed: Vector[]): void {
    const { transport, topology } = this.#options;
    const count = vectors.length;
    for (let v = 0; v < count; v++) {
      const x = vectors[v];
      if (view === undefined) {
        const rows: Vector[] = [];
        for (let j = 0; j < links.length; j++) {
          if (links[j].node === transport.rank + 1) rows.push(x);
          if (whole(arrived, j, count)) rows.push(arrived[j * count + v] as Vector);
        }
        if (transport.rank === topology.n - 1) rows.push(x);
        combineMean(mixed[v], keep, x, rows);
        continue;
      }
      let self = view.self;
      const rows: Vector[] = [];
      const weights: number[] = [];
      for (let j = 0; j < links.length; j++) {
        if (whole(arrived, j, count)) {
          rows.push(arrived[j * count + v] as Vector);
          weights.push(links[j].weight);
        } else if (topology.symmetric || this.#options.missing !== "drop") self += links[j].weight;
      }
      // Nobody came: the row stays as it is, to the last bit, whatever the weights' sum rounds to.
      const alone = links.length > 0 && rows.length === 0 && (topology.symmetric || this.#options.missing !== "drop");
      combine(mixed[v], alone ? 1 : self, x, weights, rows);
    }
  }

  /**
   * Milliseconds to wait for a partner: all of the timeout at its 1st, 2nd, 4th, 8th, ... encounter since it was last
   * heard of, an eighth at the others. A dead peer so costs little, and one that comes back is met with full patience.
   */
  #patience(node: number): number | undefined {
    const misses = this.#misses.get(node) ?? 0;
    const { timeout } = this.#options;
    if (timeout === undefined || misses === 0 || (misses & (misses - 1)) === 0) return undefined;
    return timeout / 8;
  }

  /** Where the mixed vectors go. The old ones are still read, so it is other memory. */
  #memory(old: readonly Vector[]): Vector[] {
    const fresh: Vector[] = [];
    const lent = new Map<number, Vector>();
    const taken = ({ buffer, byteOffset }: Vector) =>
      [...this.#lent.values(), ...lent.values()].some((v) => v.buffer === buffer && v.byteOffset === byteOffset);
    old.forEach((like, index) => {
      const type = typeOf(like);
      // An algorithm that keeps what it got gets no more of that kind: at most one is ever out for each vector.
      const before = this.#lent.get(index);
      const returned = before === undefined || old.includes(before);
      const memory = returned ? this.#options.transport.lend?.(index, type, like.length, taken) : undefined;
      if (memory !== undefined) lent.set(index, memory);
      fresh.push(memory ?? this.#ordinary(type, like.length));
    });
    for (const [index, vector] of this.#lent) if (old.includes(vector)) this.#lent.delete(index);
    for (const [index, vector] of lent) this.#lent.set(index, vector);
    return fresh;
  }

  #ordinary(type: ElementType, length: number): Vector {
    const at = this.#spare.findIndex((spare) => spare.length === length && typeOf(spare) === type);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : allocate(type, length);
  }

  #recycle(vector: Vector): void {
    // Lent memory goes back by being lent again; a few others are kept for the next rounds.
    if (vector.buffer instanceof SharedArrayBuffer || this.#spare.includes(vector)) return;
    this.#spare.push(vector);
    if (this.#spare.length > 8) this.#spare.shift();
  }
}

/** Whether all of a partner's vectors came. */
function whole(arrived: readonly (Vector | undefined)[], partner: number, count: number): boolean {
  for (let v = 0; v < count; v++) if (arrived[partner * count + v] === undefined) return false;
  return true;
}
