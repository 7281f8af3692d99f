/** One run of a spec, from names to numbers: what a worker does, and what a report shows. */

import { InputError } from "../input/input.ts";
import { stateHash } from "../number/hash.ts";
import type { ProblemContext } from "../problem/problem.ts";
import { createProblem, problems } from "../problem/registry.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { Rows } from "../round/round.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";
import { asyncMode } from "./async/mode.ts";
import { contextOf, liarsOf } from "./liars.ts";
import type { Curves } from "./record.ts";
import { type SimulationOptions, type SimulationRecord, simulate, simulateAsync } from "./simulate.ts";
import type { RunSpec } from "./spec.ts";

/** Entry k of each list belongs to `updates[k]` updates done. Plain JSON. */
export interface RunResult {
  readonly label: string;
  readonly seed: number;
  readonly topology: string;
  readonly algorithm: string;
  /** The exact consensus rate, and the geometric mean over a period where there is one. */
  readonly rate: number;
  readonly periodRate?: number;
  readonly degree: number;
  readonly updates: readonly number[];
  readonly metrics: Curves;
  /** The problem's evaluations, where it has any; each of their updates is among those above. */
  readonly evaluations?: { readonly updates: readonly number[]; readonly metrics: Curves };
  /** The metric that the problem is about. */
  readonly metric: string;
  /** Sent so far by the node that sent most. */
  readonly bytes: readonly number[];
  readonly messages: readonly number[];
  /** Of communication, under the latency model. */
  readonly seconds: readonly number[];
  /** Over a hierarchy: bytes sent to other groups so far by the group that sent most, that is, between machines. */
  readonly between?: readonly number[];
  /** Over topologies whose columns do not sum to 1: how far mixing alone moved the mean of the models, when simulated. */
  readonly meanDrift?: number;
  /** Nodes that lied: metrics and evaluations are those of the others. */
  readonly liars?: readonly number[];
  /** SHA-256 of the final rows' bytes: equal wherever the run is repeated. */
  readonly stateHash: string;
  /** Where another device than the CPU computed: its name, and in what precision. */
  readonly device?: { readonly name: string; readonly precision: "float32" | "mixed" };
}

/** What was recorded of a run. */
type Recorded = Pick<RunResult, "updates" | "metrics" | "evaluations">;

/**
 * The number of updates after which a run was first recorded beyond all numbers, or undefined where it never was: a step
 * too large for its problem. O(what was recorded).
 *
 * @example
 * ```ts
 * import { expandSpec, runSpec } from "equitopo";
 * import { divergedAt } from "equitopo/run";
 * const result = (learningRate: number) =>
 *   runSpec(expandSpec({
 *     topologies: [{ name: "ring", n: 5 }],
 *     algorithms: [{ name: "dsgd", learningRate }],
 *     problem: { name: "least-squares" },
 *     rounds: 200,
 *   })[0]);
 * divergedAt(result(1e-3)) // => undefined
 * divergedAt(result(1000))! < 200 // => true
 * ```
 */
export function divergedAt({ updates, metrics, evaluations }: Recorded): number | undefined {
  // JSON has no infinity: what comes from a file is null there.
  const beyond = (value: number | null | undefined) => value !== undefined && !Number.isFinite(value);
  // What was no number from the start on (a loss before the first update, an accuracy that nobody tried) has not diverged.
  const lost = (values: readonly number[], k: number) =>
    beyond(values[k]) && values.slice(0, k).some((value) => !beyond(value));
  const first = (at: readonly number[], lists: Curves) =>
    at.find((_, k) => Object.values(lists).some((values) => lost(values, k)));
  const found = [first(updates, metrics), evaluations && first(evaluations.updates, evaluations.metrics)];
  const known = found.filter((update) => update !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

export interface RunOptions
  extends Pick<SimulationOptions, "signal" | "onProgress" | "onEvaluation" | "saved" | "keep"> {
  /** Files of data sets and threads, where the problem has use for them. */
  readonly context?: ProblemContext;
  /** Files that the problem leaves at the end (a trained model), by name. */
  readonly onFile?: (name: string, bytes: Uint8Array) => void;
}

/**
 * Does the run. The same spec gives the same result, to the last bit, anywhere.
 *
 * @example
 * ```ts
 * import { expandSpec, runSpec } from "equitopo";
 * const [run] = expandSpec({
 *   topologies: [{ name: "ou-equidyn", n: 17 }],
 *   algorithms: [{ name: "dsgt", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 *   rounds: 50,
 * });
 * const result = runSpec(run);
 * result.metrics.relativeError.length // => 51
 * result.stateHash === runSpec(run).stateHash // => true
 * ```
 */
export function runSpec(run: RunSpec, options: RunOptions = {}): RunResult {
  const setting = settingOf(run, options);
  try {
    return handOver(run, options, setting, simulate(setting));
  } finally {
    setting.problem.close?.();
  }
}

/** The same result, with the event loop let in now and then, so that timers run and the signal can be aborted. */
export async function runSpecAsync(run: RunSpec, options: RunOptions = {}): Promise<RunResult> {
  const setting = settingOf(run, options);
  try {
    return handOver(run, options, setting, await simulateAsync(setting));
  } finally {
    setting.problem.close?.();
  }
}

function settingOf(run: RunSpec, { context = {}, ...options }: RunOptions): SimulationOptions {
  requireOwnPrecision(run);
  const topology = createTopology(run.topology);
  const mode = asyncMode(run);
  return defined({
    ...(mode === undefined ? {} : { async: { ...mode, type: run.type } }),
    ...{ topology, problem: createProblem(run.problem, contextOf(run, context)), algorithm: run.algorithm },
    ...{ rounds: run.rounds, seed: run.seed, every: run.every, mixer: kernelMixer(topology.n, run.type) },
    ...{ evaluate: run.evaluate, latency: run.latency, faults: run.faults, robust: run.robust, ...options },
  }) as SimulationOptions;
}

/** Refuses what only a GPU computes. */
export function requireOwnPrecision({ precision }: RunSpec): void {
  if (precision === undefined) return;
  throw new InputError(
    "only a GPU computes in another precision",
    precision,
    "add --device gpu, or leave out precision",
  );
}

/** What must be the same for a run to go on from where another one stood: all but the number of its updates. */
export function runIdentity({ rounds: _, ...run }: RunSpec): string {
  return JSON.stringify(run);
}

/** Without the entries that were left out. */
function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function handOver(
  run: RunSpec,
  { onFile }: RunOptions,
  { topology, problem }: SimulationOptions,
  record: SimulationRecord,
): RunResult {
  for (const [name, file] of Object.entries(problem.files?.(record.x) ?? {})) onFile?.(name, file);
  return resultOf(run, topology, record, record.x);
}

type Measured = Recorded & Pick<RunResult, "bytes" | "messages" | "seconds" | "between" | "meanDrift">;

/** The result of a run, simulated or done by real peers: what was recorded, and the models at its end. */
export function resultOf(run: RunSpec, topology: Topology, recorded: Measured, x: Rows): RunResult {
  const { updates, metrics, evaluations, bytes, messages, seconds, between, meanDrift } = recorded;
  const { rate, periodRate } = topology.rate();
  const liars = liarsOf(run);
  return {
    label: run.label,
    seed: run.seed,
    topology: topology.name,
    algorithm: run.algorithm.name,
    rate,
    ...(periodRate === undefined ? {} : { periodRate }),
    degree: topology.maxDegree,
    updates,
    metrics,
    ...(evaluations === undefined ? {} : { evaluations }),
    metric: problems.get(run.problem.name).metric,
    bytes,
    messages,
    seconds,
    ...(between === undefined ? {} : { between }),
    ...(meanDrift === undefined ? {} : { meanDrift }),
    ...(liars === undefined ? {} : { liars: liars.nodes }),
    stateHash: stateHash(x),
  };
}
