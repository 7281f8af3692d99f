/** Every problem by name. A new one is one file and one line here. */

import { InputError, integer } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { type ByName, type Choice, Registry, type Unwritten } from "../input/registry.ts";
import { leastSquaresFamily } from "./least-squares.ts";
import { logisticFamily } from "./logistic.ts";
import type { Problem, ProblemContext, ProblemFamily } from "./problem.ts";

const members = [leastSquaresFamily, logisticFamily];

/** All of them, in the order of `equitopo list`; open to others. */
export const problems = new Registry<ProblemFamily>("problem", members);

/** The problems by name, for the compiler; a plug-in may declare its own. */
export interface ProblemMembers extends ByName<(typeof members)[number]> {}

/** What a program writes: the name of a problem and its options; in a spec, n is the topology's. */
export type ProblemChoice = Choice<ProblemMembers, { readonly n?: number }>;

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
export function createProblem(spec: ProblemChoice & { readonly n: number }, context?: ProblemContext): Problem;
export function createProblem<N extends string>(spec: Unwritten<ProblemSpec, N>, context?: ProblemContext): Problem;
export function createProblem(spec: ProblemSpec, context: ProblemContext = {}): Problem {
  return buildProblem(problems.get(spec.name), spec, context);
}

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
