/**
 * Which runs can be trained together: one network, one data set, one number of nodes and of updates, and algorithms that do
 * the same to their rows. Topologies, learning rates, momenta, means in place of rounds, and seeds may differ.
 * And which runs the device can do at all.
 */

import { type PreparedClassification, prepareClassification } from "@equitopo/nn";
import type { ProblemContext } from "equitopo";
import { createAlgorithm } from "equitopo/internal/algorithm";
import { InputError } from "equitopo/internal/input";
import { featuresOf, type RunSpec, requireFeatures } from "equitopo/internal/run";
import { createTopology } from "equitopo/internal/topology";
import { type Gpu, requireMatrices } from "../device/adapter.ts";
import type { Precision } from "../plan/precision.ts";
import { mostReplicas } from "../plan/size.ts";
import { Script, textOf } from "./script.ts";

/**
 * Runs with equal keys are trained together if they have done equally many updates: they do the same to their rows in every
 * iteration. The numbers that passes take (learning rates, momenta) and the rounds may differ from run to run.
 */
export function groupKey(run: RunSpec): string {
  const { problem, rounds, every, evaluate, algorithm, precision } = run;
  const { seed: _, ...rest } = problem;
  const { exchanges } = createAlgorithm(algorithm);
  return JSON.stringify({ rest, rounds, every, evaluate, precision, exchanges, done: rehearsed(run) });
}

export const precisionOf = ({ precision }: RunSpec): Precision => precision ?? "float32";

/** Refuses what the device does not do, an algorithm that works on numbers itself included. */
export function requireTrainable(run: RunSpec): void {
  requireFeatures("gpu", featuresOf(run));
  rehearsed(run);
}

/** Refuses runs in mixed precision that the adapter or their network cannot do; opens each network's data once. */
export function requireMixed(gpu: Gpu, runs: readonly RunSpec[], context: ProblemContext): void {
  const mixed = runs.filter((run) => precisionOf(run) === "mixed");
  if (mixed.length === 0) return;
  requireMatrices(gpu);
  const networks = new Map(mixed.map((run) => [JSON.stringify([run.problem["model"], run.problem["data"]]), run]));
  // Planning a network refuses its layers that have no kernel over halves.
  for (const { model } of prepareAll([...networks.values()], context)) mostReplicas(gpu, model, 1, "mixed");
}

/** Iterations from which one sees what an algorithm does when, beside those of its first exchanges. */
const REHEARSED = 16;

/** What a run's first iterations do; refuses an algorithm that the device cannot do. */
function rehearsed({ algorithm, topology }: RunSpec): string[] {
  const optimiser = createAlgorithm(algorithm);
  const { every = 1 } = optimiser.exchanges;
  const script = new Script(optimiser, createTopology(topology), () => 1);
  const first = Array.from({ length: REHEARSED }, (_, t) => t);
  return [textOf(script.opening), ...[...first, every - 1, every, 2 * every - 1].map((t) => textOf(script.iterate(t)))];
}

/** The problem of every run, those with equal specs prepared once; all over the first one's data. */
export function prepareAll(runs: readonly RunSpec[], context: ProblemContext): PreparedClassification[] {
  const made = new Map<string, PreparedClassification>();
  return runs.map(({ problem }) => {
    const key = JSON.stringify(problem);
    const found = made.get(key);
    if (found !== undefined) return found;
    const { name: _, ...options } = problem;
    const own = prepareClassification(options as unknown as Parameters<typeof prepareClassification>[0], context);
    const [first = own] = made.values();
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
    const rule = "runs that are trained together see one data set";
    const remedy = "give the problem a seed of its own (problem: { seed: 1 }), or run one seed at a time";
    throw new InputError(rule, `${mine.name} of another seed`, remedy);
  }
  return { ...own, test: first.test, holdings: { ...own.holdings, train: first.holdings.train } };
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
