/**
 * The exact mean-square rate of random rounds between groups of unequal size (topology/hierarchy.ts): the root of the
 * largest eigenvalue, away from consensus, of E B'B, where with D = S^-1
 *
 *   B = I - c S^-1/2 (I - V) S^-1/2,
 *   E B'B = I - c S^-1/2 (2 I - E V - E V') S^-1/2 + c^2 S^-1/2 (D - D E V - E V' D + E V'D V) S^-1/2.
 *
 * So only E V and E V'D V are needed, exactly, for the three ways in which rounds are drawn:
 * - one shift of a basis: a sum over the shifts;
 * - pairs at one label difference, turned by a uniform start: a sum over differences and starts, O(groups^2) for each;
 * - rounds that treat all labels alike: E v_ka v_kb depends only on which of k, a, b are equal, and follows from the
 *   mean and the mean square of V and the diagonal, which is the same numbers in every round.
 *
 * Then Lanczos iteration on the n nodes, with a certificate; a step costs O(n + groups^2).
 */

import { type Groups, membersOf, sizeOf } from "../round/groups.ts";
import { selfWeight } from "../round/round.ts";
import { type Matrix, transpose } from "./dense.ts";
import { largestEigenpair } from "./lanczos.ts";
import type { Rate } from "./rate.ts";
import type { RoundSequence, ShiftDraws, TurnedPairs } from "./sequence.ts";

/** The most groups for which this is done: the matrices are dense. */
export const MOST_GROUPS = 512;

/** E V, and E V'D V for a diagonal D. */
interface Moments {
  readonly mean: Matrix;
  readonly square: Matrix;
}

/** The rate of random rounds between these groups; exact up to the certificate. O(groups^3) for pairs, O(groups^2) elsewhere. */
export function betweenGroupsRate(groups: Groups, least: number, between: RoundSequence): Rate {
  const { count } = groups;
  const sizes = Float64Array.from({ length: count }, (_, g) => sizeOf(groups, g));
  const inverse = sizes.map((size) => 1 / size);
  const matrix = meanSquare(sizes, least, momentsOf(between, inverse));
  const { value, residual } = largestEigenpair(groups.of.length, (x, y) => {
    const inner = new Float64Array(count);
    for (let g = 0; g < count; g++) {
      for (const i of membersOf(groups, g)) inner[g] += x[i];
      inner[g] /= Math.sqrt(sizes[g]);
    }
    // The iteration itself takes what rounding leaves of the mean away.
    for (let g = 0; g < count; g++) {
      let image = 0;
      for (let h = 0; h < count; h++) image += matrix[g * count + h] * inner[h];
      const each = image / Math.sqrt(sizes[g]);
      for (const i of membersOf(groups, g)) y[i] = each;
    }
  });
  const rate = Math.min(1, Math.sqrt(Math.max(0, value)));
  const error = rate > 0 ? Math.min(residual / rate, Math.sqrt(residual)) : Math.sqrt(residual);
  return { rate, bound: null, method: "certified iteration", error };
}

function meanSquare(sizes: Float64Array, c: number, { mean, square }: Moments): Matrix {
  const count = sizes.length;
  const back = transpose(mean, count);
  const matrix = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      const at = a * count + b;
      const own = a === b ? 1 : 0;
      const first = 2 * own - mean[at] - back[at];
      const second = own / sizes[a] - mean[at] / sizes[a] - back[at] / sizes[b] + square[at];
      matrix[at] = own + (c * c * second - c * first) / Math.sqrt(sizes[a] * sizes[b]);
    }
  }
  return matrix;
}

function momentsOf(between: RoundSequence, inverse: Float64Array): Moments {
  const { draws, turned } = between;
  if (draws !== undefined) return shiftMoments(draws, inverse);
  if (turned !== undefined) return pairMoments(turned, inverse);
  return alikeMoments(between, inverse);
}

/** V = (1 - w) I + w P^s: node k hears k - s. */
function shiftMoments({ weight, shifts, counts }: ShiftDraws, inverse: Float64Array): Moments {
  const n = inverse.length;
  const all = Array.from(counts).reduce((sum, count) => sum + count, 0);
  return heardMoments(weight, inverse, (add) => {
    for (let j = 0; j < shifts.length; j++) {
      for (let k = 0; k < n; k++) add(k, (k - shifts[j] + n) % n, counts[j] / all);
    }
  });
}

/** Every pairing from every start, each with the same share. */
function pairMoments({ weight, parts }: TurnedPairs, inverse: Float64Array): Moments {
  const n = inverse.length;
  return heardMoments(weight, inverse, (add) => {
    for (const { partner, share } of parts()) {
      for (let place = 0; place < n; place++) {
        for (let start = 0; start < n; start++) add((place + start) % n, (partner[place] + start) % n, share / n);
      }
    }
  });
}

/** Rounds in which every node hears one node, or itself if it is idle: `add` says who hears whom, with what probability. */
function heardMoments(
  w: number,
  inverse: Float64Array,
  forEachHeard: (add: (k: number, from: number, share: number) => void) => void,
): Moments {
  const n = inverse.length;
  const mean = new Float64Array(n * n);
  const square = new Float64Array(n * n);
  forEachHeard((k, from, share) => {
    mean[k * n + k] += share * (1 - w);
    mean[k * n + from] += share * w;
    const scaled = share * inverse[k];
    square[k * n + k] += scaled * (1 - w) ** 2;
    square[from * n + from] += scaled * w * w;
    square[k * n + from] += scaled * w * (1 - w);
    square[from * n + k] += scaled * w * (1 - w);
  });
  return { mean, square };
}

/** E v_ka v_kb is one number where k = a = b, one where k is a or b, one where a = b alone, one where all differ. */
function alikeMoments(between: RoundSequence, inverse: Float64Array): Moments {
  const n = inverse.length;
  const { mean: factor, square: kept } = between.moments!;
  const own = Float64Array.from({ length: n }, (_, i) => selfWeight(between.round(0), i));
  const self = (1 + (n - 1) * factor) / n;
  const selfSquare = own.reduce((sum, value) => sum + value * value, 0) / n;
  const link = (1 - self) / (n - 1);
  const mixed = (self - selfSquare) / (n - 1);
  const linkSquare = ((1 + (n - 1) * kept) / n - selfSquare) / (n - 1);
  const apart = n > 2 ? (link - mixed - linkSquare) / (n - 2) : 0;
  const sum = inverse.reduce((total, value) => total + value, 0);
  const mean = new Float64Array(n * n);
  const square = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) {
      const at = a * n + b;
      mean[at] = a === b ? self : link;
      square[at] =
        a === b
          ? inverse[a] * selfSquare + (sum - inverse[a]) * linkSquare
          : (inverse[a] + inverse[b]) * mixed + (sum - inverse[a] - inverse[b]) * apart;
    }
  }
  return { mean, square };
}
