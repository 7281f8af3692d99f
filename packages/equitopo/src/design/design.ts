/**
 * A designed circulant W = self I + sum_j weights[j] P^(shifts[j]), from the support that a search found: its best weights,
 * its exact rate, and the certificate that the weights are best and how far any other design could go.
 */

import { mod, mulMod } from "../number/integers.ts";
import { rootOfUnity } from "../number/roots.ts";
import { circulantExtremes } from "../rate/circulant.ts";
import { Modes } from "../rate/modes.ts";
import type { Circulant } from "../round/circulant.ts";
import { designBound } from "./bounds.ts";
import { type Multiplier, Waves } from "./spectrum.ts";
import { GRAIN, type Question, weightedShifts } from "./support.ts";
import { WeightOptimiser } from "./weights.ts";

/** What can be checked of a design without searching anew. */
export interface DesignCertificate {
  /** A k with |lambda_k| = rate. */
  readonly frequency: number;
  /** y_k on few frequencies, sum |y_k| = 1, for lambda_k = sum_j w_j exp(-2 pi i k u_j / n). */
  readonly multipliers: readonly Multiplier[];
  /** The least over the support of g(u) = Re sum_k conj(y_k) exp(-2 pi i k u / n): no weights on these shifts go below it. */
  readonly supportBound: number;
  /** What `bound` is. */
  readonly boundName: "Welch" | "moments";
  /** Whether all supports were weighed: then no circulant of that degree is better. */
  readonly proved: boolean;
}

export interface Design {
  readonly n: number;
  readonly directed: boolean;
  /** The own weight. */
  readonly self: number;
  /** Ascending, in [1, n). */
  readonly shifts: readonly number[];
  readonly weights: readonly number[];
  readonly rate: number;
  /** No circulant of that degree has a lower rate. */
  readonly bound: number;
  readonly certificate: DesignCertificate;
}

/**
 * The design on a support, given by its columns (search.ts). Directed, the shift of the largest weight becomes the own one:
 * |lambda_k| does not change when all shifts move together, and what is not sent cannot be lost. O(n K) a step of weights.
 */
export function designOn(question: Question, columns: ArrayLike<number>, proved = false): Design {
  const { n, directed } = question;
  const optimiser = new WeightOptimiser(new Waves(n, directed), columns.length);
  const ordered = ownFirst(question, columns, optimiser);
  optimiser.optimise(ordered, 1e-11);
  const { self, shifts, weights } = rounded(question, ordered, optimiser.weights);
  const multipliers = optimiser.multipliers().map(({ k, re, im }) => ({ k, re, im: 0 - im }));
  const { value, name } = designBound(question);
  const { rate, frequency } = attained({ n, self, shifts, weights });
  const proof = { supportBound: supportBound(n, shifts, multipliers), boundName: name, proved };
  return { n, directed, self, shifts, weights, rate, bound: value, certificate: { frequency, multipliers, ...proof } };
}

/** min over the support, 0 included, of g(u): what the multipliers prove of every weighting of it. O(K x multipliers). */
export function supportBound(n: number, shifts: ArrayLike<number>, multipliers: readonly Multiplier[]): number {
  const root = new Float64Array(2);
  const total = multipliers.reduce((sum, { re, im }) => sum + Math.sqrt(re * re + im * im), 0);
  let least = Number.POSITIVE_INFINITY;
  for (let j = -1; j < shifts.length; j++) {
    let g = 0;
    for (const { k, re, im } of multipliers) {
      rootOfUnity(mulMod(k, j < 0 ? 0 : shifts[j], n), n, root);
      g += re * root[0] - im * root[1];
    }
    least = Math.min(least, g / total);
  }
  return multipliers.length === 0 ? 0 : least;
}

/** max over k != 0 of |lambda_k|, and the smallest k where it is. O(n K). */
export function attained(circulant: Circulant): { rate: number; frequency: number } {
  const values = new Modes(circulant.n).sums(circulant);
  const square = (k: number) => values[2 * k] ** 2 + values[2 * k + 1] ** 2;
  let frequency = 1;
  // Symmetric frequencies differ by rounding only: the first of them stands for all.
  for (let k = 2; 2 * k < values.length; k++) if (square(k) > square(frequency) + 1e-14) frequency = k;
  return { rate: circulantExtremes(circulant).maxModulus, frequency };
}

/** The columns, moved so that the one of the largest weight comes first, as shift 0. */
function ownFirst({ n, directed }: Question, columns: ArrayLike<number>, optimiser: WeightOptimiser): number[] {
  if (!directed) return Array.from(columns);
  optimiser.optimise(columns);
  const heaviest = optimiser.weights.indexOf(Math.max(...optimiser.weights));
  const own = columns[heaviest];
  return Array.from(columns, (u) => mod(u - own, n)).sort((a, b) => a - b);
}

/** Weights of single shifts in multiples of GRAIN, the own one last of all; shifts without weight are left out. */
function rounded(question: Question, columns: readonly number[], weights: Float64Array) {
  const grains = columns.map((u, j): [number, number] => {
    const shared = !question.directed && 2 * u !== question.n;
    return [u, Math.round(weights[j] / GRAIN / (shared ? 2 : 1))];
  });
  const kept = grains.filter(([u, count]) => u !== 0 && count !== 0);
  return weightedShifts(question, kept);
}
