/** Every problem by name. A new one is one file and one line here. */

import { integer } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { Registry } from "../input/registry.ts";
import { leastSquaresFamily } from "./least-squares.ts";
import { logisticFamily } from "./logistic.ts";
import type { Problem, ProblemContext, ProblemFamily } from "./problem.ts";

/** All of them, in the order of `equitopo list`; open to others. */
export const problems = new Registry<ProblemFamily>("problem", [leastSquaresFamily, logisticFamily]);

/** The name of a problem, n, and that problem's options: plain JSON. */
export interface ProblemSpec {
  readonly name: string;
  readonly n: number;
  readonly [option: string]: unknown;
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
  const { member, options } = settled(spec);
  return member.create(options, context);
}

/** Refuses what createProblem would refuse, without drawing everybody's data; says how many updates an epoch has. */
export function checkProblem(spec: ProblemSpec, context: ProblemContext = {}): { readonly epoch?: number } {
  const { member, options } = settled(spec);
  return member.check?.(options, context) ?? member.create({ ...options, n: 1 }, context);
}

function settled({ name, ...options }: ProblemSpec) {
  const member = problems.get(name);
  const n = integer("n", options["n"], 1);
  return { member, options: { ...settle(name, member.options, options, ["n"]), n } };
}
