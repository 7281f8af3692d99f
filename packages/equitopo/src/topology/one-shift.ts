/**
 * Directed rounds with one peer, W(t) = (1 - weight) I + weight P^(s_t): what OD-EquiDyn and the one-peer exponential
 * graph have in common. Node i receives from i - s_t and sends to i + s_t. O(1) a node.
 */

import type { Topology } from "./topology.ts";

export function oneShift(
  n: number,
  weight: number,
  shiftAt: (t: number) => number,
): Pick<Topology, "maxDegree" | "round" | "peers"> {
  const self = 1 - weight;
  return {
    maxDegree: 1,
    round: (t) => ({
      kind: "circulant",
      n,
      self,
      shifts: Int32Array.of(shiftAt(t)),
      weights: Float64Array.of(weight),
    }),
    peers(t, i) {
      const s = shiftAt(t);
      return {
        self,
        from: [{ node: i < s ? i - s + n : i - s, weight }],
        to: [{ node: i + s < n ? i + s : i + s - n, weight }],
      };
    },
  };
}
