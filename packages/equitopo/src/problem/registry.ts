/** Every problem by name. A new one is one file and one line here. */

import { oneOf } from "../input.ts";
import { leastSquares } from "./least-squares.ts";
import { logistic } from "./logistic.ts";
import type { Problem } from "./problem.ts";

/** The name of a problem and its options, n among them: plain JSON. */
export interface ProblemSpec {
  readonly name: string;
  readonly [option: string]: unknown;
}

interface ProblemFamily {
  readonly name: string;
  readonly summary: string;
  /** The metric that a figure shows first. */
  readonly metric: string;
  create(options: { n: number }): Problem;
}

export const problems: readonly ProblemFamily[] = [
  {
    name: "least-squares",
    summary: "f_i = 1/2 ||A_i x - b_i||^2 (paper, Appendix D.3)",
    metric: "relativeError",
    create: leastSquares,
  },
  {
    name: "logistic",
    summary: "logistic regression with a non-convex regulariser (paper, Appendix D.4)",
    metric: "gradientNorm",
    create: logistic,
  },
];

/** The problem family of that name, or an error that suggests the nearest. */
export function problemFamily(name: string): ProblemFamily {
  const names = problems.map((member) => member.name);
  return problems[names.indexOf(oneOf("problem", name, names))];
}

/**
 * The problem that a spec describes.
 *
 * @example
 * ```ts
 * import { createProblem } from "equitopo";
 * createProblem({ name: "least-squares", n: 17, d: 5 }).d // => 5
 * ```
 */
export function createProblem(spec: ProblemSpec): Problem {
  const { name, ...options } = spec;
  return problemFamily(name).create(options as { n: number });
}
