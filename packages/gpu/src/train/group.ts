/**
 * Which runs can be trained together: one network, one data set, one number of nodes and of updates. What may differ are
 * topologies, algorithms, learning rates and seeds. And which runs the device can do at all.
 */

import { type PreparedClassification, prepareClassification } from "@equitopo/nn";
import type { ProblemContext } from "equitopo";
import { createAlgorithm, type Optimiser } from "equitopo/algorithm";
import { InputError } from "equitopo/input";
import type { RunSpec } from "equitopo/run";
import type { Precision } from "../plan/precision.ts";

/** Runs with equal keys go together, as far as they have come equally far. */
export function groupKey({ problem, rounds, every, evaluate, precision }: RunSpec): string {
  const { seed: _, ...rest } = problem;
  return JSON.stringify({ rest, rounds, every, evaluate, precision });
}

/** In what numbers a run computes on the device. */
export const precisionOf = ({ precision }: RunSpec): Precision => precision ?? "float32";

/** How a run's algorithm looks to the device: m = b m + G; X+ = W (X - g m), with W or J. */
export interface DeviceAlgorithm {
  readonly optimiser: Optimiser;
  readonly momentum: number;
  /** An exact average in place of W. */
  readonly mean: boolean;
  /** Whether momenta are part of its state. */
  readonly keepsMomentum: boolean;
}

/** Refuses what the device does not do: another problem, double precision, another algorithm. */
export function requireTrainable(run: RunSpec): void {
  if (run.problem.name !== "classification") {
    throw new InputError("--device gpu trains networks: the problem classification", run.problem.name, "use the CPU");
  }
  if (run.type !== "float32") {
    throw new InputError("a GPU computes in float32", `type: ${run.type}`, "write type: float32, or use the CPU");
  }
  deviceAlgorithm(run, {});
}

export function deviceAlgorithm(
  { algorithm }: RunSpec,
  context: { readonly n?: number; readonly epoch?: number },
): DeviceAlgorithm {
  const optimiser = createAlgorithm(algorithm, context);
  const { name, momentum = 0, order } = optimiser.spec as { name: string; momentum?: number; order?: string };
  const kinds: Readonly<Record<string, Pick<DeviceAlgorithm, "mean" | "keepsMomentum">>> = {
    dsgd: { mean: false, keepsMomentum: false },
    dmsgd: { mean: false, keepsMomentum: true },
    centralised: { mean: true, keepsMomentum: true },
  };
  if (kinds[name] === undefined || order === "combine-then-adapt") {
    throw new InputError(
      `--device gpu has the algorithms ${Object.keys(kinds).join(", ")} (adapt-then-combine)`,
      order === undefined ? name : `${name}, ${order}`,
      "choose one of them, or use the CPU",
    );
  }
  return { optimiser, momentum, ...kinds[name] };
}

/** The problem of every run, those with equal specs prepared once; all over the first one's data. */
export function prepareAll(runs: readonly RunSpec[], context: ProblemContext): PreparedClassification[] {
  const made = new Map<string, PreparedClassification>();
  let first: PreparedClassification | undefined;
  return runs.map(({ problem }) => {
    const key = JSON.stringify(problem);
    const found = made.get(key);
    if (found !== undefined) return found;
    const { name: _, ...options } = problem;
    const own = prepareClassification(options as unknown as Parameters<typeof prepareClassification>[0], context);
    first ??= own;
    const one = overData(own, first);
    made.set(key, one);
    return one;
  });
}

/** The same problem over another one's copy of its data, so that one copy serves all. */
function overData(own: PreparedClassification, first: PreparedClassification): PreparedClassification {
  for (const [mine, its] of [
    [own.holdings.train, first.holdings.train],
    [own.test, first.test],
  ]) {
    if (equal(mine.images, its.images) && equal(mine.labels, its.labels)) continue;
    throw new InputError(
      "runs that are trained together see one data set",
      `${mine.name} of another seed`,
      "give the problem a seed of its own (problem: { seed: 1 }), or run one seed at a time",
    );
  }
  return { ...own, test: first.test, holdings: { ...own.holdings, train: first.holdings.train } };
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
