/**
 * What a node has of others between its asynchronous rounds, and what it makes of it in round T.
 *
 * Models ("newest"): of each sender the vectors of its latest round r_j are kept, and
 *
 *   y_i = (w_ii + sum over the others of w_ij) x_i + sum over j with T - r_j <= maxStale of w_ij x_j(r_j),   W = W(T).
 *
 * What is exchanged in round T goes to those who hear the sender in W(T + 1): who sends and computes at the same time
 * finds it there one round later, and nobody waits for it. Between nodes in step all messages are so one round old.
 *
 * Shares (push-sum): what is sent in round r is a share w_ij(r) x_j(r) of a sum, and is counted exactly once. Whatever
 * has come is added up, and
 *
 *   y_i = w_ii(T) x_i + sum over all that came since the last round of w_ij(r) x_j(r),
 *
 * so that the sum over all nodes, and over the shares on their way, never changes. A node sends by W(T), T its own round:
 * when a share arrives plays no part. What would go to a node that is known to be gone is not sent: it would drain the sum,
 * round after round, until no weight is left; w_ii(T) is the greater by it. So it is where next to no weight is left (node.ts).
 */

import { combine } from "../../round/combine.ts";
import type { Rows } from "../../round/round.ts";
import type { Link, Topology } from "../../topology/topology.ts";
import type { Used } from "./history.ts";

export interface Inbox {
  /** The vectors of a sender's round, which stay as they are; false where they are not newer than its last. */
  put(from: number, round: number, vectors: readonly Rows[]): boolean;
  /** y from x in this round; what was used, in the order of additions. `kept` is what is not sent to. */
  mix(round: number, x: readonly Rows[], y: readonly Rows[], kept?: readonly number[]): readonly Used[];
  /** Whether anybody sends something of this round to this node. */
  hears(round: number): boolean;
  /** Whom the vectors that are exchanged in this round go to, but for those that they are lost to. */
  to(round: number): readonly Link[];
  /** Those of them whose shares stay here, for a reason of theirs; none of models, which nobody misses. */
  kept(round: number, why: (node: number) => boolean): readonly number[];
}

export interface InboxOptions {
  readonly topology: Topology;
  readonly rank: number;
  readonly maxStale: number;
  /** Whether what is sent in that round is lost on purpose; nothing is, where left out. */
  readonly lost?: ((round: number, from: number, to: number) => boolean) | undefined;
}

export function createInbox(kind: "models" | "shares", options: InboxOptions): Inbox {
  return kind === "models" ? new Newest(options) : new Shares(options);
}

class Newest implements Inbox {
  readonly #options: InboxOptions;
  readonly #newest = new Map<number, { readonly round: number; readonly vectors: readonly Rows[] }>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  put(from: number, round: number, vectors: readonly Rows[]): boolean {
    if ((this.#newest.get(from)?.round ?? -1) >= round) return false;
    this.#newest.set(from, { round, vectors });
    return true;
  }

  mix(round: number, x: readonly Rows[], y: readonly Rows[]): readonly Used[] {
    const { topology, rank, maxStale } = this.#options;
    const { self, from } = topology.peers(round, rank);
    // What is too old now will never be used.
    for (const [node, { round: sent }] of this.#newest) if (round - sent > maxStale) this.#newest.delete(node);
    const heard = from.filter(({ node }) => this.#newest.has(node));
    const lost = from.filter(({ node }) => !this.#newest.has(node));
    // Who heard nobody keeps its row to the last bit, whatever the weights' sum rounds to.
    const own = heard.length === 0 ? 1 : lost.reduce((sum, { weight }) => sum + weight, self);
    const weights = heard.map(({ weight }) => weight);
    x.forEach((row, v) => {
      const rows = heard.map(({ node }) => this.#newest.get(node)?.vectors[v] as Rows);
      combine(y[v], own, row, weights, rows);
    });
    return heard.map(({ node }) => [node, this.#newest.get(node)?.round as number]);
  }

  hears(round: number): boolean {
    const { topology, rank } = this.#options;
    return round >= 0 && topology.peers(round + 1, rank).from.length > 0;
  }

  to(round: number): readonly Link[] {
    const { topology, rank, lost } = this.#options;
    return topology.peers(round + 1, rank).to.filter(({ node }) => !lost?.(round, rank, node));
  }

  kept(): readonly number[] {
    return [];
  }
}

class Shares implements Inbox {
  readonly #options: InboxOptions;
  readonly #last = new Map<number, number>();
  /** What came since the last round: its sum, in double, and whose it was. */
  #sum: readonly Float64Array[] | undefined;
  #came: Used[] = [];

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  put(from: number, round: number, vectors: readonly Rows[]): boolean {
    const { topology, rank } = this.#options;
    if ((this.#last.get(from) ?? -1) >= round) return false;
    this.#last.set(from, round);
    const weight = topology.peers(round, rank).from.find(({ node }) => node === from)?.weight;
    if (weight === undefined) return false;
    this.#sum ??= vectors.map((row) => new Float64Array(row.length));
    this.#sum.forEach((sum, v) => {
      const row = vectors[v];
      for (let k = 0; k < sum.length; k++) sum[k] += weight * row[k];
    });
    this.#came.push([from, round]);
    return true;
  }

  mix(round: number, x: readonly Rows[], y: readonly Rows[], kept: readonly number[] = []): readonly Used[] {
    const { topology, rank, lost } = this.#options;
    const { self: own, to } = topology.peers(round, rank);
    // Its sender knows what is lost on purpose, and keeps it.
    const stays = (node: number) => lost?.(round, rank, node) || kept.includes(node);
    const self = to.reduce((sum, { node, weight }) => (stays(node) ? sum + weight : sum), own);
    x.forEach((row, v) => {
      const sum = this.#sum?.[v];
      for (let k = 0; k < row.length; k++) y[v][k] = self * row[k] + (sum?.[k] ?? 0);
    });
    const used = this.#came;
    this.#sum = undefined;
    this.#came = [];
    return used;
  }

  hears(round: number): boolean {
    const { topology, rank } = this.#options;
    return round >= 0 && topology.peers(round, rank).from.length > 0;
  }

  to(round: number): readonly Link[] {
    const { topology, rank, lost } = this.#options;
    return topology.peers(round, rank).to.filter(({ node }) => !lost?.(round, rank, node));
  }

  kept(round: number, why: (node: number) => boolean): readonly number[] {
    return this.to(round).flatMap(({ node }) => (why(node) ? [node] : []));
  }
}
