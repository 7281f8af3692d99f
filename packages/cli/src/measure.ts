/**
 * Rounds and messages measured by running: x(t+1) = W(t) x(t) from a normal start until ||Pi x(t)|| <= tolerance
 * ||Pi x(0)||. The columns of x never mix with each other, so a few of them stand for any dimension.
 */

import { fillNormal, plainMixer, type Round, type Rows, streams, type Topology } from "equitopo";

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
  const mixer = plainMixer(n);
  let x = fillNormal(mixer.rows(COLUMNS), seed, streams.initialState, 0);
  const target = tolerance * disagreement(x, n);
  const sent = new Float64Array(n);
  const messages = countMessages(n);
  for (let t = 0; t < maxRounds; t++) {
    const round = topology.round(t);
    x = mixer.mix(round, x);
    const counts = messages(round);
    for (let i = 0; i < n; i++) sent[i] += counts[i];
    if (disagreement(x, n) <= target) return { rounds: t + 1, messages: largest(sent) };
    onRound?.(t + 1);
  }
  return null;
}

/** The most messages a node sends in one round, whatever the round. */
export function mostMessages(topology: Topology): number {
  // Rounds that change are one-peer rounds: a shift or a matching sends no more than it receives.
  return topology.kind === "static" ? largest(countMessages(topology.n)(topology.round(0))) : topology.maxDegree;
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

/** ||x - J x||. */
function disagreement(x: Rows, n: number): number {
  let total = 0;
  for (let k = 0; k < COLUMNS; k++) {
    let sum = 0;
    for (let i = k; i < x.length; i += COLUMNS) sum += x[i];
    const mean = sum / n;
    for (let i = k; i < x.length; i += COLUMNS) total += (x[i] - mean) ** 2;
  }
  return Math.sqrt(total);
}

/** How many peers every node sends to in a round; a round seen twice in a row is counted once. */
function countMessages(n: number): (round: Round) => Float64Array {
  const counts = new Float64Array(n);
  let last: Round | undefined;
  return (round) => {
    if (round === last) return counts;
    last = round;
    switch (round.kind) {
      case "circulant":
        return counts.fill(round.shifts.length);
      case "mean":
        return counts.fill(n - 1);
      case "matching":
        for (let i = 0; i < n; i++) counts[i] = round.partner[i] === i ? 0 : 1;
        return counts;
      case "sparse":
        counts.fill(0);
        for (const from of round.from) counts[from] += 1;
        return counts;
    }
  };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
