/** One run of a spec, from names to numbers: what a worker does, and what a report shows. */

import { stateHash } from "../number/hash.ts";
import { createProblem, problemFamily } from "../problem/registry.ts";
import { kernelMixer } from "../round/kernel-mixer.ts";
import { createTopology } from "../topology/registry.ts";
import { simulate } from "./simulate.ts";
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
  readonly metrics: Readonly<Record<string, readonly number[]>>;
  /** The metric that the problem is about. */
  readonly metric: string;
  /** Sent so far by the node that sent most. */
  readonly bytes: readonly number[];
  readonly messages: readonly number[];
  /** Of communication, under the latency model. */
  readonly seconds: readonly number[];
  /** SHA-256 of the final rows' bytes: equal wherever the run is repeated. */
  readonly stateHash: string;
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
export function runSpec(run: RunSpec, onProgress?: (done: number, rounds: number) => void): RunResult {
  const topology = createTopology(run.topology);
  const problem = createProblem(run.problem);
  const { updates, metrics, bytes, messages, seconds, x } = simulate({
    topology,
    problem,
    algorithm: run.algorithm,
    rounds: run.rounds,
    seed: run.seed,
    every: run.every,
    mixer: kernelMixer(topology.n, run.type),
    ...(run.latency === undefined ? {} : { latency: run.latency }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { rate, periodRate } = topology.rate();
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
    metric: problemFamily(run.problem.name).metric,
    bytes,
    messages,
    seconds,
    stateHash: stateHash(x),
  };
}
