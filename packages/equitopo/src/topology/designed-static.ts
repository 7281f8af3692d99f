/**
 * A designed circulant: W = self I + sum_j weights[j] P^(shifts[j]), shifts and weights written out, or the best that the
 * table of designs has (src/design/table.ts) for n and a degree; where the table has none, what a short search finds.
 *
 * Static, degree = the number of shifts, any n >= 2; directed, or by option undirected. The rate is exact, O(n K). What
 * `equitopo design` and designTopology return is such a spec: { name: "designed-static", n, self, shifts, weights }.
 */

import { designOn } from "../design/design.ts";
import { question } from "../design/designer.ts";
import { Search } from "../design/search.ts";
import { type TabledDesign, tabledDesign } from "../design/table.ts";
import { InputError } from "../input/input.ts";
import { about, flag, type Given, number, numbers, optional, unwritten, whole } from "../input/option.ts";
import { ceilLog2 } from "../number/integers.ts";
import { circulantRate } from "../rate/circulant.ts";
import { circulantTopology } from "./circulant.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

export interface DesignedStaticOptions extends Given<typeof options> {}

/** Those of designed sequences as well. */
export const shiftOptions = {
  /** In [1, n), -u for n - u; of a sequence, those of the rounds of a period. */
  shifts: about(numbers(), "shifts of a designed graph", "1,2,4"),
  weights: about(numbers(), "their weights", "0.3,0.2"),
};

const options = {
  /** Where no shifts are given; one more by default where undirected and both are odd. */
  // No flag: --degree is what `compare` and `design` are asked for.
  degree: unwritten(about(optional(whole(2, 1)), "peers of a designed graph, default ceil(log2 n)")),
  undirected: about(flag(), "a designed graph whose edges all go both ways"),
  /** What the others leave of 1 by default. */
  self: about(optional(number(0.5, { min: 0, max: 1 })), "own weight of a designed graph", "W"),
  ...shiftOptions,
};

/** Sets that are considered where the table has no row: some milliseconds, once. */
const SHORT_SEARCH = 5000;

const searched = new Map<string, unknown>();

/** What a search found for a question, each of which is searched for once. */
export function remembered<V>(asked: object, search: () => V): V {
  const key = JSON.stringify(asked);
  if (!searched.has(key)) searched.set(key, search());
  return searched.get(key) as V;
}

/**
 * @example
 * ```ts
 * import { designedStatic } from "equitopo/topology";
 * designedStatic({ n: 13, degree: 3 }).rate().rate.toFixed(6) // => "0.433013"
 * const graph = designedStatic({ n: 13, shifts: [1, 3, 9], weights: [0.25, 0.25, 0.25] });
 * graph.rate().rate.toFixed(6) // => "0.433013"
 * ```
 */
export function designedStatic(given: DesignedStaticOptions): Topology {
  const { n } = checkOptions(designedStaticFamily, given);
  const { self, shifts, weights } = given.shifts === undefined ? chosen(given) : written(given);
  return circulantTopology({ name: "designed-static", n, self, shifts, weights }, self, shifts, weights, circulantRate);
}

/** From the table, or from a short search. */
function chosen({ n, degree, undirected = false, self, weights }: DesignedStaticOptions): TabledDesign {
  if (self !== undefined || weights !== undefined) {
    throw new InputError("self and weights go with the shifts that they weigh", { self, weights }, "give shifts");
  }
  const preset = ceilLog2(n);
  const odd = undirected && preset % 2 === 1 && n % 2 === 1;
  const asked = question({ n, degree: degree ?? (odd ? preset + 1 : preset), directed: !undirected });
  const search = () => designOn(asked, new Search(asked).chunk(0, 0, SHORT_SEARCH).shifts);
  return tabledDesign(asked) ?? remembered(asked, search);
}

/** As written, in ascending order. */
function written({ n, degree, undirected, self, shifts = [], weights }: DesignedStaticOptions): TabledDesign {
  if (degree !== undefined || undirected) {
    const rule = "shifts say themselves how many they are and which way";
    throw new InputError(rule, { degree, undirected }, "leave it out");
  }
  if (weights === undefined || weights.length !== shifts.length) {
    throw new InputError(`weights must have a number for each of the ${shifts.length} shifts`, weights, "give as many");
  }
  const pairs = shifts.map((u, j) => ({ u: u < 0 ? u + n : u, weight: weights[j] })).sort((a, b) => a.u - b.u);
  for (const { weight } of pairs) {
    if (!(weight >= 0)) throw new InputError("weights must not be negative", weight, "leave out that shift");
  }
  return {
    self: self ?? 1 - pairs.reduce((sum, { weight }) => sum + weight, 0),
    shifts: pairs.map(({ u }) => u),
    weights: pairs.map(({ weight }) => weight),
  };
}

export const designedStaticFamily = defineTopology({
  name: "designed-static",
  summary: "directed or undirected, static: the best shifts and weights found for a degree",
  source: "searched by `equitopo design`",
  group: "rival",
  options,
  variants: (_n, degree) => [{ degree }, { degree, undirected: true }],
  create: designedStatic,
});
