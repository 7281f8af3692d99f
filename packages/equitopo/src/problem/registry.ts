/** Every problem by name. A new one is one file and one line here. */

import { InputError, integer } from "../input/input.ts";
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
export const createProblem = (spec: ProblemSpec, context: ProblemContext = {}): Problem =>
  buildProblem(problems.get(spec.name), spec, context);

/** The problem that a spec describes as one of this family, registered or not. */
export const buildProblem = (family: ProblemFamily, spec: ProblemSpec, context: ProblemContext = {}): Problem =>
  family.create(settled(family, spec), context);

/** Refuses what createProblem would refuse, without drawing the data of all nodes; returns the updates of an epoch. */
export function checkProblem(spec: ProblemSpec, context: ProblemContext = {}): { readonly epoch?: number } {
  const family = problems.get(spec.name);
  const options = settled(family, spec);
  return family.check?.(options, context) ?? family.create({ ...options, n: 1 }, context);
}

function settled(family: ProblemFamily, { name, ...options }: ProblemSpec) {
  const n = integer("n", options["n"], 1);
  const given = { ...settle(name, family.options, options, ["n"]), n };
  // Checked first, because drawing data that does not fit may take minutes.
  const numbers = family.numbersPerNode?.(given) ?? 0;
  if (numbers <= 2 ** 30) return given;
  throw new InputError("the data of a node must have at most 2^30 numbers", numbers, "try fewer samples or dimensions");
}
