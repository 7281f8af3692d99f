/**
 * Random groups of M nodes, drawn anew each round, each of which takes its mean (the idealised round of Moshpit SGD, 2021):
 *
 *   W(t) = 1/M between any two nodes of one group.
 *
 * Undirected, degree M - 1, M dividing n. A round is a projection, and exactly
 *
 *   E |W x|^2 = (n/M - 1)/(n - 1) |x|^2   for every x of sum 0.
 *
 * An all-reduce inside the groups sends 2 (M-1)/M vectors a node in place of M - 1. peers(t, i) in O(M) through a keyed
 * permutation.
 */

import { InputError } from "../input/input.ts";
import { about, type Given, seed, whole } from "../input/option.ts";
import { redrawnEveryRound } from "./fresh-labels.ts";
import { sparseRound } from "./graph.ts";
import { checkOptions, defineTopology, type Neighbour, type Topology } from "./topology.ts";

export interface RandomGroupsOptions extends Given<typeof groupOptions> {}

const SIZE = 4;

const groupOptions = {
  size: about(whole(SIZE, 2), "nodes in a group of random-groups, a divisor of n, default 4", "M"),
  seed,
};

/**
 * @example
 * ```ts
 * import { randomGroups } from "equitopo/topology";
 * const graph = randomGroups({ n: 256, size: 16 });
 * (graph.rate().rate ** 2).toFixed(5) // => "0.05882"
 * graph.peers(0, 0).from.length // => 15
 * ```
 */
export function randomGroups(options: RandomGroupsOptions): Topology {
  const { n, size, seed: from } = checkOptions(randomGroupsFamily, options);
  if (n % size !== 0) {
    throw new InputError(`the size of random groups must divide n = ${n}`, size, `try ${nearestWays(n, size)}`);
  }
  const weight = 1 / size;
  const others = (i: number) => {
    const links: Neighbour[] = [];
    const first = i - (i % size);
    for (let j = first; j < first + size; j++) if (j !== i) links.push({ node: j, weight });
    return links;
  };
  const groups: Parameters<typeof redrawnEveryRound>[1] = {
    n,
    symmetric: true,
    maxDegree: size - 1,
    written: { kind: "cliques", size },
    round: () => sparseRound(n, others, new Float64Array(n).fill(weight)),
    peers(_t, i) {
      const links = others(i);
      return { self: weight, from: links, to: links };
    },
  };
  return redrawnEveryRound({ name: "random-groups", n, size, seed: from }, groups, (n / size - 1) / (n - 1));
}

/** The divisors of n next to a size that is none, and the n next to this one that it divides. */
function nearestWays(n: number, size: number): string {
  let above = Math.min(size, n);
  while (n % above !== 0) above++;
  const sizes = [...new Set([largestDivisor(n, size) ?? above, above])];
  const least = Math.max(size, n - (n % size));
  const nodesNear = [...new Set([least, n + size - (n % size)])];
  return `size = ${sizes.join(" or ")}, or n = ${nodesNear.join(" or ")}`;
}

/** The largest divisor of n from 2 to `most`. */
function largestDivisor(n: number, most: number): number | undefined {
  for (let size = Math.min(n, most); size >= 2; size--) if (n % size === 0) return size;
  return undefined;
}

export const randomGroupsFamily = defineTopology({
  name: "random-groups",
  summary: "undirected, degree size - 1: random groups that take their means, drawn anew each round; size divides n",
  source: "Moshpit SGD (2021), its idealised round",
  group: "rival",
  random: true,
  options: groupOptions,
  refuses: (n) => (n % SIZE === 0 ? undefined : "the size must divide n"),
  variants: (n, degree) => [{ size: largestDivisor(n, degree + 1) ?? SIZE }],
  work: ({ n, size }) => ({ edges: 2 * n * (size - 1) }),
  create: randomGroups,
});
