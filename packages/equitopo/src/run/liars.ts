/**
 * The keys `liars` and `attack` among a spec's faults: who of a run lies, and how. Metrics and evaluations are then those of
 * the honest nodes alone; the rows of liars are in the result, and count for nothing.
 */

import type { Optimiser } from "../algorithm/registry.ts";
import { type Liars, liarsAmong } from "../faults/liars.ts";
import { InputError } from "../input/input.ts";
import type { ProblemContext } from "../problem/problem.ts";
import { problems } from "../problem/registry.ts";
import type { RunSpec } from "./spec.ts";

type Lying = Pick<RunSpec, "faults" | "seed" | "topology">;

/** The liars of a run; undefined where there are none. */
export function liarsOf({ faults = {}, seed, topology }: Lying): Liars | undefined {
  return liarsAmong(faults, topology.n, seed);
}

/** The context of a run's problem: that of its caller, with the nodes whose labels are wrong. */
export function contextOf(run: Lying, context: ProblemContext): ProblemContext {
  const liars = liarsOf(run);
  return liars?.mislabels ? { ...context, mislabelled: liars.nodes } : context;
}

/** Refuses attacks that an algorithm or a problem has no place for. */
export function requireAttackable(liars: Liars | undefined, optimiser: Optimiser, problem?: string): void {
  if (liars === undefined) return;
  const { name, sends, exchanges } = optimiser;
  if (sends.compressed !== undefined || exchanges.means) {
    throw new InputError(
      "liars lie about rows that are mixed over a topology, uncompressed",
      name,
      "choose an algorithm without compression and exact means, for example dsgd",
    );
  }
  if (liars.mislabels && problem !== undefined && problems.get(problem).mislabels !== true) {
    throw new InputError("label-flip needs a problem with labels", problem, "try the problem classification");
  }
}

/** Refuses what real peers cannot play: an attack for which a liar has to see what honest peers are about to send. */
export function requirePlayable(liars: Liars | undefined): void {
  if (liars === undefined || liars.alone) return;
  throw new InputError(
    "a real peer lies by its own row alone",
    "an attack that sees all honest rows",
    "run it in the simulator, or try sign-flip, large, noise or label-flip",
  );
}
