/**
 * The sums that shares keep: over all nodes, and over all shares on their way. An exchange takes a node's vectors x and the
 * shares that it counts, and leaves its new vectors y and the shares that it sends:
 *
 *   y + sum_k w_ki(T) x - x - (what was counted) = 0,
 *
 * but for rounding. The differences are added up over a whole replay, in double: a share counted twice, or one that was
 * weighed otherwise by its receiver than by its sender, shows here as what it is.
 */

import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";
import type { Step } from "./history.ts";
import type { AsyncNode } from "./node.ts";

export class Sums {
  readonly #topology: Topology;
  #balance: Float64Array[] = [];
  /** The largest entry of each vector that was seen: what rounding goes by. */
  #size: number[] = [];
  #seen = new Set<number>();

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  /** Node i's exchange: its vectors x, those that it counted (raw, as sent) and what it has now. O(d (degree + shares)). */
  exchanged(
    { rank, inbox }: AsyncNode,
    { round = 0, used, kept = [] }: Step,
    x: readonly Rows[],
    counted: readonly (readonly Rows[])[],
    y: readonly Rows[],
  ): void {
    if (this.#balance.length === 0) {
      this.#balance = x.map(({ length }) => new Float64Array(length));
      this.#size = x.map(() => 0);
    }
    this.#seen.add(rank);
    const sent = inbox.to(round).filter(({ node }) => !kept.includes(node));
    const out = sent.reduce((sum, { weight }) => sum + weight, 0);
    const weights = used.map(([from, when]) => {
      return this.#topology.peers(when, from).to.find(({ node }) => node === rank)?.weight ?? 0;
    });
    this.#balance.forEach((balance, v) => {
      for (let k = 0; k < balance.length; k++) {
        let change = y[v][k] + out * x[v][k] - x[v][k];
        for (let j = 0; j < counted.length; j++) change -= weights[j] * counted[j][v][k];
        balance[k] += change;
        this.#size[v] = Math.max(this.#size[v], Math.abs(x[v][k]));
      }
    });
  }

  /** The sum of push-sum's weights, each 1 at the start: they are the last of the vectors. */
  get weights(): number {
    return this.#seen.size + (this.#balance.at(-1)?.[0] ?? 0);
  }

  /** The most by which any sum has changed, relative to the largest number in it and to the number of nodes. */
  get error(): number {
    return this.#balance.reduce((most, balance, v) => {
      const changed = balance.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
      return Math.max(most, changed / (this.#size[v] * this.#seen.size || 1));
    }, 0);
  }
}
