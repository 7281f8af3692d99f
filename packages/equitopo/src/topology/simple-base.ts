/**
 * Simple Base-(k+1) graph (Takezawa and others, NeurIPS 2023): exact averaging in finite time for any n.
 *
 * Where n has no prime above b = k + 1 it is the hyper-hypercube H_k(n). Otherwise n is written in base b, which cuts the
 * labels into blocks V_1, V_2, ..., V_L of a_l b^(p_l) labels, p_1 > p_2 > ..., each of a_l sub-blocks of s_l = b^(p_l).
 * With T the rounds of H_k(|V_1|), there are T + 1 + p_1 <= 2 log_b n + 2 rounds:
 *
 * - 0 .. T - 1: every block averages, by H_k(|V_l|) over and over.
 * - T + l - 1, l < L, serves V_l: the R nodes behind it are joined to the last R places of each of its sub-blocks with
 *   weight w = s_l / (|V_l| + R), which gives every sub-block the sum it will have at the end. The other nodes of V_l
 *   average in cliques of k + 1 meanwhile.
 * - From the round after it was served on, the sub-blocks of a block average by H_k(s_l); the last block does so once
 *   nobody is left to serve.
 *
 * Undirected, degree at most k, periodic. peers(t, i) in O(k + log n) from a table of the blocks.
 */

import { smoothPart } from "../number/factors.ts";
import { alone, clique, type FiniteTime, finiteTimeTopology, finiteTimeWork, type Part } from "./finite-time.ts";
import { type Cuboid, cuboid, mostPeers, publishedFactors } from "./hyper-hypercube.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { simpleBase } from "equitopo/topology";
 * simpleBase({ n: 300 }).exactAfter // => 17
 * simpleBase({ n: 3 }).peers(1, 2).from[0].weight.toFixed(4) // => "0.6667"
 * ```
 */
export function simpleBase(given: { readonly n: number; readonly k?: number }): Topology {
  const { n, k } = checkOptions(simpleBaseFamily, given);
  return finiteTimeTopology({ name: "simple-base", n, k }, simpleRounds(n, k));
}

interface Block {
  readonly start: number;
  readonly size: number;
  /** a, the number of sub-blocks, and s, the labels of each. */
  readonly count: number;
  readonly width: number;
  /** R: the labels behind the block. */
  readonly after: number;
  /** What it runs before anybody is served, and after it was. */
  readonly first: Cuboid;
  readonly last: Cuboid;
  /** The round in which the latter begins. */
  readonly settled: number;
}

/** The rounds for one n and k. Tables of O(log n) numbers. */
export function simpleRounds(n: number, k: number): FiniteTime {
  if (smoothPart(n, k + 1) === n) return cuboid(publishedFactors(n, k));
  const blocks = blocksOf(n, k);
  const before = blocks[0].first.length;
  return {
    length: before + 1 + blocks[0].last.length,
    // A digit of the first block's labels has all k + 1 values: its width is at least b.
    degree: k,
    part(t, i, origin = 0) {
      let place = 0;
      while (i - origin >= blocks[place].start + blocks[place].size) place++;
      const block = blocks[place];
      const start = origin + block.start;
      if (t < before) return run(block.first, t, i, start);
      if (t >= block.settled) return run(block.last, t - block.settled, i, start);
      return t - before < place
        ? served(blocks[t - before], block.after + i - start, origin)
        : serving(blocks, block, i - start, k, origin);
    },
  };
}

/** A round of a hyper-hypercube over and over; a block of one label has none. */
function run(cube: Cuboid, t: number, i: number, origin: number): Part {
  return cube.length === 0 ? alone : cube.part(t % cube.length, i, origin);
}

const joinWeight = ({ width, size, after }: Block) => width / (size + after);

/** A node behind the block, by its rank: the last block first, then the one before it, ascending inside each. */
function served(block: Block, rank: number, origin: number): Part {
  const { start, width, count } = block;
  const weight = joinWeight(block);
  const partners: number[] = [];
  for (let c = 1; c <= count; c++) partners.push(origin + start + c * width - 1 - rank);
  return { self: 1 - count * weight, weight, partners };
}

/** A node of the block that is served: joined to the node of some rank, or free. */
function serving(blocks: readonly Block[], block: Block, offset: number, k: number, origin: number): Part {
  const { start, width, count, after } = block;
  const sub = Math.floor(offset / width);
  const inside = offset - sub * width;
  const free = width - after;
  if (inside >= free) {
    const weight = joinWeight(block);
    return { self: 1 - weight, weight, partners: [origin + ofRank(blocks, width - 1 - inside)] };
  }
  // Free places are numbered through all sub-blocks and grouped in that order; the last group may be smaller.
  const number = sub * free + inside;
  const group = number - (number % (k + 1));
  const size = Math.min(k + 1, count * free - group);
  const { self, weight, partners } = clique(group, number - group, 1, size);
  const label = (m: number) => origin + start + Math.floor(m / free) * width + (m % free);
  return { self, weight, partners: partners.map(label) };
}

function ofRank(blocks: readonly Block[], rank: number): number {
  let place = blocks.length - 1;
  while (rank >= blocks[place].after + blocks[place].size) place--;
  return blocks[place].start + rank - blocks[place].after;
}

function blocksOf(n: number, k: number): Block[] {
  const b = k + 1;
  const digits: { count: number; width: number; power: number }[] = [];
  for (let rest = n, width = 1, power = 0; rest > 0; rest = Math.floor(rest / b), width *= b, power++) {
    if (rest % b > 0) digits.unshift({ count: rest % b, width, power });
  }
  const before = publishedFactors(digits[0].count * digits[0].width, k).length;
  let start = 0;
  return digits.map(({ count, width, power }, place) => {
    const size = count * width;
    const first = cuboid(publishedFactors(size, k));
    const block = {
      ...{ start, size, count, width, after: n - start - size, first },
      // A block of less than b labels has no digits to average over: it does so as a whole.
      last: power === 0 ? first : cuboid(Array.from({ length: power }, () => b)),
      settled: before + Math.min(place + 1, digits.length - 1),
    };
    start += size;
    return block;
  });
}

export const simpleBaseFamily = defineTopology({
  name: "simple-base",
  summary: "undirected, at most k peers per round, periodic, exact for any n",
  source: "Takezawa, Sato, Bao, Niwa, Yamada 2023",
  group: "rival",
  options: { k: mostPeers },
  variants: (_n, degree) => [{ k: degree }, { k: 1 }],
  work: (options) => finiteTimeWork(simpleBase(options)),
  create: simpleBase,
});
