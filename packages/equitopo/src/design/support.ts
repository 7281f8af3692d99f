/**
 * Supports as columns: the own weight's shift 0 and one column for each shift (directed) or pair of shifts u, n - u
 * (undirected; n / 2 is a column of its own). Directed, any column may be swapped, as all shifts may move together;
 * undirected, 0 stays, and n / 2 where the degree is odd.
 */

import { gcd } from "../number/integers.ts";
import type { RandomStream } from "../random/stream.ts";

/** What is sought: K peers a node, all of a kind. */
export interface Question {
  readonly n: number;
  readonly degree: number;
  readonly directed: boolean;
}

/** Weights are multiples of this: sums are exact in any order, and the own weight is 1 minus the rest to the bit. */
export const GRAIN = 2 ** -36;

/** The round of these shifts, weighted in grains; undirected, a shift stands for its mirror image as well. */
export function weightedShifts({ n, directed }: Pick<Question, "n" | "directed">, grains: Iterable<[number, number]>) {
  const all = new Map<number, number>();
  for (const [u, count] of grains) {
    all.set(u, count);
    if (!directed) all.set(n - u, count);
  }
  const shifts = [...all.keys()].sort((a, b) => a - b);
  const weights = shifts.map((u) => (all.get(u) ?? 0) * GRAIN);
  // Rounding up everywhere may leave the own weight a few grains short of 0.
  const self = Math.max(0, 1 - weights.reduce((sum, weight) => sum + weight, 0));
  return { self, shifts, weights };
}

/** How many columns a support has: the own weight, and each shift or pair of shifts. */
export function columnsOf({ degree, directed }: Question): number {
  return 1 + (directed ? degree : Math.ceil(degree / 2));
}

/** How many columns come first and stay. */
export function fixedOf({ degree, directed }: Question): number {
  return directed ? 0 : 1 + (degree % 2);
}

/** The shifts that a column may have: from 0 on (directed), or from 1 on below n / 2. */
export function candidateCount({ n, directed }: Question): number {
  return directed ? n : Math.ceil(n / 2) - 1;
}

export function anotherShift(asked: Question, random: RandomStream, shifts: Int32Array): number {
  for (;;) {
    const v = random.below(candidateCount(asked)) + (asked.directed ? 0 : 1);
    if (!shifts.includes(v)) return v;
  }
}

export function randomColumns(asked: Question, random: RandomStream): Int32Array {
  const shifts = new Int32Array(columnsOf(asked));
  const fixed = fixedOf(asked);
  if (fixed === 2) shifts[1] = asked.n / 2;
  for (let j = Math.max(1, fixed); j < shifts.length; j++) {
    shifts[j] = anotherShift(asked, random, shifts.subarray(0, j));
  }
  return shifts;
}

/**
 * A union of random orbits of a random map u -> a u + c, a unit of n, where such orbits fill the columns: good sets are
 * often symmetric (difference sets are).
 */
export function symmetricColumns(asked: Question, random: RandomStream): Int32Array | undefined {
  const { n, directed } = asked;
  const a = 1 + random.below(n - 1);
  const c = directed ? random.below(n) : 0;
  if (gcd(a, n) !== 1) return undefined;
  const shifts = randomColumns(asked, random);
  let filled = fixedOf(asked);
  for (let tries = 0; tries < 20 && filled < shifts.length; tries++) {
    const start = anotherShift(asked, random, shifts.subarray(0, filled));
    let u = start;
    let at = filled;
    do {
      if (at < shifts.length) shifts[at] = u;
      at++;
      const next = (a * u + c) % n;
      // Undirected, a pair is known by its smaller shift.
      u = directed || 2 * next <= n ? next : n - next;
    } while (u !== start && at <= shifts.length);
    if (u === start && at <= shifts.length) filled = at;
  }
  return filled === shifts.length ? shifts : undefined;
}
