/**
 * Mean squares of random pairings whose labels are turned by a uniform number of places (OU-EquiDyn). Averaged over the
 * turns, E x x^T of a state stays circulant: n numbers f(d) = E x_i x_(i+d), on which a round W = (1 - w) I + w (pairs)
 * acts as one n x n matrix,
 *
 *   (K f)(d) = mean over i of sum over a, b in {stay, go} of v_a(i) v_b(i + d) f(d + o_b(i + d) - o_a(i)),
 *
 * o being the step to the partner. How often a node that goes up, down or nowhere is d places before another is counted once
 * for every pairing: O(n^2) for each, O(n^3) for the full basis, so n is limited.
 */

import { centre, dot, norm, scale } from "../number/vectors.ts";
import { add, transpose } from "./dense.ts";
import { realSpectrum } from "./fourier.ts";
import type { Gains } from "./gains.ts";
import { GainSquares } from "./gains-dense.ts";
import { combined, type Recursion } from "./recursion.ts";
import type { TurnedPairs } from "./sequence.ts";

/** The largest n: two seconds for a full basis. */
export const TURNED_NODES = 512;

/** K, which acts on second moments. */
function turnedSquare(n: number, pairs: TurnedPairs): Float64Array {
  const w = pairs.weight;
  const square = new Float64Array(n * n);
  // Kinds of nodes: idle, partner v further, partner v back.
  const kinds = new Uint8Array(2 * n);
  const counts = new Float64Array(9);
  for (const { partner, share } of pairs.parts()) {
    const first = partner.findIndex((other, i) => other !== i);
    // The label difference; 0 if no node is paired.
    const v = first < 0 ? 0 : (partner[first] - first + n) % n;
    const steps = [0, v, n - v];
    for (let i = 0; i < n; i++) {
      const step = (partner[i] - i + n) % n;
      kinds[i] = step === 0 ? 0 : step === v ? 1 : 2;
      kinds[i + n] = kinds[i];
    }
    for (let d = 0; d < n; d++) {
      counts.fill(0);
      for (let i = 0, j = d; i < n; i++, j++) counts[3 * kinds[i] + kinds[j]]++;
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          const part = (counts[3 * a + b] * share) / n;
          if (part === 0) continue;
          const [stayA, goA] = a === 0 ? [1, 0] : [1 - w, w];
          const [stayB, goB] = b === 0 ? [1, 0] : [1 - w, w];
          const at = (to: number) => d * n + ((((d + to) % n) + n) % n);
          square[at(0)] += part * stayA * stayB;
          square[at(steps[b])] += part * stayA * goB;
          square[at(-steps[a])] += part * goA * stayB;
          square[at(steps[b] - steps[a])] += part * goA * goB;
        }
      }
    }
  }
  return square;
}

/** The row of E W: the weight of every shift. O(n) for each pairing. */
export function turnedMean(n: number, pairs: TurnedPairs): Float64Array {
  const w = pairs.weight;
  const mean = new Float64Array(n);
  for (const { partner, share } of pairs.parts()) {
    for (let i = 0; i < n; i++) {
      const step = (partner[i] - i + n) % n;
      mean[0] += ((step === 0 ? 1 : 1 - w) * share) / n;
      mean[step] += ((step === 0 ? 0 : w) * share) / n;
    }
  }
  return mean;
}

/** Growth is looked at over so many steps, because squares may turn round each other; it stops where it changes less. */
const BLOCK = 32;
const CHANGE = 1e-9;
const MOST_STEPS = 3200;

/** What a round does to second moments and, in the mean, to vectors: K, and E W as a matrix. */
export interface TurnedMaps {
  readonly square: Float64Array;
  readonly mean: Float64Array;
}

export function turnedMaps(n: number, pairs: TurnedPairs): TurnedMaps {
  const row = turnedMean(n, pairs);
  const mean = Float64Array.from({ length: n * n }, (_, at) => row[(Math.floor(at / n) + n - (at % n)) % n]);
  return { square: turnedSquare(n, pairs), mean };
}

/** The row of Pi as a circulant: E x x^T of independent numbers of size 1, without their mean. */
export function turnedUnit(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, d) => (d === 0 ? 1 : 0) - 1 / n);
}

/**
 * The circulants E u_a u_b^T of every two vectors after a step of a recursion in which what is sent goes through so many
 * rounds, each drawn anew. O(n^2) a round.
 */
export function turnedStep(
  maps: TurnedMaps,
  { vectors, stay, mix }: Recursion,
  moments: readonly Float64Array[],
  rounds = 1,
): Float64Array[] {
  const n = moments[0].length;
  const all = Array.from({ length: vectors ** 2 }, (_, at) => [Math.floor(at / vectors), at % vectors]);
  const next: Float64Array[] = [];
  const over = (matrix: Float64Array, weights: readonly number[]) => {
    let image: Float64Array = combined(weights, moments);
    for (let round = 0; round < rounds; round++) image = moved(matrix, image);
    return image;
  };
  for (const [a, b] of all) {
    // The transpose of a circulant is its row backwards.
    if (b < a) {
      next.push(next[b * vectors + a].map((_, d, forwards) => forwards[(n - d) % n]));
      continue;
    }
    const sum = (left: readonly number[], right: readonly number[]) =>
      all.map(([c, d]) => left[a * vectors + c] * right[b * vectors + d]);
    const image = combined(sum(stay, stay), moments);
    // W and its mean are symmetric: it does not matter on which side a mean is taken.
    const once = sum(stay, mix).map((weight, at) => weight + sum(mix, stay)[at]);
    if (once.some((weight) => weight !== 0)) add(image, over(maps.mean, once));
    const twice = sum(mix, mix);
    if (twice.some((weight) => weight !== 0)) add(image, over(maps.square, twice));
    centre(image);
    // The same forwards and backwards: rounding in what cannot be would grow.
    if (a === b) {
      for (let d = 1; 2 * d < n; d++) image[d] = image[n - d] = (image[d] + image[n - d]) / 2;
    }
    next.push(image);
  }
  return next;
}

/**
 * The radius of a recursion in mean square: power iteration on the circulant E u_a u_b^T of every two vectors. O(n^2) a step.
 * It ends where a block of steps changed the radius by so little that it is enough.
 */
export function turnedRadius(
  n: number,
  maps: TurnedMaps,
  recursion: Recursion,
  rounds = 1,
  isEnough = (_radius: number, change: number) => change < CHANGE,
): number {
  const { vectors } = recursion;
  const all = Array.from({ length: vectors ** 2 }, (_, at) => [Math.floor(at / vectors), at % vectors]);
  let moments: Float64Array[] = all.map(() => turnedUnit(n));
  let [growth, before] = [1, 0];
  for (let step = 1; step <= MOST_STEPS; step++) {
    moments = turnedStep(maps, recursion, moments, rounds);
    const size = all.reduce((sum, [a, b], at) => (a === b ? sum + moments[at][0] : sum), 0);
    if (!(size > 1e-280)) return 0;
    for (const moment of moments) scale(moment, 1 / size);
    growth *= size;
    if (step % BLOCK > 0) continue;
    const radius = growth ** (1 / BLOCK);
    if (step > 2 * BLOCK && isEnough(radius, Math.abs(radius - before))) return radius;
    [growth, before] = [1, radius];
  }
  return before;
}

/**
 * Gains: with h the Fourier mode k, E s h^* and E s s^* stay circulant, and |s|^2 settles at
 *
 *   (1 + mu_k)/(1 - mu_k) r_k |h|^2,   r_k = sum over tau >= 1 of (K^tau e_k)(0),   mu_k that of E W,
 *
 * e_k being the row of h h^*: all r_k are one sum over powers of K^T, transformed. undefined where it does not end soon.
 */
export function turnedGains(n: number, pairs: TurnedPairs): Gains | undefined {
  const back = transpose(turnedSquare(n, pairs), n);
  let power = Float64Array.from({ length: n }, (_, d) => (d === 0 ? 1 : 0) - 1 / n);
  const total = new Float64Array(n);
  for (let step = 0; norm(power) > 1e-15; step++) {
    if (step > MOST_STEPS) return undefined;
    power = moved(back, power);
    // What is added to all entries says nothing of vectors of sum 0.
    centre(power);
    add(total, power);
  }
  const mean = realSpectrum(turnedMean(n, pairs));
  const settled = realSpectrum(total);
  const squares = new GainSquares();
  for (let k = 1; 2 * k <= n; k++) {
    const mu = mean[2 * k];
    squares.add(((1 + mu) / (1 - mu)) * settled[2 * k], settled[2 * k], 2 * k === n ? 1 : 2);
  }
  return squares.gains(n);
}

/** A f for an n x n matrix. */
function moved(matrix: Float64Array, f: Float64Array): Float64Array<ArrayBuffer> {
  const n = f.length;
  return f.map((_, d) => dot(matrix.subarray(d * n, (d + 1) * n), f)) as Float64Array<ArrayBuffer>;
}
