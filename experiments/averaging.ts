/** Averaging from the rivals' common start, over a network that may fail: one unit is one graph with all its repeats. */

import { createTopology, type Faults, gossip, type Topology, type TopologySpec } from "equitopo";
import { meanRow, messagesOf } from "equitopo/round";
import { lcgNormals } from "./lcg.ts";

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

export function average({ topologies, rounds, tolerances, faults, around }: AveragingUnit): AveragingResult {
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
    reached: runs.map(({ errors }) => tolerances.map((tolerance) => staysBelow(errors, tolerance))),
    errors: runs[0].errors,
    vectors: vectorsUpTo(createTopology(topologies[0]), rounds),
    shifts: runs.map(({ shift }) => shift),
  };
}

/** Vectors that a node sends up to round t, on average over the nodes; at t = 0, 1, ..., rounds. */
export function vectorsUpTo(topology: Topology, rounds: number): number[] {
  const vectors = [0];
  for (let t = 0; t < rounds; t++) {
    const messages = messagesOf(topology.round(t));
    const each =
      typeof messages === "number" ? messages : messages.reduce((sum, count) => sum + count, 0) / messages.length;
    vectors.push(vectors[t] + each);
  }
  return vectors;
}

/** The round from which on the curve stays below the level; null where its end is not below it. */
function staysBelow(curve: readonly number[], level: number): number | null {
  let round = curve.length;
  while (round > 0 && curve[round - 1] < level) round--;
  return round === curve.length ? null : round;
}
