/** Rounds one after another, as their products are looked at; every topology is such a sequence. */

import { applyRound } from "../round/apply.ts";
import { membersOf, sizeOf } from "../round/groups.ts";
import { forEachEdge, type GroupedRound, type Round, selfWeight } from "../round/round.ts";
import type { Rate } from "./rate.ts";

export interface RoundSequence {
  readonly n: number;
  /** static: one W; periodic: W(t) repeats after `period` rounds (perhaps in another order); random: drawn each round. */
  readonly kind: "static" | "periodic" | "random";
  /** Rounds in one period: 1 when static, undefined when random. */
  readonly period: number | undefined;
  /** Whether every W(t) is symmetric. */
  readonly symmetric: boolean;
  /**
   * Which sums of every W(t) are 1; both (doubly stochastic, the mean is kept) where left out. With "rows" alone nodes
   * agree, on a mean that drifts; with "columns" alone the mean is kept, and push-sum divides the rest out.
   */
  readonly stochastic?: "rows" | "columns";
  /** Rounds from the start of a period after which every node holds the exact mean; undefined where no number is enough. */
  readonly exactAfter?: number;
  /** Random rounds that are drawn together: rounds of two blocks of so many rounds are independent, those of one are not. */
  readonly block?: number;
  /** The rounds 0 .. block - 1 that every block brings, under labels drawn uniformly for each block. */
  readonly labelled?: Pick<RoundSequence, "round" | "pair">;
  /** i.i.d. random rounds that treat all directions alike: E W x = mean x and E |W x|^2 = square |x|^2 for every x of sum 0. */
  readonly moments?: { readonly mean: number; readonly square: number };
  /** i.i.d. random rounds of one shift: which, and how often each comes. */
  readonly draws?: ShiftDraws;
  /** i.i.d. random rounds of pairs at one label difference, turned by a uniform start. */
  readonly turned?: TurnedPairs;
  /** Round t = 0, 1, 2, ... of the whole network. */
  round(t: number): Round;
  /** The exact consensus rate, with the paper's bound where it has one. */
  rate(): Rate;
  /** ||W(m - 1) ... W(0) - J||_2 for m = 1, 2, ..., where it has a closed form. */
  norm?(m: number): number;
  /** What round t does where nodes keep two vectors (CECA): round(t) then only says who hears whom, with weight 1. */
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

/**
 * A round over two vectors a node, x and z: one of them travels, and r, what a node hears of it, is mixed into both:
 *
 *   x <- x.own x + x.heard r,   z <- z.own z + z.heard r.
 *
 * Where nothing is heard x stays, and so does z, unless it keeps nothing of itself (z.own = 0): then it becomes x.
 */
export interface PairWeights {
  readonly sends: "x" | "z";
  readonly x: { readonly own: number; readonly heard: number };
  readonly z: { readonly own: number; readonly heard: number };
}

/** Rounds after which what holds from round 0 on holds again: a period, or rounds that are drawn together. */
export function stretchOf(rounds: Pick<RoundSequence, "period" | "block" | "exactAfter">): number {
  return rounds.period ?? rounds.block ?? rounds.exactAfter ?? 1;
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
  for (let t = 0; period > 1 && t < 4 * period; t++) if (!same(round(t % period), round(t))) return false;
  return true;
}

/** Whether two rounds, or parts of them, hold the same numbers. */
function same(a: unknown, b: unknown): boolean {
  if (a === b || !isObject(a) || !isObject(b)) return a === b;
  if (ArrayBuffer.isView(a)) {
    const [list, other] = [a, b] as unknown as [Float64Array, Float64Array];
    return list.length === other.length && list.every((value, k) => value === other[k]);
  }
  return Object.keys(a).every((key) => same(a[key], b[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Additions that one application of a round takes. */
export function workOf(round: Round): number {
  const { kind, n } = round;
  if (kind === "circulant") return n * (1 + round.shifts.length);
  if (kind === "sparse") return n + round.from.length;
  return 2 * n + (kind === "grouped" ? workOf(round.weighted) : 0);
}

/** y = W^T x. */
export function applyTransposed(round: Round, x: Float64Array, y: Float64Array): void {
  if (round.kind === "grouped") transposedGroups(round, x, y);
  else if (round.kind === "mean" || round.kind === "matching") applyRound(round, x, y);
  else {
    for (let i = 0; i < round.n; i++) y[i] = selfWeight(round, i) * x[i];
    forEachEdge(round, (from, to, weight) => {
      y[from] += weight * x[to];
    });
  }
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
