/** A problem's evaluation in the simulator: all nodes at once. */

import type { Liars } from "../faults/liars.ts";
import type { Evaluation, Problem } from "../problem/problem.ts";
import type { Rows } from "../round/round.ts";

/** What the problem's evaluation finds, every node's copies averaged as real peers average them. */
export function evaluated(
  problem: Problem,
  x: Rows,
  updates: number,
  last: boolean,
  average: (rows: Rows) => Rows,
  liars?: Liars,
) {
  const evaluation = problem.evaluation as Evaluation;
  const steps = evaluation.tally(x, updates, 0, problem.n, last);
  let step = steps.next();
  while (!step.done) step = steps.next(step.value.map(average));
  return evaluation.summarise(step.value.filter((_, node) => liars?.marks[node] !== 1));
}
