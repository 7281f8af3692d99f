/**
 * EL-Local (Epidemic Learning, NeurIPS 2023): in every round each node pushes to s others of its own choice, and who is
 * pushed to takes the mean of what came and its own,
 *
 *   w_ij = 1/(1 + B_i) for i itself and the B_i nodes that chose it.
 *
 * Directed, s sent, any number received; any n >= 2, 1 <= s < n. Rows sum to 1 and columns do not: nodes come to agree, on
 * a mean that has drifted. Exactly, for every x of sum 0,
 *
 *   E |W x|^2 = ((1 - (1 - s/(n-1))^n)/s - 1/(n-1)) |x|^2,
 *
 * the distance from the mean of *before* the round, so that a share of it is drift; `rate` is its root.
 *
 * Whom a node pushes to it draws alone, from (seed, t, its label). Who pushes to it, and with whom else it shares a
 * receiver, nobody can know alone: peers(t, i) goes through all nodes' draws, O(n s).
 */

import { integer } from "../input/input.ts";
import type { Given } from "../input/option.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { epidemicOptions } from "./el-oracle.ts";
import { sparseRound } from "./graph.ts";
import { byLabelDifference, checkOptions, defineTopology, type Topology, topologyOf } from "./topology.ts";

export interface ElLocalOptions extends Given<typeof epidemicOptions> {}

/**
 * @example
 * ```ts
 * import { elLocal } from "equitopo/topology";
 * const graph = elLocal({ n: 300 });
 * (graph.rate().rate ** 2).toFixed(5) // => "0.63062"
 * graph.stochastic // => "rows"
 * ```
 */
export function elLocal(options: ElLocalOptions): Topology {
  const { n, s, seed: from } = checkOptions(elLocalFamily, options);
  integer("s", s, 1, n - 1);
  const random = new RandomStream(from, streams.push);
  /** The s distinct others that node i pushes to in round t (Floyd's sampling among the n - 1 labels without i). */
  const targets = (t: number, i: number): number[] => {
    // A stream for each (t, i).
    random.at(n * t + i);
    const drawn = new Set<number>();
    for (let top = n - 1 - s; top < n - 1; top++) {
      const pick = random.below(top + 1);
      drawn.add(drawn.has(pick) ? top : pick);
    }
    return Array.from(drawn, (k) => (k < i ? k : k + 1));
  };
  let last: { readonly t: number; readonly received: readonly (readonly number[])[] } | undefined;
  /** Who pushes to each node, the round asked for last being remembered: n nodes of one process then share the work. */
  const receivedAt = (t: number) => {
    if (last?.t === t) return last.received;
    const received: number[][] = Array.from({ length: n }, () => []);
    for (let i = 0; i < n; i++) for (const k of targets(t, i)) received[k].push(i);
    last = { t, received };
    return received;
  };
  // Who pushes to all others makes W = J.
  const everybody = s === n - 1;
  const square = (1 - (1 - s / (n - 1)) ** n) / s - 1 / (n - 1);
  return topologyOf({
    kind: "random",
    symmetric: everybody,
    maxDegree: n - 1,
    ...(everybody ? {} : { stochastic: "rows" }),
    spec: { name: "el-local", n, s, seed: from },
    rule: () => ({ name: "push", s, seed: from }),
    round(t) {
      const received = receivedAt(t);
      const share = Float64Array.from(received, (list) => 1 / (1 + list.length));
      return sparseRound(n, (i) => received[i].map((node) => ({ node, weight: share[i] })), share);
    },
    peers(t, i) {
      const received = receivedAt(t);
      const share = (node: number) => 1 / (1 + received[node].length);
      return {
        self: share(i),
        from: received[i].map((node) => ({ node, weight: share(i) })).sort(byLabelDifference(n, i)),
        to: targets(t, i).map((node) => ({ node, weight: share(node) })),
      };
    },
    rate: () => ({ rate: Math.sqrt(Math.max(0, square)), bound: null, method: "closed form" }),
  });
}

export const elLocalFamily = defineTopology({
  name: "el-local",
  summary: "directed, row-stochastic only (the mean drifts): every node pushes to s others drawn anew each round",
  source: "Epidemic Learning (NeurIPS 2023)",
  group: "rival",
  random: true,
  options: epidemicOptions,
  variants: (_n, degree) => [{ s: degree }],
  work: ({ n, s }) => ({ edges: n * s, lists: "drawn" }),
  create: elLocal,
});
