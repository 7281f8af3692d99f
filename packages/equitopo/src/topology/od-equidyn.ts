/**
 * OD-EquiDyn (paper, section 3.3, Alg. 1):
 *
 *   W(t) = (1 - eta) I + eta A^(v_t),   v_t uniform over the basis.
 *
 * Directed, one peer per round, any n >= 2: node i receives from i - v_t and sends to i + v_t, weight eta (n-1)/n.
 */

import { RandomStream, streams } from "../random/stream.ts";
import { odEquiDynBound } from "../rate/bounds.ts";
import { type RateWork, shiftsWork } from "../rate/work.ts";
import { basisLength, tally } from "./basis.ts";
import { oneShift } from "./circulant.ts";
import { directedRate } from "./d-equistatic.ts";
import { type EquiDynOptions, equiDynOptions, exactFactor, isFull, resolveEquiDyn } from "./equidyn.ts";
import { checkOptions, defineTopology, guarded, type Topology } from "./topology.ts";

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
  checkOptions(odEquiDynFamily, options);
  const { n } = options;
  const dynamics = resolveEquiDyn(options, directedRate);
  const { basis, eta, weight, seed } = dynamics;
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
  return guarded({
    name: "od-equidyn",
    n,
    kind: "random",
    directed: !symmetric,
    symmetric,
    maxDegree: 1,
    period: undefined,
    ...(basis === "full" ? { moments } : { draws: { weight, ...tally(basis) } }),
    spec: { name: "od-equidyn", n, basis, eta, seed },
    round: (t) => shift.round(shiftAt(t)),
    roundOf: (choice) => shift.round(choice.shift),
    peers: (t, i) => shift.peers(shiftAt(t), i),
    rate() {
      // Full basis: the mean of 1 - cos over all v is n/(n-1) for every k.
      const square =
        basis === "full" ? 1 - (2 * weight * (1 - weight) * n) / (n - 1) : exactFactor(n, dynamics, () => 1);
      const rho = basis === "full" ? 0 : directedRate(n, basis);
      return { rate: Math.sqrt(Math.max(0, square)), bound: odEquiDynBound(eta, rho), method: "closed form" };
    },
  });
}

export const odEquiDynFamily = defineTopology({
  name: "od-equidyn",
  summary: "directed, one peer per round: one random shift of the basis",
  source: "paper, section 3.3, Alg. 1",
  group: "equitopo",
  random: true,
  options: equiDynOptions,
  choices: ["shift"],
  create: odEquiDyn,
});

/** What its rate takes (topology/work.ts). The full basis has a closed form; others are summed once for the rate and once for its bound. */
export function odEquiDynWork(options: EquiDynOptions): RateWork {
  return shiftsWork(options.n, isFull(options) ? 0 : basisLength(options, 1), 2);
}
