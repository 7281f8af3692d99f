/**
 * Averaging over a network that may fail, from the start that all studies of rivals share. One unit is one graph with all its
 * repeats.
 */

import { createTopology, type Faults, gossip, type Topology, type TopologySpec } from "equitopo";
import { mean, type Panel, type Series, type Unit } from "equitopo/internal/outcome";
import { meanRow, messagesOf } from "equitopo/internal/round";
import { medianRounds } from "./curves.ts";
import type { Graph } from "./graphs.ts";
import { lcgNormals } from "./lcg.ts";

/** Gossip from the rivals' start (lcg.ts, seed 1, ten numbers a node), once for each topology. */
export interface AveragingUnit extends Unit {
  readonly kind: "averaging";
  readonly topologies: readonly TopologySpec[];
  readonly rounds: number;
  /** Shares of the first error: for each, the round after which the error stays below it is found. */
  readonly tolerances: readonly number[];
  readonly faults?: Pick<Faults, "drop" | "absent" | "stale">;
  /** Whether errors are distances to the mean of the start, or to the mean of now, which faults may move. */
  readonly around: "start" | "now";
}

export type AveragingResult = ReturnType<typeof average>;

export function average({ topologies, rounds, tolerances, faults, around }: AveragingUnit) {
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
  return {
    // By repeat and tolerance, the round after which the error stays below; null if it never does.
    reached: runs.map(({ errors }) => tolerances.map((tolerance) => staysBelow(errors, tolerance))),
    // Of the first repeat: errors as shares of the first one, and vectors sent by a node up to round t.
    errors: runs[0].errors,
    vectors: vectorsUpTo(createTopology(topologies[0]), rounds),
    // By repeat, how far the mean moved, as a share of the nodes' root mean square distance from it at the start.
    shifts: runs.map(({ shift }) => shift),
  };
}

/** Vectors that a node sends up to round t = 0, 1, ..., rounds, mean over the nodes. */
export function vectorsUpTo(topology: Topology, rounds: number): number[] {
  const vectors = [0];
  for (let t = 0; t < rounds; t++) {
    const messages = messagesOf(topology.round(t));
    vectors.push(vectors[t] + (typeof messages === "number" ? messages : mean([...messages])));
  }
  return vectors;
}

/** The round from which on the curve stays below the level; null if its end does not lie below it. */
function staysBelow(curve: readonly number[], level: number): number | null {
  const round = 1 + curve.findLastIndex((error) => !(error < level));
  return round === curve.length ? null : round;
}

/** The median over repeats of the round after which the error stays below the k-th tolerance. */
export const roundsReached = ({ reached }: AveragingResult, k = 0) => medianRounds(reached.map((run) => run[k]));

/** The first repeat's errors until they fall below `floor`, `most` of them at the most. */
export function firstCurve(graph: Graph, n: number, result: AveragingResult, floor: number, most = Infinity): Series {
  const end = result.errors.findIndex((error) => error < floor);
  const errors = result.errors.slice(0, Math.min(most, end < 0 ? Infinity : end + 1));
  return { label: graph.title, topology: graph.spec(n, 0).name, x: errors.map((_, t) => t), mean: errors };
}

export function sharesPanel(title: string, what: "error" | "spread", series: readonly Series[]): Panel {
  return { title, xLabel: "round t", yLabel: `${what} / first ${what}`, yLog: true, series };
}
