/** A unit of work: one run that depends on nothing but its own spec, so that any worker may do it and a journal keep it. */

import {
  createTopology,
  type Edge,
  type Faults,
  gossip,
  predictedRounds,
  type RunOptions,
  type RunResult,
  type RunSpec,
  runSpecAsync,
  type Topology,
  type TopologySpec,
} from "equitopo";
import { forEachEdge, meanRow, messagesOf, selfWeight } from "equitopo/round";
import { printedErrors, printedFactors } from "./as-printed.ts";
import { lcgNormals } from "./lcg.ts";

export type Unit = GossipUnit | RateUnit | LearningUnit | AveragingUnit | MeetingsUnit | GraphUnit;

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

/** Gossip from the rivals' common start (lcg.ts, seed 1, ten numbers a node), once for each topology: repeats. */
export interface AveragingUnit {
  readonly kind: "averaging";
  readonly key: string;
  readonly topologies: readonly TopologySpec[];
  readonly rounds: number;
  /** Shares of the first error; for each the round from which on the error stays below it is found. */
  readonly tolerances: readonly number[];
  readonly faults?: Pick<Faults, "drop" | "absent" | "stale">;
  /** Whether errors are distances to the mean of the start, or to the mean of now, which faults may move. */
  readonly around: "start" | "now";
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

export interface AveragingResult {
  /** For each repeat and each tolerance the round from which on the error stays below; null where it never does. */
  readonly reached: readonly (readonly (number | null)[])[];
  /** The first repeat's errors, as shares of the first one, at t = 0, 1, 2, ... */
  readonly errors: readonly number[];
  /** Vectors sent by a node up to round t, on average over the nodes, of the first repeat. */
  readonly vectors: readonly number[];
  /** How far the mean moved, as a share of the nodes' root mean square distance from it at the start; one a repeat. */
  readonly shifts: readonly number[];
}

export type UnitResult = GossipResult | RateResult | RunResult | AveragingResult | MeetingsResult | GraphResult;

/** Does the work. The same unit gives the same result anywhere; `options` say where data is and what is worth telling. */
export async function runUnit(unit: Unit, options: RunOptions = {}): Promise<UnitResult> {
  if (unit.kind === "learning") return runSpecAsync(unit.run, options);
  if (unit.kind === "averaging") return average(unit);
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
  if (!printed) return { errors, rate, bound };
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

function average({ topologies, rounds, tolerances, faults, around }: AveragingUnit): AveragingResult {
  const d = 10;
  const { n } = topologies[0];
  const x0 = lcgNormals(1)(n * d);
  const before = meanRow(x0, n);
  const runs = topologies.map((spec, seed) => {
    const { errors, x } = gossip(createTopology(spec), { d, rounds, x0, seed, around, ...faults });
    const moved = meanRow(x, n).map((value, k) => value - before[k]);
    // Over all d numbers at once: ||moved|| against the root mean square of a row's distance, errors[0] / sqrt n.
    const shift = Math.hypot(...moved) / (errors[0] / Math.sqrt(n));
    return { errors: errors.map((error) => error / errors[0]), shift };
  });
  const first = createTopology(topologies[0]);
  const vectors = [0];
  for (let t = 0; t < rounds; t++) vectors.push(vectors[t] + meanMessages(messagesOf(first.round(t))));
  return {
    reached: runs.map(({ errors }) => tolerances.map((tolerance) => staysBelow(errors, tolerance))),
    errors: runs[0].errors,
    vectors,
    shifts: runs.map(({ shift }) => shift),
  };
}

const meanMessages = (messages: number | Int32Array) =>
  typeof messages === "number" ? messages : messages.reduce((sum, count) => sum + count, 0) / messages.length;

/** The round from which on the curve stays below the level; null where its end is not below it. */
function staysBelow(curve: readonly number[], level: number): number | null {
  let round = curve.length;
  while (round > 0 && curve[round - 1] < level) round--;
  return round === curve.length ? null : round;
}
