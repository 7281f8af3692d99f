/** Runs of a batch, each with all that belongs to it alone. */

import { EpochLosses, type PreparedClassification } from "@equitopo/nn/internal";
import { createAlgorithm, requireFit } from "equitopo/internal/algorithm";
import { Network } from "equitopo/internal/faults";
import { Course, type RunOptions, type RunSpec } from "equitopo/internal/run";
import { createTopology } from "equitopo/internal/topology";
import { Script } from "./script.ts";

/** Of one run; called in the order of the simulator, evaluations as soon as they are scored. */
export type GpuRunOptions = Pick<RunOptions, "onProgress" | "onEvaluation" | "onFile" | "saved" | "keep">;

export type Member = ReturnType<typeof memberOf>;

/** The runs `numbers` of all; the signal ends them. */
export function membersOf(
  numbers: readonly number[],
  prepared: readonly PreparedClassification[],
  runs: readonly RunSpec[],
  of: (k: number) => GpuRunOptions,
  signal: RunOptions["signal"],
): Member[] {
  const distinct = [...new Set(prepared)];
  return numbers.map((k, at) => {
    const order = distinct.indexOf(prepared[at]) * prepared[at].settings.n;
    return memberOf(k, runs[k], { ...of(k), signal }, prepared[at], order);
  });
}

/** `k`: its place among all runs; `order`: its first row of orders, for runs of one problem and seed see the same images. */
function memberOf(
  k: number,
  run: RunSpec,
  own: GpuRunOptions & Pick<RunOptions, "signal">,
  prepared: PreparedClassification,
  order: number,
) {
  const topology = createTopology(run.topology);
  const { n } = topology;
  const { stepsPerEpoch } = prepared.schedule;
  const optimiser = createAlgorithm(run.algorithm, { n, epoch: stepsPerEpoch });
  requireFit(optimiser.algorithm, topology, optimiser.spec);
  const losses = new EpochLosses(n, stepsPerEpoch);
  // What the CPU's problem tells a course: it has epochs and an evaluation, and keeps losses and statistics.
  const problem = {
    d: prepared.model.parameterCount,
    epoch: stepsPerEpoch,
    evaluation: {},
    state: { losses: losses.rows },
  };
  return {
    ...{ k, run, own, prepared, order, topology, optimiser, losses, script: new Script(optimiser, topology) },
    network: new Network(topology, run.faults ?? {}, run.seed),
    course: new Course({ ...run, ...own, async: false, topology, problem, exchanges: optimiser.exchanges }),
    /** The round of those who exchange nothing but a mean. */
    mean: { kind: "mean", n, keep: 0 } as const,
  };
}
