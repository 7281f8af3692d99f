/** Rounds one after another, as their products are looked at; every topology is such a sequence. */

import { membersOf, sizeOf } from "../round/groups.ts";
import { forEachEdge, type GroupedRound, type Round } from "../round/round.ts";
import type { Rate } from "./rate.ts";

export interface RoundSequence {
  readonly n: number;
  readonly kind: "static" | "periodic" | "random";
  /** Rounds after which the same ones come again, perhaps in another order; undefined where they are drawn. */
  readonly period: number | undefined;
  /** Whether every W(t) is symmetric. */
  readonly symmetric: boolean;
  /** Which sums are 1, where not both. */
  readonly stochastic?: "rows" | "columns";
  /** Rounds from the start of a period after which the product is J exactly. */
  readonly exactAfter?: number;
  /** Drawn rounds that hang together: only blocks of so many rounds are independent of each other. */
  readonly block?: number;
  /** i.i.d. rounds that treat all directions alike: E W x = mean x, E |W x|^2 = square |x|^2 for every x of sum 0. */
  readonly moments?: { readonly mean: number; readonly square: number };
  /** i.i.d. rounds of one shift. */
  readonly draws?: ShiftDraws;
  /** i.i.d. rounds of pairs, all labels turned by a uniform number of places. */
  readonly turned?: TurnedPairs;
  round(t: number): Round;
  rate(): Rate;
  /** ||W(m - 1) ... W(0) - J||_2 in closed form. */
  norm?(m: number): number;
  /** Rounds over two vectors a node: one of them is sent and mixed into both. */
  pair?(t: number): PairWeights;
}

/** W(t) = (1 - weight) I + weight P^s, s being shifts[j] with probability counts[j] / (sum of counts), anew each round. */
export interface ShiftDraws {
  readonly weight: number;
  readonly shifts: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** One of these pairings (each at one label difference, idle nodes their own partner) with its share, then turned. */
export interface TurnedPairs {
  readonly weight: number;
  parts(): Iterable<{ readonly partner: Int32Array; readonly share: number }>;
}

/** x <- x.own x + x.heard r and z <- z.own z + z.heard r, r being what was heard of the vector that is sent. */
export interface PairWeights {
  readonly sends: "x" | "z";
  readonly x: { readonly own: number; readonly heard: number };
  readonly z: { readonly own: number; readonly heard: number };
}

/** Rounds after which what holds from round 0 on holds again: a period, or rounds that are drawn together. */
export function stretchOf({
  period,
  block,
  exactAfter,
}: Pick<RoundSequence, "period" | "block" | "exactAfter">): number {
  return period ?? block ?? exactAfter ?? 1;
}

/** Whether W is diagonal in the Fourier basis. */
export function isModal(round: Round): boolean {
  return round.kind === "circulant" || round.kind === "mean";
}

/** Whether every round is, so that all commute and each Fourier mode goes its own way; looks at one period. */
export function allModal({ period, pair, round }: Pick<RoundSequence, "period" | "pair" | "round">): boolean {
  if (period === undefined || pair !== undefined) return false;
  for (let t = 0; t < period; t++) if (!isModal(round(t))) return false;
  return true;
}

/** Whether later periods bring the rounds of the first in the same order; looks at three of them. */
export function repeatsInOrder({ period, round }: Pick<RoundSequence, "period" | "round">): boolean {
  if (period === undefined) return false;
  for (let t = 0; period > 1 && t < 4 * period; t++) if (!sameRound(round(t % period), round(t))) return false;
  return true;
}

function sameRound(a: Round, b: Round): boolean {
  if (a === b) return true;
  const numbers = (round: Round): readonly ArrayLike<number>[] => {
    switch (round.kind) {
      case "circulant":
        return [[round.self], round.shifts, round.weights];
      case "matching":
        return [[round.weight], round.partner];
      case "sparse":
        return [round.self, round.start, round.from, round.weights];
      case "mean":
        return [[round.keep]];
      case "grouped":
        return [round.groups.start, round.groups.members];
    }
  };
  if (a.kind === "grouped" && b.kind === "grouped" && !sameRound(a.between, b.between)) return false;
  const others = numbers(b);
  const alike = (list: ArrayLike<number>, other: ArrayLike<number>) =>
    list.length === other.length && Array.prototype.every.call(list, (value, k) => value === other[k]);
  return a.kind === b.kind && numbers(a).every((list, k) => alike(list, others[k]));
}

/** Additions that one application of a round takes. */
export function workOf(round: Round): number {
  switch (round.kind) {
    case "circulant":
      return round.n * (1 + round.shifts.length);
    case "matching":
    case "mean":
      return 2 * round.n;
    case "sparse":
      return round.n + round.from.length;
    case "grouped":
      return 2 * round.n + workOf(round.weighted);
  }
}

/** y = W^T x. */
export function applyTransposed(round: Round, x: Float64Array, y: Float64Array): void {
  const { n } = round;
  if (round.kind === "grouped") {
    transposedGroups(round, x, y);
    return;
  }
  if (round.kind === "mean") {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i];
    for (let i = 0; i < n; i++) y[i] = round.keep * x[i] + ((1 - round.keep) * sum) / n;
    return;
  }
  for (let i = 0; i < n; i++) {
    const own = round.kind === "sparse" ? round.self[i] : round.kind === "circulant" ? round.self : 1 - round.weight;
    y[i] = (round.kind === "matching" && round.partner[i] === i ? 1 : own) * x[i];
  }
  forEachEdge(round, (from, to, weight) => {
    y[from] += weight * x[to];
  });
}

/** W^T sums over groups, goes through A^T and divides by the sizes: in the other order than W. */
function transposedGroups({ groups, weighted }: GroupedRound, x: Float64Array, y: Float64Array): void {
  const sums = new Float64Array(groups.count);
  for (let g = 0; g < groups.count; g++) for (const i of membersOf(groups, g)) sums[g] += x[i];
  const flows = new Float64Array(groups.count);
  applyTransposed(weighted, sums, flows);
  y.set(x);
  for (let g = 0; g < groups.count; g++) for (const i of membersOf(groups, g)) y[i] = flows[g] / sizeOf(groups, g);
}
