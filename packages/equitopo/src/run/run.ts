/** One run of a spec: from names to numbers. */

import { createAlgorithm } from "../algorithm/registry.ts";
import { defined } from "../input/input.ts";
import { stateHash } from "../number/hash.ts";
import type { ProblemContext } from "../problem/problem.ts";
import { createProblem, problems } from "../problem/registry.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import type { Rows } from "../round/round.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology } from "../topology/topology.ts";
import { asyncMode } from "./async/mode.ts";
import { driverOf, requireFeatures } from "./features/driver.ts";
import { featuresOf } from "./features/feature.ts";
import type { Recorded } from "./record.ts";
import { contextOf, liarsOf } from "./run-spec.ts";
import { type SimulationOptions, type SimulationRecord, simulate, simulateAsync } from "./simulate.ts";
import type { RunSpec } from "./spec.ts";

/** The result of a run. Plain JSON. */
export interface RunResult extends Recorded {
  readonly label: string;
  readonly seed: number;
  readonly topology: string;
  readonly algorithm: string;
  /** The exact consensus rate, and for periodic topologies the geometric mean over a period. */
  readonly rate: number;
  readonly periodRate?: number;
  readonly degree: number;
  /** The main metric of the problem. */
  readonly metric: string;
  /** Nodes that lied: metrics and evaluations are those of the other nodes. */
  readonly liars?: readonly number[];
  /** SHA-256 of the final rows' bytes: equal wherever the run is repeated. */
  readonly stateHash: string;
  /** The device, if it was not the CPU: its name, and its precision. */
  readonly device?: { readonly name: string; readonly precision: "float32" | "mixed" };
}

export interface RunOptions
  extends Pick<SimulationOptions, "signal" | "onProgress" | "onEvaluation" | "saved" | "keep"> {
  /** Files of data sets, and threads, if the problem uses them. */
  readonly context?: ProblemContext;
  /** Called with the name and the bytes of each file that the problem leaves at the end (a trained model). */
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

/** The same result, yielding to the event loop now and then, so that timers run and the signal can be aborted. */
export async function runSpecAsync(run: RunSpec, options: RunOptions = {}): Promise<RunResult> {
  const setting = settingOf(run, options);
  try {
    return handOver(run, options, setting, await simulateAsync(setting));
  } finally {
    setting.problem.close?.();
  }
}

function settingOf(run: RunSpec, { context = {}, onFile: _, ...options }: RunOptions): SimulationOptions {
  requireFeatures(driverOf("simulator", run), featuresOf(run, { checkpoint: options.keep ?? options.saved }));
  const { rounds, seed, every, evaluate, latency, faults, robust, type } = run;
  const topology = createTopology(run.topology);
  const problem = createProblem(run.problem, contextOf(run, context));
  const mode = asyncMode(run);
  const async = mode && { ...mode, type };
  const mixer = kernelMixer(topology.n, type);
  const algorithm = createAlgorithm(run.algorithm, problem);
  const own = { topology, algorithm, problem, mixer, rounds, seed, every, evaluate, latency, faults, robust, async };
  return defined({ ...own, ...options });
}

/** All of a run that must be equal for another run to continue it: everything but the number of updates. */
export const runIdentity = ({ rounds: _, ...run }: RunSpec): string => JSON.stringify(run);

function handOver(run: RunSpec, options: RunOptions, setting: SimulationOptions, record: SimulationRecord): RunResult {
  for (const [name, file] of Object.entries(setting.problem.files?.(record.x) ?? {})) options.onFile?.(name, file);
  return resultOf(run, setting.topology, record, record.x);
}

/** The result of a run, simulated or done by real peers: the record, and the models at its end. */
export function resultOf(run: RunSpec, topology: Topology, recorded: Recorded, x: Rows): RunResult {
  const { updates, metrics, evaluations, bytes, messages, seconds, between, meanDrift } = recorded;
  const { rate, periodRate } = topology.rate();
  return defined({
    ...{ label: run.label, seed: run.seed, topology: topology.name, algorithm: run.algorithm.name },
    ...{ rate, periodRate, degree: topology.maxDegree, updates, metrics, evaluations },
    metric: problems.get(run.problem.name).metric,
    ...{ bytes, messages, seconds, between, meanDrift },
    ...{ liars: liarsOf(run)?.nodes, stateHash: stateHash(x) },
  });
}
