/** Every problem by name. A new one is one file and one line here. */

import { integer, oneOf } from "../input/input.ts";
import { leastSquaresFamily } from "./least-squares.ts";
import { logisticFamily } from "./logistic.ts";
import type { Problem, ProblemContext, ProblemFamily } from "./problem.ts";

/** All of them, in the order of `equitopo list`. */
export const problems: readonly ProblemFamily[] = [leastSquaresFamily, logisticFamily];

/** The name of a problem, n, and that problem's options: plain JSON. */
export interface ProblemSpec {
  readonly name: string;
  readonly n: number;
  readonly [option: string]: unknown;
}

/** The problem of that name, or an error that suggests the nearest. */
export function problemFamily(name: string): ProblemFamily {
  const names = problems.map((member) => member.name);
  return problems[names.indexOf(oneOf("problem", name, names))];
}

/**
 * The problem that a spec describes: `{ name, n }` and that problem's options.
 *
 * @example
 * ```ts
 * import { createProblem } from "equitopo";
 * createProblem({ name: "least-squares", n: 17, K: 20, seed: 5 }).d // => 10
 * ```
 */
export function createProblem(spec: ProblemSpec, context: ProblemContext = {}): Problem {
  const { name, ...options } = spec;
  const member = problemFamily(name);
  integer("n", options["n"], 1);
  return member.create(options as { n: number }, context);
}

/** Refuses what createProblem would refuse, without drawing everybody's data; says how many updates an epoch has. */
export function checkProblem(spec: ProblemSpec, context: ProblemContext = {}): { readonly epoch?: number } {
  const { name, ...options } = spec;
  const member = problemFamily(name);
  integer("n", options["n"], 1);
  return member.check?.(options as { n: number }, context) ?? member.create({ ...options, n: 1 }, context);
}
