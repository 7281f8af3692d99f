/**
 * Rounds and messages measured by running: x(t+1) = W(t) x(t) from a normal start until ||Pi x(t)|| <= tolerance
 * ||Pi x(0)||. The columns of x never mix with each other, so a few of them stand for any dimension.
 */

import { type GossipOptions, gossip, type Round, type Topology } from "equitopo";
import { Meter } from "equitopo/algorithm";

/** Columns of the state: enough that the start is not far from typical. */
export const COLUMNS = 4;

/** The rounds it took and the messages (one vector to one peer) of the node that sent most, or null where `rounds` were not enough. */
export function measureGossip(
  topology: Topology,
  { until, ...options }: Pick<GossipOptions, "rounds" | "seed" | "onProgress"> & { readonly until: number },
) {
  const { errors, recorded, bytesPerNode } = gossip(topology, { ...options, until, d: COLUMNS });
  if (errors[errors.length - 1] > until * errors[0]) return null;
  return { rounds: recorded[recorded.length - 1], messages: bytesPerNode / (8 * COLUMNS) };
}

/** The most messages a node sends in one round, whatever the round. */
export function mostMessages(topology: Topology): number {
  // Rounds that change are one-peer rounds: a shift or a matching sends no more than it receives.
  if (topology.kind !== "static") return topology.maxDegree;
  const meter = new Meter(topology.n);
  meter.exchange(topology.round(0), 0, 0);
  return meter.messages;
}

/** Numbers multiplied in one round, about: what running it costs. */
export function workOf(round: Round): number {
  const { n } = round;
  switch (round.kind) {
    case "circulant":
      return COLUMNS * n * (2 + round.shifts.length);
    case "sparse":
      return COLUMNS * (2 * n + round.from.length);
    default:
      return COLUMNS * 3 * n;
  }
}
