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

import { defined, InputError, integer } from "../input/input.ts";
import { about, type Given, type Option, optional, parseNumber, whole, word } from "../input/option.ts";
import { computedTopology } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, isConstant, undirectedOptions } from "./weights.ts";

/** It ends when all pairs of groups have been looked at in vain, or here. */
const MOST_PASSES = 200;

/**
 * Nodes into K groups whose data together look like everybody's, for D-Cliques. The distance of a group is
 *
 *   sum over labels of |share of the label in the group - its share in all data|.
 *
 * Nodes are sorted by their commonest label and dealt out in turn; then pairs of nodes of two groups change
 * places wherever that lowers the sum of the two groups' distances, until no pair does (Greedy Swap of the
 * D-Cliques paper, with groups in turn in place of random ones: nothing is drawn). O(passes n size labels).
 *
 * order[place]: the node at each place; place mod K is its group.
 */
export function dealByLabel(K: number, counts: readonly (readonly number[])[]): Int32Array {
  const n = counts.length;
  const commonest = counts.map((row) => row.indexOf(Math.max(...row)));
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => commonest[a] - commonest[b] || a - b);
  const labels = counts[0].length;
  const total = new Float64Array(labels);
  const groups = Array.from({ length: K }, () => new Float64Array(labels));
  order.forEach((node, place) => {
    for (let l = 0; l < labels; l++) {
      total[l] += counts[node][l];
      groups[place % K][l] += counts[node][l];
    }
  });
  const all = total.reduce((sum, count) => sum + count, 0);
  /** The distance of a group that gives away `less` and gets `more`. */
  const distance = (group: Float64Array, less?: readonly number[], more?: readonly number[]) => {
    let size = 0;
    for (let l = 0; l < labels; l++) size += group[l] - (less?.[l] ?? 0) + (more?.[l] ?? 0);
    let sum = 0;
    for (let l = 0; l < labels; l++) {
      sum += Math.abs((group[l] - (less?.[l] ?? 0) + (more?.[l] ?? 0)) / size - total[l] / all);
    }
    return sum;
  };
  for (let pass = 0, idle = 0; idle < K - 1 && pass < MOST_PASSES; pass++) {
    idle++;
    for (let first = 0; first < K; first++) {
      // Another distance in every pass: K - 1 of them look at every pair of groups.
      const second = (first + 1 + (pass % (K - 1))) % K;
      for (let a = first; a < n; a += K) {
        for (let b = second; b < n; b += K) {
          const [gives, gets] = [counts[order[a]], counts[order[b]]];
          const before = distance(groups[first]) + distance(groups[second]);
          const after = distance(groups[first], gives, gets) + distance(groups[second], gets, gives);
          if (!(after < before - 1e-12)) continue;
          for (let l = 0; l < labels; l++) {
            groups[first][l] += gets[l] - gives[l];
            groups[second][l] += gives[l] - gets[l];
          }
          [order[a], order[b]] = [order[b], order[a]];
          idle = 0;
        }
      }
    }
  }
  return order;
}

export interface DCliquesOptions extends Given<typeof cliqueOptions> {}

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
  const { n, size = 10, join, counts } = checkOptions(dCliquesFamily, options);
  const K = Math.max(1, Math.round(n / size));
  const apart = distances(join, K);
  // order[place] is the node at that place, and place mod K its clique; sorted nodes are their own places.
  const order = counts === undefined ? undefined : dealByLabel(K, checkCounts(n, counts));
  const placeOf = order && new Map(Array.from(order, (node, place) => [node, place]));
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
  const spec = baselineSpec("d-cliques", options, defined({ size, join, counts }));
  const share = isConstant(spec)
    ? () => 1 / (1 + maxDegree)
    : (a: number, b: number) => 1 / (1 + Math.max(degreeOf(a), degreeOf(b)));
  return computedTopology(spec, {
    maxDegree,
    smallestSelf: 1 / (1 + maxDegree),
    links(i) {
      const place = placeOf?.get(i) ?? i;
      return neighbours(place).map((other) => ({ node: order?.[other] ?? other, weight: share(place, other) }));
    },
  });
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

const cliqueOptions = {
  /** As many as there are labels for a start. */
  size: about(optional(whole(10, 1)), "nodes of a clique, default 10", "M"),
  join: about(word("pairs", "ring", "small-world"), "how cliques are joined, default pairs: all with all"),
  counts: countsOption,
  ...undirectedOptions,
};

export const dCliquesFamily = defineTopology({
  name: "d-cliques",
  summary: "undirected, static: cliques that hold every label, joined sparsely",
  source: "Bellet, Kermarrec and Lavoie 2021",
  group: "rival",
  options: cliqueOptions,
  variants: (_n, degree) => [{ size: degree, join: "ring" }, {}],
  work({ n, size = 10, join }) {
    const K = Math.max(1, Math.round(n / size));
    // Cliques joined all with all have an edge for every pair of them.
    const joined = { pairs: K - 1, ring: 2, "small-world": 2 * Math.log2(K + 1) }[join];
    const steps = { pairs: 9, ring: 2 * K, "small-world": 4 * Math.sqrt(K) }[join];
    return { edges: n * (size - 1) + K * joined, steps };
  },
  create: dCliques,
});
