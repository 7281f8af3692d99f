/** A unit of work: one run that depends on nothing but its own spec, so that any worker may do it and a journal keep it. */

import {
  createTopology,
  gossip,
  predictedRounds,
  type RunOptions,
  type RunResult,
  type RunSpec,
  runSpecAsync,
  type TopologySpec,
} from "equitopo";
import type { TrainingSpec } from "equitopo/training";

export type Unit = GossipUnit | RateUnit | LearningUnit | TrainingUnit;

/** Plain gossip x(t+1) = W(t) x(t) from a normal start. */
export interface GossipUnit {
  readonly kind: "gossip";
  readonly key: string;
  readonly topology: TopologySpec;
  readonly rounds: number;
  /** Of the start; the topology has its own in its spec. */
  readonly seed: number;
}

/** The exact consensus rate. */
export interface RateUnit {
  readonly kind: "rate";
  readonly key: string;
  readonly topology: TopologySpec;
}

/** Topology, algorithm and problem: one run of a spec. */
export interface LearningUnit {
  readonly kind: "learning";
  readonly key: string;
  readonly run: RunSpec;
}

/** Neural networks on the images of a data set, which whoever runs it must have. */
export interface TrainingUnit {
  readonly kind: "training";
  readonly key: string;
  readonly dataset: "mnist";
  /** Of the training set, the first so many; all where left out. */
  readonly images?: number;
  /** Of the test set likewise. */
  readonly tests?: number;
  readonly epochs: number;
  readonly spec: TrainingSpec;
}

/** After an epoch; accuracies are fractions. */
export interface TrainingEpoch {
  readonly epoch: number;
  readonly trainLoss: number;
  /** The averaged model on the whole test set. */
  readonly averagedAccuracy: number;
  /** The mean over the nodes' own models on the whole test set, after the last epoch. */
  readonly meanAccuracy: number | null;
  /** The mean over the nodes' own models, each on its share of the test set. */
  readonly shareAccuracy: number | null;
  readonly consensusDistance: number;
  readonly bytesPerNode: number;
}

export interface TrainingResult {
  readonly epochs: readonly TrainingEpoch[];
  readonly rate: number;
  readonly degree: number;
  readonly stateHash: string;
}

export interface GossipResult {
  /** ||x(t) - J x(0)|| at t = 0, 1, 2, ... */
  readonly errors: readonly number[];
  readonly rate: number;
  readonly bound: number | null;
}

export interface RateResult {
  readonly rate: number;
  readonly periodRate: number | null;
  readonly degree: number;
  readonly predictedRounds: number | null;
}

export type UnitResult = GossipResult | RateResult | RunResult | TrainingResult;

/** Does the work. The same unit gives the same result anywhere; `options` say where data is and what is worth telling. */
export async function runUnit(unit: Exclude<Unit, TrainingUnit>, options: RunOptions = {}): Promise<UnitResult> {
  if (unit.kind === "learning") return runSpecAsync(unit.run, options);
  const topology = createTopology(unit.topology);
  const rate = topology.rate();
  switch (unit.kind) {
    case "gossip": {
      const { errors } = gossip(topology, { d: 1, rounds: unit.rounds, seed: unit.seed });
      return { errors, rate: rate.rate, bound: rate.bound };
    }
    case "rate": {
      const rounds = predictedRounds(topology, 1e-6);
      return {
        rate: rate.rate,
        periodRate: rate.periodRate ?? null,
        degree: topology.maxDegree,
        predictedRounds: Number.isFinite(rounds) ? rounds : null,
      };
    }
  }
}
