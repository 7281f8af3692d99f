/**
 * OU-EquiDyn (paper, section 4.2, Alg. 2; node-wise Alg. 4; alternative Alg. 5):
 *
 *   W(t) = (1 - eta) I + eta A,   A pairs nodes at label difference v_t, starting from s_t,
 *
 * v_t uniform over {u_i, -u_i}, s_t uniform over the labels. Undirected, at most one peer per round, any n >= 2; up to a
 * third of the nodes are idle in a round (errata 5). A pair exchanges with weight c = eta (n-1)/n.
 */

import { about, type Given, word } from "../input/option.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { ouEquiDynBound } from "../rate/bounds.ts";
import { equiDynFactor, euclidMatched, greedyMatched } from "../rate/equidyn.ts";
import { basisLength, tally } from "./basis.ts";
import { equiDynOptions, isFull, resolveEquiDyn } from "./equidyn.ts";
import { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
import { pairRounds } from "./pairs.ts";
import type { PairsRule } from "./plan/rule.ts";
import { checkOptions, defineTopology, type Topology, type TopologySpec, topologyOf } from "./topology.ts";
import { undirectedRate } from "./u-equistatic.ts";

export interface OuEquiDynOptions extends Given<typeof pairOptions> {}

const pairOptions = {
  ...equiDynOptions,
  /** greedy: Alg. 2 and 4 (default). euclid: Alg. 5, fewer idle nodes and a rate that is never worse. */
  construction: about(word("greedy", "euclid"), "how ou-equidyn makes its pairs, default greedy"),
};

/** An OU-EquiDyn topology can also say what it drew. */
export interface OuEquiDyn extends Topology {
  /** The label difference v_t and the start s_t of round t. */
  choice(t: number): { readonly v: number; readonly s: number };
}

const allShifts = (n: number) => Array.from({ length: n - 1 }, (_, k) => k + 1);

/**
 * The OU-EquiDyn graphs from a basis, from m, from rho and p, or (default) the full basis.
 *
 * @example
 * ```ts
 * import { ouEquiDyn } from "equitopo";
 * const square = (n: number, construction: "greedy" | "euclid") =>
 *   (ouEquiDyn({ n, eta: 0.5, construction }).rate().rate ** 2).toFixed(6);
 * square(300, "greedy") // => "0.573350"
 * square(300, "euclid") // => "0.504688"
 * ```
 */
export function ouEquiDyn(options: OuEquiDynOptions): OuEquiDyn {
  const { n, construction } = checkOptions(ouEquiDynFamily, options);
  const { construction: _, ...rest } = options;
  const { basis, eta, weight, seed } = resolveEquiDyn(rest, undirectedRate);
  const spec = { name: "ou-equidyn", n, basis, eta, construction, seed };
  return drawnPairs(spec, { basis, construction, weight, seed }, (rho) => ouEquiDynBound(eta, rho));
}

/** The same with the weight of a pair; `bound` is the paper's, from the rate of the U-EquiStatic graph of the basis. */
export function drawnPairs(
  spec: TopologySpec,
  { basis, construction, weight, seed }: Omit<PairsRule, "name">,
  bound: (rho: number) => number | null,
): OuEquiDyn {
  const { n } = spec;
  const matching = construction === "greedy" ? greedyMatching : euclidMatching;
  const partner = construction === "greedy" ? greedyPartner : euclidPartner;
  const random = new RandomStream(seed, streams.shift);

  const differences = basis === "full" ? undefined : [...basis, ...basis.map((u) => n - u)];
  const choice = (t: number) => {
    const draw = random.at(t);
    const v = differences === undefined ? 1 + draw.below(n - 1) : differences[draw.below(differences.length)];
    return { v, s: draw.below(n) };
  };

  const partnerAt = (t: number, i: number) => {
    const { v, s } = choice(t);
    return partner(n, v, s, i);
  };
  const matchingAt = (t: number) => {
    const { v, s } = choice(t);
    return matching(n, v, s);
  };

  function* parts() {
    const all = differences ?? allShifts(n);
    const { shifts, counts } = tally(all);
    for (const [j, v] of shifts.entries()) yield { partner: matching(n, v, 0), share: counts[j] / all.length };
  }

  return topologyOf<OuEquiDyn>({
    kind: "random",
    symmetric: true,
    maxDegree: 1,
    turned: { weight, parts },
    spec,
    rule: () => ({ name: "pairs", basis, construction, weight, seed }),
    choice,
    ...pairRounds(n, weight, partnerAt, matchingAt),
    roundOf: ({ shift, start }) => ({ kind: "matching", n, weight, partner: matching(n, shift, start) }),
    rate() {
      const matched = construction === "greedy" ? greedyMatched : euclidMatched;
      const shifts = tally(basis === "full" ? allShifts(n) : basis);
      const square = equiDynFactor(n, shifts, weight, (v) => matched(n, v));
      const rho = basis === "full" ? 0 : undirectedRate(n, basis);
      return { rate: Math.sqrt(Math.max(0, square)), bound: bound(rho), method: "closed form" };
    },
  });
}

export const ouEquiDynFamily = defineTopology({
  name: "ou-equidyn",
  title: "OU-EquiDyn",
  summary: "undirected, at most one peer per round: random pairs at one label difference",
  source: "paper, section 4.2, Alg. 2, 4 and 5",
  group: "equitopo",
  random: true,
  options: pairOptions,
  choices: ["shift", "start"],
  variants: () => [{ construction: "euclid" }, {}],
  // The rate sums the basis once, its bound both directions of it.
  work: (options) => (isFull(options) ? { shifts: options.n } : { shifts: basisLength(options, 1), times: 3 }),
  create: ouEquiDyn,
});
