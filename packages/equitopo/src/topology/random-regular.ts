/**
 * Random d-regular graph: uniform weights (I + A)/(d + 1); rate near (1 + 2 sqrt(d - 1))/(d + 1), the least that large
 * graphs of this degree can have (Friedman 2003). Undirected, static; n d even, 3 <= d < n (or complete).
 *
 * Configuration model: every node has d half-edges, all of them are paired at random, and pairs that make a loop or a double
 * edge are switched with random others until none is left; drawn anew until connected. From d > (n - 1)/2 on it is the
 * complement of a random (n - 1 - d)-regular graph. O(n d), and a list of n d labels: who has been drawn follows from
 * nothing shorter.
 */

import { InputError, integer } from "../input/input.ts";
import { about, type Given, optional, seed, whole } from "../input/option.ts";
import { ceilLog2 } from "../number/integers.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { PER_DRAWN_EDGE, worked } from "../rate/watch.ts";
import { randomSteps } from "../rate/work.ts";
import { computedTopology, reachesAll, regularGraph } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, undirectedOptions } from "./weights.ts";

export interface RandomRegularOptions extends Given<typeof regularOptions> {}

const regularOptions = {
  /** The degree; by default ceil(log2 n) rounded up to an even number, at least 4 (and at most n - 1). */
  d: about(optional(whole(10, 1)), "permutations, or the degree of a random regular graph", "D"),
  seed,
  ...undirectedOptions,
};

const MAX_DRAWS = 200;
/** Stubs are 32-bit integers. */
const MOST_STUBS = 2 ** 31 - 1;

/**
 * @example
 * ```ts
 * import { randomRegular } from "equitopo/topology";
 * const graph = randomRegular({ n: 300, d: 10 });
 * Math.abs(graph.rate().rate - (1 + 2 * Math.sqrt(9)) / 11) < 0.03 // => true
 * ```
 */
export function randomRegular(options: RandomRegularOptions): Topology {
  const { n, d = defaultDegree(n), seed: from } = checkOptions(randomRegularFamily, options);
  checkDegree(n, d);
  const spec = baselineSpec("random-regular", options, { d, seed: from });
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const lists = drawRegular(n, d, new RandomStream(from, streams.regular, attempt));
    if (lists === undefined) continue;
    if (!reachesAll(n, (i) => lists.subarray(i * d, i * d + d))) continue;
    const neighbours = (i: number) => Array.from({ length: d }, (_, k) => lists[i * d + k]);
    return computedTopology(spec, regularGraph(d, neighbours));
  }
  throw new InputError(`d must be large enough to connect n = ${n} nodes in ${MAX_DRAWS} draws`, d, `try d = ${d + 2}`);
}

const defaultDegree = (n: number) => Math.min(n - 1, Math.max(4, 2 * Math.ceil(ceilLog2(n) / 2)));

function checkDegree(n: number, d: number): void {
  integer("d", d, Math.min(3, n - 1), n - 1);
  if ((n * d) % 2 !== 0) {
    throw new InputError("n d must be even: every edge has two ends", { n, d }, `try d = ${d > 3 ? d - 1 : d + 1}`);
  }
  if (n * d > MOST_STUBS) throw new InputError(`n d must be at most ${MOST_STUBS}`, n * d, "try a smaller d");
}

/** Node i's neighbours at i d .. i d + d - 1, or undefined where switches did not mend every pair. */
function drawRegular(n: number, d: number, random: RandomStream): Int32Array | undefined {
  if (2 * d <= n - 1) return pairHalves(n, d, random);
  const others = n - 1 - d;
  const left = pairHalves(n, others, random);
  if (left === undefined) return undefined;
  const lists = new Int32Array(n * d);
  for (let i = 0, at = 0; i < n; i++) {
    const missing = new Set(left.subarray(i * others, i * others + others)).add(i);
    for (let j = 0; j < n; j++) if (!missing.has(j)) lists[at++] = j;
  }
  return lists;
}

function pairHalves(n: number, d: number, random: RandomStream): Int32Array | undefined {
  const halves = n * d;
  // Node i's half-edges are i d .. i d + d - 1; mate[half] is the other half of its edge, and ends[half] the node there.
  const mate = new Int32Array(halves);
  const ends = new Int32Array(halves);
  const nodeOf = (half: number) => Math.floor(half / d);
  const join = (one: number, other: number) => {
    mate[one] = other;
    mate[other] = one;
    ends[one] = nodeOf(other);
    ends[other] = nodeOf(one);
  };
  const order = random.permutation(halves);
  for (let k = 0; k < halves; k += 2) join(order[k], order[k + 1]);
  /** How many half-edges of node u lead to node v. */
  const edges = (u: number, v: number) => {
    let count = 0;
    for (let half = u * d; half < u * d + d; half++) if (ends[half] === v) count++;
    return count;
  };
  const isBad = (half: number) => {
    const u = nodeOf(half);
    return u === ends[half] || edges(u, ends[half]) > 1;
  };
  for (let half = 0; half < halves; half++) {
    worked(PER_DRAWN_EDGE);
    for (let tries = 0; isBad(half); tries++) {
      // Sparse graphs take a try or two; in tiny dense ones there may be no switch left to make.
      if (tries === 1000) return undefined;
      const other = random.below(halves);
      const [u, v, x, y] = [nodeOf(half), ends[half], nodeOf(other), ends[other]];
      if (u === x || v === y || u === y || v === x || edges(u, x) > 0 || edges(v, y) > 0) continue;
      const [far, farOther] = [mate[half], mate[other]];
      join(half, other);
      join(far, farOther);
    }
  }
  return ends;
}

export const randomRegularFamily = defineTopology({
  name: "random-regular",
  summary: "undirected, static, degree d: edges drawn at random",
  source: "Bollobas 1980; Friedman 2003",
  group: "rival",
  options: regularOptions,
  variants(n, degree) {
    const d = (degree * n) % 2 === 0 ? degree : degree - 1;
    return [{ d, weights: "best-constant" }, { d }];
  },
  work({ n, d = defaultDegree(n) }) {
    return { edges: n * d, steps: 1.5 * randomSteps(n), lists: "packed" };
  },
  create: randomRegular,
});
