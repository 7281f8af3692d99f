/**
 * OD-EquiDyn (paper, section 3.3, Alg. 1):
 *
 *   W(t) = (1 - eta) I + eta A^(v_t),   v_t uniform over the basis.
 *
 * Directed, one peer per round, any n >= 2: node i receives from i - v_t and sends to i + v_t, weight eta (n-1)/n.
 */

import { RandomStream, streams } from "../random/stream.ts";
import { odEquiDynBound } from "../rate/bounds.ts";
import { equiDynFactor } from "../rate/equidyn.ts";
import { basisLength, tally } from "./basis.ts";
import { oneShift } from "./circulant.ts";
import { directedRate } from "./d-equistatic.ts";
import { type EquiDynOptions, equiDynOptions, isFull, resolveEquiDyn } from "./equidyn.ts";
import type { ShiftRule } from "./plan/rule.ts";
import { checkOptions, defineTopology, type Topology, type TopologySpec, topologyOf } from "./topology.ts";

/**
 * The OD-EquiDyn graphs from a basis, from m, from rho and p, or (default) the full basis.
 *
 * @example
 * ```ts
 * import { odEquiDyn } from "equitopo";
 * const graph = odEquiDyn({ n: 300, eta: 0.5 });
 * (graph.rate().rate ** 2).toFixed(6) // => "0.498333"
 * graph.peers(41, 7).from.length // => 1
 * ```
 */
export function odEquiDyn(options: EquiDynOptions): Topology {
  const { n } = checkOptions(odEquiDynFamily, options);
  const { basis, eta, weight, seed } = resolveEquiDyn(options, directedRate);
  const spec = { name: "od-equidyn", n, basis, eta, seed };
  return drawnShifts(spec, { basis, weight, seed }, (rho) => odEquiDynBound(eta, rho));
}

/** The same with the weight of a shift; `bound` is the paper's, from the rate of the D-EquiStatic graph of the basis. */
export function drawnShifts(
  spec: TopologySpec,
  { basis, weight, seed }: Omit<ShiftRule, "name">,
  bound: (rho: number) => number | null,
): Topology {
  const { n } = spec;
  const shift = oneShift(n, weight);
  const random = new RandomStream(seed, streams.shift);
  const shiftAt = (t: number) => {
    const draw = random.at(t);
    return basis === "full" ? 1 + draw.below(n - 1) : basis[draw.below(basis.length)];
  };
  const symmetric = basis === "full" ? n === 2 : basis.every((u) => 2 * u === n);
  // Full basis: the mean of cos over all v is -1/(n-1) for every k.
  const moved = (weight * n) / (n - 1);
  const moments = { mean: 1 - moved, square: 1 - 2 * (1 - weight) * moved };
  return topologyOf({
    kind: "random",
    symmetric,
    maxDegree: 1,
    ...(basis === "full" ? { moments } : { draws: { weight, ...tally(basis) } }),
    spec,
    round: (t) => shift.round(shiftAt(t)),
    rule: () => ({ name: "shift", basis, weight, seed }),
    roundOf: (choice) => shift.round(choice.shift),
    peers: (t, i) => shift.peers(shiftAt(t), i),
    rate() {
      const square = basis === "full" ? moments.square : equiDynFactor(n, tally(basis), weight, () => 1);
      const rho = basis === "full" ? 0 : directedRate(n, basis);
      return { rate: Math.sqrt(Math.max(0, square)), bound: bound(rho), method: "closed form" };
    },
  });
}

export const odEquiDynFamily = defineTopology({
  name: "od-equidyn",
  title: "OD-EquiDyn",
  summary: "directed, one peer per round: one random shift of the basis",
  source: "paper, section 3.3, Alg. 1",
  group: "equitopo",
  random: true,
  options: equiDynOptions,
  choices: ["shift"],
  // The full basis has a closed form; others are summed once for the rate and once for its bound.
  work: (options) => ({ shifts: isFull(options) ? 0 : basisLength(options, 1), times: 2 }),
  create: odEquiDyn,
});
