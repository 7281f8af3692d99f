/**
 * Which runs can be trained together: one network, one data set, one number of nodes and of updates, and algorithms that do
 * the same to their rows. What may differ are topologies, learning rates, momenta, means in place of rounds, and seeds.
 * And which runs the device can do at all.
 */

import { type KnownLayer, type PreparedClassification, prepareClassification } from "@equitopo/nn";
import type { ProblemContext } from "equitopo";
import { createAlgorithm } from "equitopo/algorithm";
import { InputError } from "equitopo/input";
import type { RunSpec } from "equitopo/run";
import { createTopology } from "equitopo/topology";
import { type Gpu, requireMatrices } from "../device/adapter.ts";
import { requireHalves } from "../plan/mixed.ts";
import type { Precision } from "../plan/precision.ts";
import { Script, textOf } from "./script.ts";

/**
 * Runs with equal keys go together, as far as they have come equally far: they do the same to their rows in every
 * iteration. Learning rates and momenta are numbers that each brings along; any other option may decide what is done when.
 */
export function groupKey(run: RunSpec): string {
  const { problem, rounds, every, evaluate, algorithm, precision } = run;
  const { seed: _, ...rest } = problem;
  const { name: _name, learningRate: _rate, momentum: _momentum, ...options } = createAlgorithm(algorithm).spec;
  return JSON.stringify({ rest, rounds, every, evaluate, precision, options, first: rehearsed(run) });
}

/** In what numbers a run computes on the device. */
export const precisionOf = ({ precision }: RunSpec): Precision => precision ?? "float32";

/** Refuses what the device does not do: another problem, double precision, an algorithm that works on numbers itself. */
export function requireTrainable(run: RunSpec): void {
  if (run.problem.name !== "classification") {
    throw new InputError("--device gpu trains networks: the problem classification", run.problem.name, "use the CPU");
  }
  if (run.type !== "float32") {
    throw new InputError("a GPU computes in float32", `type: ${run.type}`, "write type: float32, or use the CPU");
  }
  if (run.mode === "async") {
    throw new InputError("asynchronous rounds are done on the CPU", "--device gpu", "leave out --device");
  }
  if (run.robust !== undefined || run.faults?.liars !== undefined) {
    throw new InputError("robust mixing and liars are played on the CPU", "--device gpu", "leave out --device");
  }
  if (createTopology(run.topology).stochastic === "rows") {
    throw new InputError(
      "--device gpu needs rounds whose columns sum to 1: how far others move the mean is not counted there",
      run.topology.name,
      "choose another topology, or use the CPU",
    );
  }
  rehearsed(run);
}

/** Refuses runs in mixed precision that the adapter or their network cannot do; opens each network's data once. */
export function requireMixed(gpu: Gpu, runs: readonly RunSpec[], context: ProblemContext): void {
  const mixed = runs.filter((run) => precisionOf(run) === "mixed");
  if (mixed.length === 0) return;
  requireMatrices(gpu);
  const networks = new Map(mixed.map((run) => [JSON.stringify([run.problem["model"], run.problem["data"]]), run]));
  for (const { model } of prepareAll([...networks.values()], context)) {
    requireHalves(model.layers as readonly KnownLayer[], model.input);
  }
}

/** What a run's first iteration does; refuses an algorithm that the device cannot do. */
function rehearsed({ algorithm, topology }: RunSpec): string {
  const script = new Script(createAlgorithm(algorithm), createTopology(topology), () => 1);
  const [first] = [0, 1].map((t) => textOf(script.iterate(t)));
  return first;
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
