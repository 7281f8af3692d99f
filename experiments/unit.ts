/** A unit of work: one run that depends on nothing but its own spec, so that any worker may do it and a journal keep it. */

import {
  createTopology,
  type Edge,
  gossip,
  predictedRounds,
  type RunOptions,
  type RunResult,
  type RunSpec,
  runSpecAsync,
  type Topology,
  type TopologySpec,
} from "equitopo";
import { gains } from "equitopo/rate";
import { forEachEdge, selfWeight } from "equitopo/round";
import { isInPrint, printedErrors, printedFactors } from "./as-printed.ts";
import { type AveragingResult, type AveragingUnit, average } from "./averaging.ts";
import { type TrialResult, type TrialUnit, tryOut } from "./trial.ts";

export type Unit =
  | GossipUnit
  | RateUnit
  | LearningUnit
  | AveragingUnit
  | MeetingsUnit
  | GraphUnit
  | TrialUnit
  | GainsUnit;

/** Plain gossip x(t+1) = W(t) x(t) from a normal start. */
export interface GossipUnit {
  readonly kind: "gossip";
  readonly key: string;
  readonly topology: TopologySpec;
  readonly rounds: number;
  /** Of the start; the topology has its own in its spec. */
  readonly seed: number;
  /** One of the paper's graphs: hold it against the formulas as printed. */
  readonly printed?: true;
}

/** The exact consensus rate. */
export interface RateUnit {
  readonly kind: "rate";
  readonly key: string;
  readonly topology: TopologySpec;
  /** One of the paper's graphs: hold it against the formulas as printed. */
  readonly printed?: true;
}

/** Topology, algorithm and problem: one run of a spec. */
export interface LearningUnit {
  readonly kind: "learning";
  readonly key: string;
  readonly run: RunSpec;
}

/** Who meets whom how often in an undirected graph of few nodes. */
export interface MeetingsUnit {
  readonly kind: "meetings";
  readonly key: string;
  readonly topology: TopologySpec;
  readonly rounds: number;
}

/** One round of a graph of few nodes, edge by edge; with its random choices made by hand, where they are given. */
export interface GraphUnit {
  readonly kind: "graph";
  readonly key: string;
  readonly topology: TopologySpec;
  readonly choice?: { readonly shift: number; readonly start: number };
}

/** What an algorithm with a constant step feels of a topology. */
export interface GainsUnit {
  readonly kind: "gains";
  readonly key: string;
  readonly topology: TopologySpec;
}

export interface GossipResult {
  /** ||x(t) - J x(0)|| at t = 0, 1, 2, ... */
  readonly errors: readonly number[];
  readonly rate: number;
  readonly bound: number | null;
  /** Where it was asked for: how the formulas as printed compare. */
  readonly printed?: {
    /** The largest relative difference of the errors, while they are above 1e-6 of the first. */
    readonly off: number;
    /** The smallest and the largest mean-square factor of a round over all Fourier modes. */
    readonly least: number;
    readonly largest: number;
  };
}

export interface MeetingsResult {
  /** In how many rounds nodes i < j exchanged, by rows: (0, 1), (0, 2), ..., (n - 2, n - 1). */
  readonly counts: readonly number[];
}

export interface GraphResult {
  readonly n: number;
  readonly directed: boolean;
  readonly edges: readonly Edge[];
  /** Own weights. */
  readonly self: readonly number[];
}

export interface RateResult {
  readonly rate: number;
  readonly periodRate: number | null;
  readonly degree: number;
  readonly predictedRounds: number | null;
  /** beta^2 by the formula as printed, where it was asked for. */
  readonly printed?: number;
}

export interface GainsResult {
  readonly rms: number;
  readonly worst: number;
}

export type UnitResult =
  | GossipResult
  | RateResult
  | RunResult
  | AveragingResult
  | MeetingsResult
  | GraphResult
  | TrialResult
  | GainsResult;

/** Does the work. The same unit gives the same result anywhere; `options` say where data is and what is worth telling. */
export async function runUnit(unit: Unit, options: RunOptions = {}): Promise<UnitResult> {
  if (unit.kind === "learning") return runSpecAsync(unit.run, options);
  if (unit.kind === "averaging") return average(unit);
  if (unit.kind === "trial") return tryOut(unit);
  const topology = createTopology(unit.topology);
  switch (unit.kind) {
    case "gossip":
      return gossipOn(topology, unit);
    case "graph": {
      const round = (unit.choice && topology.roundOf?.(unit.choice)) ?? topology.round(0);
      const { n, directed } = topology;
      const edges: Edge[] = [];
      forEachEdge(round, (from, to, weight) => edges.push([from, to, weight]));
      return { n, directed, edges, self: Array.from({ length: n }, (_, i) => selfWeight(round, i)) };
    }
    case "gains": {
      const { rms, worst } = gains(topology);
      return { rms, worst };
    }
    case "meetings":
      return meetingsOn(topology, unit);
    case "rate": {
      const rate = topology.rate();
      const rounds = predictedRounds(topology, 1e-6);
      return {
        rate: rate.rate,
        periodRate: rate.periodRate ?? null,
        degree: topology.maxDegree,
        predictedRounds: Number.isFinite(rounds) ? rounds : null,
        ...(unit.printed ? { printed: printedFactors(topology).largest } : {}),
      };
    }
  }
}

/** A gossip unit on a topology that is there already. */
export function gossipOn(topology: Topology, { rounds, seed, printed }: GossipUnit): GossipResult {
  const { errors } = gossip(topology, { d: 1, rounds, seed });
  const { rate, bound } = topology.rate();
  if (!printed || !isInPrint(topology)) return { errors, rate, bound };
  const { x } = gossip(topology, { d: 1, rounds: 0, seed });
  const again = printedErrors(topology, x, rounds);
  const differences = errors.map((error, t) => (again[t] > 1e-6 * again[0] ? Math.abs(error / again[t] - 1) : 0));
  return { errors, rate, bound, printed: { off: Math.max(...differences), ...printedFactors(topology) } };
}

/** A unit of meetings on a topology that is there already. */
export function meetingsOn(topology: Topology, { rounds }: MeetingsUnit): MeetingsResult {
  const { n } = topology;
  const counts = new Array<number>((n * (n - 1)) / 2).fill(0);
  for (let t = 0; t < rounds; t++) {
    forEachEdge(topology.round(t), (from, to) => {
      if (from < to) counts[from * n - (from * (from + 1)) / 2 + to - from - 1]++;
    });
  }
  return { counts };
}
