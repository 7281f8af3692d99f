/**
 * The disagreement that a rule of local steps settles at over random pairings whose labels are turned (pairings.ts): the
 * circulants of second moments, with the drift's put in before every step, summed until nothing is added. What is added
 * shrinks by one factor in the end, so that slow sums are completed by it.
 */

import { driven, type OuterModel } from "./outer-model.ts";
import { type TurnedMaps, turnedStep, turnedUnit } from "./pairings.ts";

/** Sums are looked at over so many steps. */
const BLOCK = 32;
const MOST_BLOCKS = 200;

/** The mean square, as a share of the drift's; of a model that is stable. O(n^2) a round. */
export function turnedSquare(n: number, maps: TurnedMaps, model: OuterModel): number {
  const recursion = driven(model);
  const { vectors } = recursion;
  // The drift of one step alone: later ones add the same, so that the sum over all steps is what it settles at.
  let moments = Array.from({ length: vectors ** 2 }, (_, at) =>
    at === vectors ** 2 - 1 ? turnedUnit(n) : new Float64Array(n),
  );
  const share = n / (n - 1);
  let [sum, before, ratio] = [0, 0, 0];
  for (let block = 0; block < MOST_BLOCKS; block++) {
    let added = 0;
    for (let step = 0; step < BLOCK; step++) {
      moments = turnedStep(maps, recursion, moments, model.rounds);
      added += share * moments[0][0];
    }
    sum += added;
    // Rounding does not shrink further.
    if (added < 1e-12 * sum || added < 1e-24) return sum;
    const now = before > 0 ? added / before : 1;
    const rest = now < 1 ? (added * now) / (1 - now) : Infinity;
    // What is still to come is nothing, or known well enough.
    if (rest < 1e-9 * sum || (Math.abs(now - ratio) < 1e-6 * (1 - now) && now < 1)) return sum + rest;
    [before, ratio] = [added, now];
  }
  return before > 0 && ratio < 1 ? sum + (before * ratio) / (1 - ratio) : Infinity;
}
