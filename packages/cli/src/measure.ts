/**
 * Rounds and messages measured by running: x(t+1) = W(t) x(t) from a normal start until ||Pi x(t)|| <= tolerance
 * ||Pi x(0)||. The columns of x never mix with each other, so a few of them stand for any dimension.
 */

import { type Distance, kernelMixer, type Round, type Topology } from "equitopo";
import { Meter } from "equitopo/algorithm";
import { fillNormal, streams } from "equitopo/random";
import { meanRow, squaredDistance } from "equitopo/round";

/** Columns of the state: enough that the start is not far from typical. */
export const COLUMNS = 4;

export interface MeasureOptions {
  readonly tolerance: number;
  readonly seed: number;
  /** Gives up after so many. */
  readonly maxRounds: number;
  readonly onRound?: (t: number) => void;
}

export interface Measured {
  readonly rounds: number;
  /** The largest number of messages (one vector to one peer) that any node sent. */
  readonly messages: number;
}

/** What it took, or null where maxRounds were not enough. */
export function measureGossip(topology: Topology, options: MeasureOptions): Measured | null {
  const { n } = topology;
  const { tolerance, seed, maxRounds, onRound } = options;
  const mixer = kernelMixer(n);
  const meter = new Meter(n);
  let x = fillNormal(mixer.rows(COLUMNS), seed, streams.initialState, 0);
  const distance: Distance = { mean: meanRow(x, n), square: undefined };
  const target = tolerance ** 2 * squaredDistance(x, distance.mean);
  for (let t = 0; t < maxRounds; t++) {
    distance.square = undefined;
    const round = topology.round(t);
    x = mixer.mix(round, x, distance);
    meter.exchange(round, 0, t);
    const square = distance.square ?? squaredDistance(x, distance.mean);
    if (square <= target) return { rounds: t + 1, messages: meter.messages };
    onRound?.(t + 1);
  }
  return null;
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
