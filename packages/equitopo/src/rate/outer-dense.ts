/**
 * A rule of local steps over any rounds that repeat, from dense matrices. The factor is the spectral radius of all k vectors
 * over a period, O((k n)^3); the disagreement is the sum of the squares of what is left of a drift of 1 at each node, after
 * every later step, put in before each step of the period in turn: O(n edges) a round.
 */

import { dot } from "../number/vectors.ts";
import type { Round } from "../round/round.ts";
import { projection } from "./dense.ts";
import { eigenvalues } from "./eigenvalues.ts";
import { driven, type OuterModel } from "./outer-model.ts";
import { advancedOver, type Recursion } from "./recursion.ts";

/** Numbers that may be added up for a disagreement: a second or so. */
const MOST_WORK = 1e9;
/** Sums are looked at over so many periods. */
const BLOCK = 16;

/** The rounds of every outer step of a cycle. */
export type OuterSteps = readonly (readonly Round[])[];

/** What a step leaves in the long run. */
export function denseFactor(steps: OuterSteps, recursion: Recursion): number {
  const { n } = steps[0][0];
  const { vectors } = recursion;
  const size = vectors * n;
  // Row i of vector a holds what becomes of its entry i, for every unit start.
  let state = Array.from({ length: vectors }, (_, a) => {
    return Float64Array.from({ length: n * size }, (_, at) => {
      const [i, j] = [Math.floor(at / size), (at % size) - a * n];
      return j < 0 || j >= n ? 0 : (i === j ? 1 : 0) - 1 / n;
    });
  });
  for (const rounds of steps) state = advancedOver(recursion, rounds, state);
  const matrix = new Float64Array(size * size);
  state.forEach((rows, a) => {
    matrix.set(rows, a * n * size);
  });
  const { re, im } = eigenvalues(matrix, size);
  const most = re.reduce((largest, x, k) => Math.max(largest, x * x + im[k] * im[k]), 0);
  return most ** (0.5 / steps.length);
}

/** The mean square, as a share of the drift's; of a model that is stable. undefined where that takes too long. */
export function denseSquare(steps: OuterSteps, model: OuterModel): number | undefined {
  const { n } = steps[0][0];
  const recursion = driven(model);
  const { vectors } = recursion;
  const most = Math.ceil(MOST_WORK / (steps.length * steps.length * model.rounds * vectors * vectors * n * n));
  let sum = 0;
  for (let start = 0; start < steps.length; start++) {
    let state = Array.from({ length: vectors }, (_, a) =>
      a === vectors - 1 ? projection(n) : new Float64Array(n * n),
    );
    let [part, added, before, ratio] = [0, 0, 0, 0];
    for (let period = 0; ; period++) {
      for (let step = 0; step < steps.length; step++) {
        state = advancedOver(recursion, steps[(start + step) % steps.length], state);
        added += dot(state[0], state[0]);
      }
      if (period % BLOCK < BLOCK - 1) continue;
      part += added;
      // Rounding does not shrink further.
      if (added < 1e-12 * part || added < 1e-24) {
        sum += part;
        break;
      }
      const now = before > 0 ? added / before : 1;
      const rest = now < 1 ? (added * now) / (1 - now) : Infinity;
      if (rest < 1e-9 * part || (now < 1 && Math.abs(now - ratio) < 1e-6 * (1 - now))) {
        sum += part + rest;
        break;
      }
      if (period > most) return undefined;
      [before, ratio, added] = [added, now, 0];
    }
  }
  return sum / (steps.length * (n - 1));
}
