/**
 * OU-EquiDyn (paper, section 4.2, Alg. 2; node-wise Alg. 4; alternative Alg. 5):
 *
 *   W(t) = (1 - eta) I + eta A,   A pairs nodes at label difference v_t, starting from s_t,
 *
 * v_t uniform over {u_i, -u_i}, s_t uniform over the labels. Undirected, at most one peer per round, any n >= 2; up to a
 * third of the nodes are idle in a round (errata 5). A pair exchanges with weight c = eta (n-1)/n.
 */

import { about, word } from "../input/option.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { ouEquiDynBound } from "../rate/bounds.ts";
import { euclidMatched, greedyMatched } from "../rate/equidyn.ts";
import { type RateWork, shiftsWork } from "../rate/work.ts";
import { basisLength, tally } from "./basis.ts";
import { type EquiDynOptions, equiDynOptions, exactFactor, isFull, resolveEquiDyn } from "./equidyn.ts";
import { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./matching.ts";
import { checkOptions, defineTopology, guarded, type Link, type Peers, type Topology } from "./topology.ts";
import { undirectedRate } from "./u-equistatic.ts";

export interface OuEquiDynOptions extends EquiDynOptions {
  /** greedy: Alg. 2 and 4 (default). euclid: Alg. 5, fewer idle nodes and a rate that is never worse. */
  readonly construction?: "greedy" | "euclid";
}

const nobody: readonly Link[] = [];

/** An OU-EquiDyn topology can also say what it drew. */
export interface OuEquiDyn extends Topology {
  /** The label difference v_t and the start s_t of round t. */
  choice(t: number): { readonly v: number; readonly s: number };
}

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
  checkOptions(ouEquiDynFamily, options);
  const { n, construction = "greedy" } = options;
  const { construction: _, ...rest } = options;
  const dynamics = resolveEquiDyn(rest, undirectedRate);
  const { basis, eta, weight, seed } = dynamics;
  const self = 1 - weight;
  const idle: Peers = { self: 1, from: nobody, to: nobody };
  const matching = construction === "greedy" ? greedyMatching : euclidMatching;
  const partner = construction === "greedy" ? greedyPartner : euclidPartner;
  const random = new RandomStream(seed, streams.shift);

  const labelDifference = (draw: RandomStream): number => {
    if (basis === "full") return 1 + draw.below(n - 1);
    const index = draw.below(2 * basis.length);
    return index < basis.length ? basis[index] : n - basis[index - basis.length];
  };
  const choice = (t: number) => {
    const draw = random.at(t);
    const v = labelDifference(draw);
    return { v, s: draw.below(n) };
  };

  function* parts() {
    const all = () => Array.from({ length: n - 1 }, (_, k) => k + 1);
    const differences = basis === "full" ? all() : [...basis, ...basis.map((u) => n - u)];
    const { shifts, counts } = tally(differences);
    for (let j = 0; j < shifts.length; j++) {
      yield { partner: matching(n, shifts[j], 0), share: counts[j] / differences.length };
    }
  }

  return guarded<OuEquiDyn>({
    name: "ou-equidyn",
    n,
    kind: "random",
    directed: false,
    symmetric: true,
    maxDegree: 1,
    period: undefined,
    turned: { weight, parts },
    spec: { name: "ou-equidyn", n, basis, eta, construction, seed },
    choice,
    round(t) {
      const { v, s } = choice(t);
      return { kind: "matching", n, weight, partner: matching(n, v, s) };
    },
    roundOf: ({ shift, start }) => ({ kind: "matching", n, weight, partner: matching(n, shift, start) }),
    peers(t, i) {
      const { v, s } = choice(t);
      const node = partner(n, v, s, i);
      if (node === i) return idle;
      const link = [{ node, weight }];
      return { self, from: link, to: link };
    },
    rate() {
      const matched = construction === "greedy" ? greedyMatched : euclidMatched;
      const square = exactFactor(n, dynamics, (v) => matched(n, v));
      const rho = basis === "full" ? 0 : undirectedRate(n, basis);
      return { rate: Math.sqrt(Math.max(0, square)), bound: ouEquiDynBound(eta, rho), method: "closed form" };
    },
  });
}

export const ouEquiDynFamily = defineTopology({
  name: "ou-equidyn",
  summary: "undirected, at most one peer per round: random pairs at one label difference",
  source: "paper, section 4.2, Alg. 2, 4 and 5",
  group: "equitopo",
  random: true,
  options: {
    ...equiDynOptions,
    construction: about(word("greedy", "euclid"), "how ou-equidyn makes its pairs, default greedy"),
  },
  choices: ["shift", "start"],
  variants: () => [{ construction: "euclid" }, {}],
  create: ouEquiDyn,
});

/** What its rate takes (topology/work.ts). The rate sums the basis once, its bound both directions of it. */
export function ouEquiDynWork(options: OuEquiDynOptions): RateWork {
  const { n } = options;
  return isFull(options) ? shiftsWork(n, n) : shiftsWork(n, basisLength(options, 1), 3);
}
