/**
 * D-Cliques (Bellet, Kermarrec and Lavoie 2021): cliques of nodes whose data together look like everybody's, joined
 * sparsely; Metropolis weights. Undirected, static, any n >= 2: K = n/size cliques (rounded), sizes differing by at most 1.
 *
 * Who goes where: without label counts nodes are taken to be sorted by label, and node i goes to clique i mod K, so that
 * each clique has its share of every label. With `counts` (how many examples of each label every node holds) nodes are
 * sorted by their commonest label, dealt out in turn, and then swapped between cliques while that brings the cliques'
 * label shares nearer to everybody's.
 *
 * Cliques are joined by one edge for each distance in a set that makes them, in turn, a ring {1}, a small world
 * {1, 2, 4, ...} or all pairs {1, ..., K - 1}, both ways; the r-th edge of a clique starts at its member r mod its size.
 *
 * Degree: size - 1, and the edges to other cliques. A node finds its peers in O(degree log degree), without a list of
 * length n unless counts are given.
 */

import { InputError, integer } from "../input/input.ts";
import { about, type Option, optional, parseNumber, whole, word } from "../input/option.ts";
import { listedWork, type RateWork } from "../rate/work.ts";
import { computedTopology } from "./computed.ts";
import { dealByLabel } from "./deal.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, isConstant, iterations, type UndirectedOptions, undirectedOptions } from "./weights.ts";

export interface DCliquesOptions extends UndirectedOptions {
  /** Nodes of a clique, as many as there are labels for a start; 10 by default. */
  readonly size?: number;
  /** How cliques are joined; all pairs by default. */
  readonly join?: "pairs" | "ring" | "small-world";
  /** Examples of each label that every node holds: n rows, one number for each label. */
  readonly counts?: readonly (readonly number[])[];
}

/** The distances between joined cliques on the ring of K, ascending, both ways. */
function distances(join: "pairs" | "ring" | "small-world", K: number): number[] {
  const all = Array.from({ length: K - 1 }, (_, k) => k + 1);
  const isPower = (k: number) => (k & (k - 1)) === 0;
  if (join === "pairs") return all;
  return all.filter((k) => (join === "ring" ? k === 1 || k === K - 1 : isPower(Math.min(k, K - k))));
}

/**
 * @example
 * ```ts
 * import { dCliques } from "equitopo/topology";
 * const graph = dCliques({ n: 100, join: "ring" });
 * graph.maxDegree // => 10
 * graph.peers(0, 7).from.map(({ node }) => node % 10).filter((clique) => clique === 7).length // => 9
 * ```
 */
export function dCliques(options: DCliquesOptions): Topology {
  checkOptions(dCliquesFamily, options);
  const { n, size = 10, join = "pairs", counts } = options;
  const K = Math.max(1, Math.round(n / size));
  const apart = distances(join, K);
  // order[place] is the node at that place, and place mod K its clique; sorted nodes are their own places.
  const order = counts === undefined ? undefined : dealByLabel(K, checkCounts(n, counts));
  const placeOf = order === undefined ? undefined : inverse(order);
  const sizeOf = (clique: number) => Math.ceil((n - clique) / K);
  const degreeOf = (place: number) => {
    const members = sizeOf(place % K);
    const member = Math.floor(place / K);
    return members - 1 + Math.max(0, Math.ceil((apart.length - member) / members));
  };
  const neighbours = (place: number) => {
    const clique = place % K;
    const members = sizeOf(clique);
    const member = (place - clique) / K;
    const places: number[] = [];
    for (let k = 0; k < members; k++) if (k !== member) places.push(k * K + clique);
    for (let r = member; r < apart.length; r += members) {
      const other = (clique + apart[r]) % K;
      // Seen from there this edge is the one at distance K - apart[r], the r-th from the other end of the list.
      places.push(((apart.length - 1 - r) % sizeOf(other)) * K + other);
    }
    return places;
  };
  // Member 0 of the smallest clique or of the first, larger one has the most edges of all.
  const maxDegree = Math.max(degreeOf(0), degreeOf(K - 1));
  const spec = baselineSpec("d-cliques", options, { size, join, ...(counts === undefined ? {} : { counts }) });
  const share = isConstant(spec)
    ? () => 1 / (1 + maxDegree)
    : (a: number, b: number) => 1 / (1 + Math.max(degreeOf(a), degreeOf(b)));
  return computedTopology(spec, {
    maxDegree,
    smallestSelf: 1 / (1 + maxDegree),
    links(i) {
      const place = placeOf?.[i] ?? i;
      return neighbours(place).map((other) => ({ node: order?.[other] ?? other, weight: share(place, other) }));
    },
  });
}

function inverse(order: Int32Array): Int32Array {
  const places = new Int32Array(order.length);
  order.forEach((node, place) => {
    places[node] = place;
  });
  return places;
}

function checkCounts(n: number, counts: readonly (readonly number[])[]): readonly (readonly number[])[] {
  if (counts.length !== n) throw new InputError(`counts must have n = ${n} rows`, counts.length, "give one per node");
  for (const row of counts) {
    if (row.length !== counts[0].length) {
      throw new InputError("every row of counts must have a number for each label", row, "write zeros, too");
    }
    for (const count of row) integer("a count of labels", count, 0);
    if (!row.some((count) => count > 0)) throw new InputError("every node must hold an example", row, "leave it out");
  }
  return counts;
}

const countsOption: Option<readonly (readonly number[])[] | undefined> = {
  default: undefined,
  range: "n rows of label counts",
  help: "examples of each label that every node of d-cliques holds: rows by semicolons",
  written: "9,1;0,10",
  check(name, value) {
    if (Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row) && row.length > 0)) {
      return value as number[][];
    }
    throw new InputError(`${name} must be a list of lists of label counts`, value, "leave it out: sorted by label");
  },
  parse(text) {
    const rows = text.split(";").map((row) => row.split(",").map(parseNumber));
    return rows.some((row) => row.includes(undefined)) ? undefined : rows;
  },
};

export const dCliquesFamily = defineTopology({
  name: "d-cliques",
  summary: "undirected, static: cliques that hold every label, joined sparsely",
  source: "Bellet, Kermarrec and Lavoie 2021",
  group: "rival",
  options: {
    size: about(optional(whole(10, 1)), "nodes of a clique, default 10", "M"),
    join: about(word("pairs", "ring", "small-world"), "how cliques are joined, default pairs: all with all"),
    counts: countsOption,
    ...undirectedOptions,
  },
  variants: (_n, degree) => [{ size: degree, join: "ring" }, {}],
  create: dCliques,
});

/** What its rate takes (topology/work.ts). Cliques joined all with all have an edge for every pair of them. */
export function dCliquesWork(options: DCliquesOptions): RateWork {
  const { n, size = 10, join = "pairs" } = options;
  const K = Math.max(1, Math.round(n / size));
  const joined = { pairs: K - 1, ring: 2, "small-world": 2 * Math.log2(K + 1) }[join];
  const steps = { pairs: 9, ring: 2 * K, "small-world": 4 * Math.sqrt(K) }[join];
  const edges = n * (size - 1) + K * joined;
  return listedWork({ n, edges, steps: iterations(options) * steps, lists: "none" });
}
