/** How large what peers send each other can get in the runs of a spec: for memory made beforehand, and to refuse more. */

import { createAlgorithm } from "../../algorithm/registry.ts";
import type { ProblemContext } from "../../problem/problem.ts";
import { createProblem } from "../../problem/registry.ts";
import type { RunSpec } from "../../run/spec.ts";
import { gatherBytes } from "./meeting.ts";
import { offerBytes } from "./opening.ts";
import { trackingStates } from "./repair.ts";

export interface Largest {
  readonly bytes: number;
  /** Different vectors that go in one exchange. */
  readonly vectors: number;
}

/**
 * Of all runs, with an audit among them or not. Makes each problem for one node: O(its data).
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { largestSent } from "equitopo/peer";
 * const runs = expandSpec({
 *   topologies: [{ name: "ring", n: 3 }],
 *   algorithms: [{ name: "dsgt", learningRate: 0.01 }],
 *   problem: { name: "least-squares", d: 10 },
 * });
 * largestSent(runs) // => { bytes: 225, vectors: 3 }
 * ```
 */
export function largestSent(runs: readonly RunSpec[], context: ProblemContext = {}, audit?: number): Largest {
  // What all bring to the opening meeting; a model may be smaller.
  let bytes = gatherBytes(Math.max(1, ...runs.map((run) => run.problem.n)), offerBytes);
  let vectors = 2;
  for (const { problem: spec, algorithm, type } of runs) {
    const problem = createProblem(spec, { first: 0, count: 1, ...context });
    const { sends, algorithm: made } = createAlgorithm(algorithm, problem);
    const size = type === "float64" ? 8 : 4;
    // An evaluation sends a weight beside the models; a code that keeps nearly all is longer than what it stands for.
    bytes = Math.max(bytes, (problem.d + 1) * size, sends.compressed?.(problem.d, size) ?? 0);
    // Where trackers are repaired one more goes with them.
    const more = (sends.scalars === undefined ? 0 : 1) + (trackingStates(made) === undefined ? 0 : 1);
    vectors = Math.max(vectors, Math.ceil(sends.vectors) + more);
    problem.close?.();
  }
  return { bytes, vectors: vectors + (audit === undefined ? 0 : 1) };
}
