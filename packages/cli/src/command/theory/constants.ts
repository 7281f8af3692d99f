/** The constants of a problem that a person named or wrote into a spec: estimated, and put into words. */

import { createProblem, createTopology, expandSpec } from "equitopo";
import { type EstimatedConstants, estimateConstants } from "equitopo/theory";
import { problems } from "../../input/problems.ts";
import { contextOf } from "../../run/context.ts";
import { readSpecFile } from "../../spec-file.ts";
import { showCount } from "../../terminal/numbers.ts";
import { requireN } from "../../topology/options.ts";

/** Of a problem by its name, over n nodes, or of the first run of a spec file. */
export async function estimated(problem: string, n: number | undefined) {
  if (problems.has(problem) || !/\.[a-z]+$/i.test(problem)) {
    const made = createProblem({ name: problem, n: requireN({ n }) });
    return { ...inWords(problem, made.n, estimateConstants(made)), topology: undefined };
  }
  const context = contextOf({});
  const [run] = expandSpec(await readSpecFile(problem), context);
  const topology = createTopology(run.topology);
  const made = createProblem(run.problem, context);
  try {
    return { ...inWords(run.problem.name, topology.n, estimateConstants(made)), topology };
  } finally {
    made.close?.();
  }
}

/** Words and JSON say the same, for people and for programs. */
function inWords(name: string, n: number, constants: EstimatedConstants) {
  const { sigma, b, L, mu, kappa, method, error } = constants;
  const number = (value: number) => String(Number(value.toPrecision(4)));
  const how =
    method === "exact"
      ? "exact, at its solution"
      : `estimated where gradient descent arrives, L within ${number(error?.L ?? 0)}, mu within ${number(error?.mu ?? 0)}`;
  const values = Object.entries({ sigma, b, L, mu, kappa }).map(([key, value]) => `${key} = ${number(value)}`);
  return {
    ...{ n, constants },
    words: [`${name} over ${showCount(n)} nodes: ${values.join(", ")}`, `(${how})`],
    // JSON knows no Infinity: null is none.
    json: { name, n, ...constants, kappa: Number.isFinite(kappa) ? kappa : null },
  };
}
