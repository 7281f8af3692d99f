/** What simulated runs will cost, from the data and gradients of a few of their nodes. */

import { prepareClassification } from "@equitopo/nn";
import { createProblem, type Problem, type ProblemContext, type RunSpec } from "equitopo";
import { timed } from "../foresee.ts";

export interface Foreseen {
  readonly seconds: number;
  readonly bytes: number;
}

/** Of runs one after another on one core: the data and gradients of a few nodes, times all nodes and updates. */
export function foreseenRuns(runs: readonly RunSpec[], context: ProblemContext, held = arrayBytes): Foreseen {
  const known = new Map<string, OneNode>();
  const costs = runs.map((run) => {
    const { seed: _, ...problem } = run.problem;
    const key = JSON.stringify(problem);
    const node = known.get(key) ?? ofOneNode(run, context, held);
    known.set(key, node);
    const { n } = run.problem;
    const evaluations = run.evaluate === undefined ? 0 : Math.ceil(run.rounds / run.evaluate);
    const seconds = n * (run.rounds * node.seconds + evaluations * node.evaluation);
    return { seconds, bytes: n * node.bytes };
  });
  return {
    seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: Math.max(...costs.map(({ bytes }) => bytes)),
  };
}

/** Seconds of a gradient and of an evaluation, and bytes of data and rows. */
interface OneNode extends Foreseen {
  readonly evaluation: number;
}

/** So many tries at the most, and no other once they have taken so many seconds. */
const [TRIES, PATIENCE] = [3, 1];

/** Garbage that is collected during a try makes its bytes too low, and nothing makes them too high: the largest count. */
function ofOneNode(run: RunSpec, context: ProblemContext, held: () => number): OneNode {
  let best: OneNode | undefined;
  for (let tries = 0, spent = 0; tries < TRIES && spent < PATIENCE; tries++) {
    spent += timed(() => {
      const one = tryOneNode(run, context, held);
      const { seconds, evaluation } = best !== undefined && best.seconds < one.seconds ? best : one;
      best = { seconds, evaluation, bytes: Math.max(one.bytes, best?.bytes ?? 0) };
    });
  }
  return best!;
}

/** From a few nodes, so that what all share weighs little. */
function tryOneNode({ problem: spec, type }: RunSpec, context: ProblemContext, held: () => number): OneNode {
  const count = Math.min(spec.n, Math.max(8, Math.ceil(spec.n / 1000)));
  const before = held();
  const problem: Problem = createProblem(spec, { ...context, first: 0, count });
  try {
    const rows = () => (type === "float32" ? new Float32Array(count * problem.d) : new Float64Array(count * problem.d));
    const [x, out] = [rows(), rows()];
    const gradient = () => problem.gradient(x as never, 0, out as never, 0, count);
    gradient();
    const seconds = Math.min(timed(gradient), timed(gradient)) / count;
    // Models, gradients, what is mixed and what an algorithm keeps: about six rows a node, of which two are here.
    const bytes = Math.max(0, held() - before) / count + 4 * problem.d * x.BYTES_PER_ELEMENT;
    return { seconds, bytes, evaluation: seconds * evaluationGradients(spec, context) };
  } finally {
    problem.close?.();
  }
}

/** Gradients that an evaluation is worth at each node: a network tries its tests without going back through them. */
function evaluationGradients(spec: RunSpec["problem"], context: ProblemContext): number {
  if (spec.name !== "classification") return 0;
  const { name: _, ...options } = spec;
  const { test, settings } = prepareClassification(options as never, { ...context, first: 0, count: 1 });
  const tried = settings.try === "all" ? test.count : test.count / spec.n;
  return tried / (3 * settings.batch);
}

/** Bytes of arrays, which are most of what a run holds. */
const arrayBytes = () => process.memoryUsage().external;
