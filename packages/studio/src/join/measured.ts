/** What a seat can say of its problem after every step, beside its model: its loss, or how steep it still is. */

import { lastLoss } from "@equitopo/nn";
import type { Problem, Rows } from "equitopo";

export interface Measured {
  /** To be run in the problem's place: the same numbers come out of it. */
  readonly problem: Problem;
  /** What `value` is: the loss of the last batch, or the norm of the last gradient. */
  readonly measure: string;
  /** Of the last step; not a number before the first. */
  value(): number;
}

/** O(d) a step where the problem keeps no losses, and nothing where it does. */
export function measured(problem: Problem): Measured {
  const losses = problem.state?.["losses"];
  if (losses !== undefined) return { problem, measure: "Loss", value: () => lastLoss(losses) };
  let norm = Number.NaN;
  const gradient = (x: Rows, t: number, out: Rows, first: number, count: number) => {
    problem.gradient(x, t, out, first, count);
    let sum = 0;
    for (const value of out) sum += value * value;
    norm = Math.sqrt(sum);
  };
  return { problem: { ...problem, gradient }, measure: "Gradient", value: () => norm };
}
