/** Runs of a batch, each with all that belongs to it alone. */

import { EpochLosses, type PreparedClassification } from "@equitopo/nn";
import { createAlgorithm, localNetwork, Meter, type Optimiser, requireFit } from "equitopo/algorithm";
import { Network } from "equitopo/faults";
import type { Round } from "equitopo/round";
import { Recorder, type RunOptions, type RunSpec, within } from "equitopo/run";
import { createTopology, type Topology } from "equitopo/topology";
import { Script } from "./script.ts";

/** Of one run; called in the order of the simulator, evaluations as soon as they are scored. */
export type GpuRunOptions = Pick<RunOptions, "onProgress" | "onEvaluation" | "onFile" | "saved" | "keep">;

export interface Member {
  /** Its place among all runs. */
  readonly k: number;
  readonly run: RunSpec;
  readonly own: GpuRunOptions;
  readonly prepared: PreparedClassification;
  /** Its first row of orders: runs of one problem and seed see the same images. */
  readonly order: number;
  readonly topology: Topology;
  readonly optimiser: Optimiser;
  readonly script: Script;
  readonly network: Network;
  readonly meter: Meter;
  readonly record: Recorder;
  readonly losses: EpochLosses;
  readonly mean: Round;
}

/** The runs `numbers` of all. */
export function membersOf(
  numbers: readonly number[],
  prepared: readonly PreparedClassification[],
  runs: readonly RunSpec[],
  of: (k: number) => GpuRunOptions,
): Member[] {
  const distinct = [...new Set(prepared)];
  return numbers.map((k, at) => {
    const order = distinct.indexOf(prepared[at]) * prepared[at].settings.n;
    return memberOf(k, runs[k], of(k), prepared[at], order);
  });
}

function memberOf(
  k: number,
  run: RunSpec,
  own: GpuRunOptions,
  prepared: PreparedClassification,
  order: number,
): Member {
  const topology = createTopology(run.topology);
  const { n } = topology;
  const { stepsPerEpoch } = prepared.schedule;
  const optimiser = createAlgorithm(run.algorithm, { n, epoch: stepsPerEpoch });
  requireFit(optimiser.algorithm, topology);
  const member: Member = {
    ...{ k, run, own, prepared, order, topology, optimiser, script: new Script(optimiser, topology) },
    network: new Network(topology, run.faults ?? {}, run.seed),
    meter: new Meter(n, run.latency ?? localNetwork, run.seed),
    record: new Recorder(),
    losses: new EpochLosses(n, stepsPerEpoch),
    mean: { kind: "mean", n, keep: 0 },
  };
  if (own.saved !== undefined) {
    const { vectors } = own.saved;
    member.meter.restore(within("meter.", vectors) as Record<string, Float64Array>);
    member.record.restore(within("record.", vectors) as Record<string, Float64Array>);
    member.losses.rows.set(vectors["problem.losses"]);
  }
  return member;
}
