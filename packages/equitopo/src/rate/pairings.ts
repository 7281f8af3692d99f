/**
 * Mean squares of random pairings whose labels are turned by a uniform number of places (OU-EquiDyn). Averaged over the
 * turns, E x x^T of a state stays circulant: n numbers f(d) = E x_i x_(i+d), on which a round V = (1 - w) I + w (pairs)
 * acts as one n x n matrix,
 *
 *   (K f)(d) = mean over i of sum over a, b in {stay, go} of v_a(i) v_b(i + d) f(d + o_b(i + d) - o_a(i)),
 *
 * o being the step to the partner. How often a node that goes up, down or nowhere is d places before another is counted once
 * for every pairing: O(n^2) for each, O(n^3) for the full basis, so n is limited.
 */

import { centre, dot } from "../number/vectors.ts";
import type { TurnedPairs } from "./sequence.ts";

/** The largest n: two seconds for a full basis. */
export const TURNED_NODES = 512;

/** K for second moments of pairs that exchange with weight w. */
function turnedSquare(n: number, pairs: TurnedPairs, w: number): Float64Array {
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

/** The row of E V: the weight of every shift. O(n) for each pairing. */
export function turnedMean(n: number, pairs: TurnedPairs, w: number): Float64Array {
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

/** The radius of x+ = V(2x - y), y+ = x in mean square: power iteration on E x x^T, E x y^T and E y y^T. O(n^2) a step. */
export function turnedRadius(n: number, pairs: TurnedPairs, w: number): number {
  const square = turnedSquare(n, pairs, w);
  const mean = turnedMean(n, pairs, w);
  let xx = Float64Array.from({ length: n }, (_, d) => (d === 0 ? 1 : 0) - 1 / n);
  let xy = xx.slice();
  let yy = xx.slice();
  let [growth, before] = [1, 0];
  for (let step = 1; step <= MOST_STEPS; step++) {
    // phi = 2x - y: E phi phi^T and E phi x^T; the transpose of a circulant is its row backwards.
    const back = (d: number) => xy[d === 0 ? 0 : n - d];
    const phi = xx.map((value, d) => 4 * value - 2 * (xy[d] + back(d)) + yy[d]);
    const cross = xx.map((value, d) => 2 * value - back(d));
    const next = xx.map((_, d) => dot(square.subarray(d * n, (d + 1) * n), phi));
    xy = convolved(mean, cross, n);
    yy = xx;
    xx = next;
    centre(xx);
    centre(xy);
    // The same forwards and backwards: rounding in what cannot be would grow.
    for (let d = 1; 2 * d < n; d++) {
      xx[d] = (xx[d] + xx[n - d]) / 2;
      xx[n - d] = xx[d];
    }
    const size = xx[0] + yy[0];
    if (!(size > 1e-280)) return 0;
    for (const f of [xx, xy, yy]) for (let d = 0; d < n; d++) f[d] /= size;
    growth *= size;
    if (step % BLOCK > 0) continue;
    const radius = growth ** (1 / BLOCK);
    if (step > 2 * BLOCK && Math.abs(radius - before) < CHANGE) return radius;
    [growth, before] = [1, radius];
  }
  return before;
}

/** The circulant of E V times that of f: sum over steps s of mean[s] f(d - s). */
function convolved(mean: Float64Array, f: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(n);
  for (let s = 0; s < n; s++) {
    if (mean[s] === 0) continue;
    for (let d = 0, at = s === 0 ? 0 : n - s; d < n; d++, at = at + 1 < n ? at + 1 : 0) out[d] += mean[s] * f[at];
  }
  return out;
}
