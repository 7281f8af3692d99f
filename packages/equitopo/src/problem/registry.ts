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
export function createProblem(spec: ProblemSpec, context: ProblemContext = {}): Problem {
  return buildProblem(problems.get(spec.name), spec, context);
}

/** The problem that a spec describes as one of this family, registered or not. */
export function buildProblem(family: ProblemFamily, spec: ProblemSpec, context: ProblemContext = {}): Problem {
  return family.create(settled(family, spec), context);
}

/** Refuses what createProblem would refuse, without drawing everybody's data; says how many updates an epoch has. */
export function checkProblem(spec: ProblemSpec, context: ProblemContext = {}): { readonly epoch?: number } {
  const family = problems.get(spec.name);
  const options = settled(family, spec);
  return family.check?.(options, context) ?? family.create({ ...options, n: 1 }, context);
}

function settled(family: ProblemFamily, { name, ...options }: ProblemSpec) {
  const n = integer("n", options["n"], 1);
  const settled = settle(name, family.options, options, ["n"]) as Record<string, unknown>;
  requireArrays(settled["d"], settled["K"] ?? settled["L"]);
  return { ...settled, n };
}

/** The data of one node must fit into arrays: said before minutes go by in drawing what then has no room. */
function requireArrays(d: unknown, samples: unknown): void {
  const numbers = typeof d === "number" ? d * (typeof samples === "number" ? samples : 1) : 0;
  if (numbers <= 2 ** 30) return;
  throw new InputError("a node has at most 2^30 numbers, d times its samples", numbers, "try fewer of either");
}
