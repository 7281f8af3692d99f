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

export type Unit = GossipUnit | RateUnit | LearningUnit;

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

export type UnitResult = GossipResult | RateResult | RunResult;

/** Does the work. The same unit gives the same result anywhere; `options` say where data is and what is worth telling. */
export async function runUnit(unit: Unit, options: RunOptions = {}): Promise<UnitResult> {
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
