/**
 * The disagreement that a rule of local steps settles at, sampled: the rule is followed over windows of the topology's own
 * rounds, with fresh drift at every node before each outer step. After a lead that lets the start be forgotten the squares
 * are averaged; windows are independent of each other, and their spread gives the error. The same numbers every time.
 */

import { InputError } from "../input/input.ts";
import { centre, dot } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { INTERVAL } from "./gains-sampled.ts";
import { driven, type OuterModel } from "./outer-model.ts";
import { advancedOver } from "./recursion.ts";
import { type RoundSequence, workOf } from "./sequence.ts";
import { cycleOf } from "./stability-sampled.ts";

const WINDOWS = 8;
/** Outer steps that are averaged over in a window. */
const LENGTH = 96;
/** Additions in all. */
const MOST_WORK = 2e10;

/** The root of the mean square, as a share of the drift's, of a model that is stable: an outer step leaves `factor`. */
export function sampledDisagreement(topology: RoundSequence, model: OuterModel, factor: number) {
  const { n } = topology;
  const recursion = driven(model);
  const columns = Math.max(1, Math.min(16, Math.floor(16384 / n)));
  // Until a hundredth is left of the start; whole cycles, whose rounds belong together.
  const cycle = cycleOf(topology, model.rounds) / model.rounds;
  const whole = (steps: number) => cycle * Math.ceil(steps / cycle);
  const lead = whole(Math.max(8, Math.ceil(-4.6 / Math.log(Math.min(factor, 1 - 1e-9)))));
  const length = whole(LENGTH);
  const work = workOf(topology.round(0)) * columns * model.rounds * recursion.vectors * WINDOWS * (lead + length);
  if (!(work <= MOST_WORK)) {
    const rule = "a disagreement can be sampled only where the start is forgotten soon";
    throw new InputError(rule, factor, "try a smaller n, or more rounds an outer step");
  }
  const squares = Array.from({ length: WINDOWS }, (_, window) => {
    let state: Float64Array[] = Array.from({ length: recursion.vectors }, () => new Float64Array(n * columns));
    let square = 0;
    for (let step = 0; step < lead + length; step++) {
      const at = window * (lead + length) + step;
      const drift = fillNormal(state[recursion.vectors - 1], 0, streams.gains, at);
      centre(drift, columns);
      const rounds = Array.from({ length: model.rounds }, (_, hop) => topology.round(at * model.rounds + hop));
      state = advancedOver(recursion, rounds, state);
      for (const vector of state) centre(vector, columns);
      if (step >= lead) square += dot(state[0], state[0]) / ((n - 1) * columns * length);
    }
    return square;
  });
  const mean = squares.reduce((sum, square) => sum + square, 0) / WINDOWS;
  const variance = squares.reduce((sum, square) => sum + (square - mean) ** 2, 0) / (WINDOWS - 1);
  const value = Math.sqrt(mean);
  return { value, error: (INTERVAL * Math.sqrt(variance / WINDOWS)) / (2 * value || 1) };
}
