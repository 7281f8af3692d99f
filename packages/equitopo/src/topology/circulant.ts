/**
 * A static circulant W = self I + sum_k weights[k] P^(shifts[k]): what D-, U-EquiStatic, the ring and the static
 * exponential graph have in common. Node i receives from i - s and sends to i + s.
 */

import { InputError, integer, nodes, real } from "../input/input.ts";
import type { Rate } from "../rate/rate.ts";
import { isSymmetric } from "../round/circulant.ts";
import type { CirculantRound } from "../round/round.ts";
import { type Neighbour, type Peers, type Topology, type TopologySpec, topologyOf } from "./topology.ts";
import { type Ends, factorOf, rateFromEigenvalues } from "./weights.ts";

/**
 * The topology of a circulant from its shifts, ascending in [1, n), and their weights. `rateOf` is its rate where it has
 * a form of its own, and circulantRate otherwise: handed in, so that who needs no rate loads no kernels.
 *
 * @example
 * ```ts
 * import { circulantRate, circulantTopology } from "equitopo";
 * const graph = circulantTopology({ name: "two-hops", n: 9 }, 0.5, [1, 2], [0.25, 0.25], circulantRate);
 * graph.peers(0, 0).to.map(({ node }) => node).join() // => "1,2"
 * graph.rate().rate.toFixed(6) // => "0.840047"
 * ```
 */
export function circulantTopology(
  spec: TopologySpec,
  self: number,
  shifts: ArrayLike<number>,
  weights: ArrayLike<number>,
  rateOf: (round: CirculantRound) => Rate,
): Topology {
  const n = nodes(spec.n);
  const round = circulantRound(n, self, Int32Array.from(shifts), Float64Array.from(weights));
  return topologyOf({
    kind: "static",
    // Opposite shifts of unequal weight: every edge goes both ways, yet W is not symmetric.
    directed: round.shifts.some((s, k) => s !== n - shifts[shifts.length - 1 - k]),
    symmetric: isSymmetric(round),
    maxDegree: shifts.length,
    spec,
    round: () => round,
    peers: (_t, i) => circulantPeers(round, i),
    rate: () => rateOf(round),
  });
}

/**
 * A symmetric circulant whose shifts weigh 1/(degree + 1) each, or as the spec's `lazy` and `weights` say (weights.ts);
 * `ends` are its extreme eigenvalues before that.
 */
export function uniformCirculant(spec: TopologySpec, shifts: readonly number[], ends: Ends): Topology {
  const { length } = shifts;
  const factor = factorOf(spec, 1 / (length + 1), () => ends);
  const weight = factor / (length + 1);
  const rate = rateFromEigenvalues(ends, factor);
  const weights = new Float64Array(length).fill(weight);
  return circulantTopology(spec, Math.max(0, 1 - length * weight), shifts, weights, () => rate);
}

export function circulantPeers({ n, self, shifts, weights }: CirculantRound, i: number): Peers {
  // Plain loops: Array.from over a typed array takes many times as long.
  const from: Neighbour[] = [];
  const to: Neighbour[] = [];
  for (let k = 0; k < shifts.length; k++) {
    const s = shifts[k];
    const weight = weights[k];
    from.push({ node: i < s ? i - s + n : i - s, weight });
    to.push({ node: i + s < n ? i + s : i + s - n, weight });
  }
  return { self, from, to };
}

/** The round, its shifts and sums checked. */
function circulantRound(n: number, self: number, shifts: Int32Array, weights: Float64Array): CirculantRound {
  const ascending = shifts.every((s, k) => s > (k === 0 ? 0 : shifts[k - 1]) && s < n);
  if (!ascending || shifts.length !== weights.length) {
    const rule = `shifts must ascend from 1 to n - 1 = ${n - 1}, with a weight each`;
    throw new InputError(rule, [...shifts], "sort them, leave out repeats, and add up their weights");
  }
  const sum = weights.reduce((total, weight) => total + weight, self);
  if (!(Math.abs(sum - 1) <= 1e-8)) {
    throw new InputError("the own weight and those of the shifts must sum to 1", sum, "divide them by their sum");
  }
  return { kind: "circulant", n, self, shifts, weights };
}

/** Rounds of one shift, W = (1 - weight) I + weight P^s: what the one-peer directed graphs have in common. */
export function oneShift(n: number, weight: number) {
  nodes(n);
  const self = 1 - real("weight", weight, { min: 0, max: 1 }, 0.5);
  return {
    round: (s: number): CirculantRound => ({
      kind: "circulant",
      n,
      self,
      shifts: Int32Array.of(integer("s", s, 1, n - 1)),
      weights: Float64Array.of(weight),
    }),
    peers(s: number, i: number): Peers {
      if (!(Number.isSafeInteger(s) && s > 0 && s < n)) integer("s", s, 1, n - 1);
      return {
        self,
        from: [{ node: i < s ? i - s + n : i - s, weight }],
        to: [{ node: i + s < n ? i + s : i + s - n, weight }],
      };
    },
  };
}
