/** The units of work that studies are made of. Each depends on nothing but itself, so any worker can do it. */

import type { Topology, TopologySpec } from "equitopo";
import { createTopology, type Edge, gossip, predictedRounds, type RunOptions, runSpecAsync } from "equitopo";
import type { LearningUnit, Results, Unit } from "equitopo/outcome";
import { gains } from "equitopo/rate";
import { forEachEdge, selfWeight } from "equitopo/round";
import { adviceOn } from "./advice.ts";
import { isInPrint, printedErrors, printedFactors } from "./as-printed.ts";
import { average } from "./averaging.ts";
import { settled, trained } from "./outer-work.ts";
import { tryOut } from "./trial.ts";

export interface UnitOn<K extends string> extends Unit {
  readonly kind: K;
  readonly topology: TopologySpec;
}

/** Plain gossip x(t+1) = W(t) x(t) from a normal start. */
export interface GossipUnit extends UnitOn<"gossip"> {
  readonly rounds: number;
  /** Of the start; the topology has its own seed in its spec. */
  readonly seed: number;
  /** One of the paper's graphs, to be compared with the formulas as printed. */
  readonly printed?: true;
}

/** The exact consensus rate. */
export interface RateUnit extends UnitOn<"rate"> {
  /** One of the paper's graphs, to be compared with the formulas as printed. */
  readonly printed?: true;
}

/** How often each pair of nodes meets in an undirected graph of few nodes. */
export interface MeetingsUnit extends UnitOn<"meetings"> {
  readonly rounds: number;
}

/** One round of a graph of few nodes, edge by edge; `choice` makes its random choices by hand. */
export interface GraphUnit extends UnitOn<"graph"> {
  readonly choice?: { readonly shift: number; readonly start: number };
}

/** The gain of a topology: the disagreement at which an algorithm with a constant step settles. */
export type GainsUnit = UnitOn<"gains">;

export type GossipResult = ReturnType<typeof gossipOn>;
export type MeetingsResult = ReturnType<typeof meetingsOn>;
export type GraphResult = ResultOf<"graph">;
export type RateResult = ResultOf<"rate">;
export type GainsResult = ResultOf<"gains">;

export const rateUnit = (key: string, topology: TopologySpec): RateUnit => ({ kind: "rate", key, topology });

const works = {
  learning: ({ run }: LearningUnit, options: RunOptions) => runSpecAsync(run, options),
  trial: tryOut,
  "outer-training": trained,
  "outer-settling": settled,
  averaging: average,
  advice: adviceOn,
  gossip: (unit: GossipUnit) => gossipOn(createTopology(unit.topology), unit),
  meetings: (unit: MeetingsUnit) => meetingsOn(createTopology(unit.topology), unit),
  graph({ topology: spec, choice }: GraphUnit) {
    const topology = createTopology(spec);
    const round = (choice && topology.roundOf?.(choice)) ?? topology.round(0);
    const { n, directed } = topology;
    const edges: Edge[] = [];
    forEachEdge(round, (from, to, weight) => edges.push([from, to, weight]));
    return { n, directed, edges, self: Array.from({ length: n }, (_, i) => selfWeight(round, i)) };
  },
  rate({ topology: spec, printed }: RateUnit) {
    const topology = createTopology(spec);
    const { rate, periodRate = null } = topology.rate();
    const rounds = predictedRounds(topology, 1e-6);
    return {
      ...{ rate, periodRate, degree: topology.maxDegree, predictedRounds: Number.isFinite(rounds) ? rounds : null },
      // beta^2 by the formula as printed.
      ...(printed ? { printed: printedFactors(topology).largest } : {}),
    };
  },
  gains({ topology }: GainsUnit) {
    const { rms, worst } = gains(createTopology(topology));
    return { rms, worst };
  },
};

type Kind = keyof typeof works;
type ResultOf<K extends Kind> = Awaited<ReturnType<(typeof works)[K]>>;

export type StudyUnit = Parameters<(typeof works)[Kind]>[0];
export type UnitResult = ResultOf<Kind>;

export function resultOf<K extends Kind>(results: Results, { key }: { readonly kind: K; readonly key: string }) {
  return results.get(key) as ResultOf<K>;
}

/** Does the work. The same unit gives the same result anywhere; `options` have the data, and who follows the progress. */
export async function runUnit(unit: StudyUnit, options: RunOptions = {}): Promise<UnitResult> {
  const work = works[unit.kind] as (unit: StudyUnit, options: RunOptions) => UnitResult | Promise<UnitResult>;
  return work(unit, options);
}

/** ||x(t) - J x(0)|| at t = 0, 1, 2, ..., and the rate; if asked for, beside what the formulas as printed give. */
export function gossipOn(topology: Topology, { rounds, seed, printed }: GossipUnit) {
  const { errors } = gossip(topology, { d: 1, rounds, seed });
  const { rate, bound } = topology.rate();
  if (!printed || !isInPrint(topology)) return { errors, rate, bound };
  const { x } = gossip(topology, { d: 1, rounds: 0, seed });
  const again = printedErrors(topology, x, rounds);
  // The largest relative difference, while errors are above 1e-6 of the first.
  const differences = errors.map((error, t) => (again[t] > 1e-6 * again[0] ? Math.abs(error / again[t] - 1) : 0));
  return { errors, rate, bound, printed: { off: Math.max(...differences), ...printedFactors(topology) } };
}

/** In how many rounds nodes i < j exchanged, by rows: (0, 1), (0, 2), ..., (n - 2, n - 1). */
export function meetingsOn(topology: Topology, { rounds }: MeetingsUnit) {
  const { n } = topology;
  const counts = new Array<number>((n * (n - 1)) / 2).fill(0);
  for (let t = 0; t < rounds; t++) {
    forEachEdge(topology.round(t), (from, to) => {
      if (from < to) counts[from * n - (from * (from + 1)) / 2 + to - from - 1]++;
    });
  }
  return { counts };
}
