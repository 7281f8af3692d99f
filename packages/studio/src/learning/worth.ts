/** What models are worth: the problem's own evaluation, as the simulator does it, wherever they were trained. */

import { kernelMixer, type Problem } from "equitopo";
import type { Rows } from "equitopo/round";
import { averager } from "equitopo/run";

export interface Worth {
  /** Of the averaged model, on all test points. */
  readonly averagedAccuracy: number;
  /** Of the nodes' own models: their mean, the worst, and each. */
  readonly meanAccuracy: number;
  readonly worstAccuracy: number;
  readonly accuracies: Float32Array;
}

/** A function from models after so many updates to their worth. O(n test points) forward passes. */
export function evaluator({ evaluation, n }: Problem): (x: Rows, updates: number) => Worth {
  if (evaluation === undefined) throw new Error("classification has an evaluation");
  const average = averager(kernelMixer(n));
  return (x, updates) => {
    const tally = evaluation.tally(x, updates, 0, n, true);
    let step = tally.next();
    while (!step.done) step = tally.next(step.value.map(average));
    const { averagedAccuracy, meanAccuracy, worstAccuracy } = evaluation.summarise(step.value);
    const accuracies = Float32Array.from(step.value, ({ accuracy }) => accuracy);
    return { averagedAccuracy, meanAccuracy, worstAccuracy, accuracies };
  };
}
