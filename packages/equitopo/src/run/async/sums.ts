/**
 * The sums that shares keep: over all nodes, and over all shares on their way. An exchange takes a node's vectors x and the
 * shares that it counts, and leaves its new vectors y and the shares that it sends:
 *
 *   y + sum_k w_ki(T) x - x - (what was counted) = 0,
 *
 * up to rounding. The differences are added up over a whole replay, in double. A share that was counted twice, or that its
 * receiver weighed differently than its sender, shows up here at its full size.
 */

import type { Rows } from "../../round/round.ts";
import type { Topology } from "../../topology/topology.ts";
import type { Step } from "./history.ts";
import type { AsyncNode } from "./node.ts";

export function sumsOver(topology: Topology) {
  let balance: Float64Array[] = [];
  /** The largest entry seen of each vector, which rounding is proportional to. */
  let size: number[] = [];
  const seen = new Set<number>();
  /** Shares that were sent and not counted so far. */
  let uncounted = 0;

  /** Node i's exchange: its vectors x, those that it counted (raw, as sent) and its new vectors. O(d (degree + shares)). */
  function exchanged(
    { rank, inbox }: AsyncNode,
    { round = 0, used, kept = [] }: Step,
    x: readonly Rows[],
    counted: readonly (readonly Rows[])[],
    y: readonly Rows[],
  ): void {
    if (balance.length === 0) {
      balance = x.map(({ length }) => new Float64Array(length));
      size = x.map(() => 0);
    }
    seen.add(rank);
    const sent = inbox.to(round).filter(({ node }) => !kept.includes(node));
    uncounted += sent.length - used.length;
    const out = sent.reduce((sum, { weight }) => sum + weight, 0);
    const weights = used.map(([from, when]) => {
      return topology.peers(when, from).to.find(({ node }) => node === rank)?.weight ?? 0;
    });
    for (const [v, sums] of balance.entries()) {
      for (let k = 0; k < sums.length; k++) {
        let change = y[v][k] + out * x[v][k] - x[v][k];
        for (let j = 0; j < counted.length; j++) change -= weights[j] * counted[j][v][k];
        sums[k] += change;
        size[v] = Math.max(size[v], Math.abs(x[v][k]));
      }
    }
  }

  return {
    exchanged,
    uncounted: () => uncounted,
    /** The sum of push-sum's weights, each 1 at the start: they are the last of the vectors. */
    weights: () => seen.size + (balance.at(-1)?.[0] ?? 0),
    /** The most by which any sum has changed, relative to its largest number and to the number of nodes. */
    error() {
      const changed = balance.map((sums) => sums.reduce((top, value) => Math.max(top, Math.abs(value)), 0));
      return changed.reduce((most, change, v) => Math.max(most, change / (size[v] * seen.size || 1)), 0);
    },
  };
}
