/**
 * A static circulant W = self I + sum_k weights[k] P^(shifts[k]): what D-, U-EquiStatic, the ring and the static
 * exponential graph have in common. Node i receives from i - s and sends to i + s.
 */

import { circulantExtremes } from "../rate/circulant.ts";
import type { CirculantRound } from "../round/round.ts";
import type { Peers, Topology, TopologySpec } from "./topology.ts";

export function circulantTopology(
  spec: TopologySpec,
  self: number,
  shifts: Int32Array,
  weights: Float64Array,
  bound: () => number | null = () => null,
): Topology {
  const { n } = spec;
  const round: CirculantRound = { kind: "circulant", n, self, shifts, weights };
  const symmetric = isSymmetric(round);
  return {
    name: spec.name,
    n,
    kind: "static",
    // Opposite shifts of unequal weight: every edge goes both ways, yet W is not symmetric.
    directed: shifts.some((s, k) => s !== n - shifts[shifts.length - 1 - k]),
    symmetric,
    maxDegree: shifts.length,
    period: 1,
    spec,
    round: () => round,
    peers: (_t, i) => ({
      self,
      from: Array.from(shifts, (s, k) => ({ node: i < s ? i - s + n : i - s, weight: weights[k] })),
      to: Array.from(shifts, (s, k) => ({ node: i + s < n ? i + s : i + s - n, weight: weights[k] })),
    }),
    rate() {
      const { maxModulus, maxReal, minReal } = circulantExtremes(round, symmetric ? "real" : "complex");
      const exact = { rate: maxModulus, bound: bound(), method: "closed form" } as const;
      return symmetric ? { ...exact, eigenvalues: { largest: maxReal, smallest: minReal } } : exact;
    },
  };
}

/** Rounds of one shift, W = (1 - weight) I + weight P^s: what the one-peer directed graphs have in common. */
export function oneShift(n: number, weight: number) {
  const self = 1 - weight;
  return {
    round: (s: number): CirculantRound => ({
      kind: "circulant",
      n,
      self,
      shifts: Int32Array.of(s),
      weights: Float64Array.of(weight),
    }),
    peers: (s: number, i: number): Peers => ({
      self,
      from: [{ node: i < s ? i - s + n : i - s, weight }],
      to: [{ node: i + s < n ? i + s : i + s - n, weight }],
    }),
  };
}

function isSymmetric({ n, shifts, weights }: CirculantRound): boolean {
  const last = shifts.length - 1;
  return shifts.every((s, k) => s === n - shifts[last - k] && weights[k] === weights[last - k]);
}
