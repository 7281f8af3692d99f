/**
 * Gains by sampling: s <- W(t) (s + h) for random h is followed over windows of the topology's own rounds, W(t) being a
 * function of t, and beside it the same with fresh noise in place of h. After a lead that lets the start be forgotten the
 * squares are averaged; windows are independent of each other, and their spread gives the error. The worst direction is
 * found by power iteration over one long window, where its gain is rather too high, and looked at again in fresh rounds,
 * where it is rather too low: what lies between is given, with half of the distance as error.
 *
 * The same numbers every time: draws are from a seed of their own. O(rounds x edges); n up to 16384.
 */

import { InputError } from "../input/input.ts";
import { centre, dot, norm, scale } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import type { Gains } from "./gains.ts";
import { applyTransposed, type RoundSequence, workOf } from "./sequence.ts";

const MOST_NODES = 16384;
const WINDOWS = 8;
/** Standard errors to both sides that hold in 19 cases of 20: for 8 windows Student's 2.4, and more, for they are not normal. */
export const INTERVAL = 3;
/** Rounds that are averaged over in a window. */
const LENGTH = 96;
const POWER_STEPS = 24;
/** Additions in all, beyond which one had better take a smaller n. */
const MOST_WORK = 2e10;

export function sampledGains(topology: RoundSequence): Gains {
  const { n } = topology;
  if (n > MOST_NODES) throw new InputError(`sampled gains need n <= ${MOST_NODES}`, n, "try a smaller n");
  const lead = leadOf(topology);
  const columns = Math.max(1, Math.min(16, Math.floor(16384 / n)));
  const work = workOf(topology.round(0)) * (lead + LENGTH) * (2 * WINDOWS * columns + 4 * POWER_STEPS);
  if (!(work <= MOST_WORK)) {
    const rule = "sampled gains need a topology that forgets its start soon";
    throw new InputError(rule, topology.rate().rate, "try a smaller n");
  }
  const found = followed(topology, lead, 0, (window) => {
    return fillNormal(new Float64Array(n * columns), 0, streams.gains, 2 * window);
  });
  const rms = rootOfMean(found.map(({ square }) => square));
  const noise = rootOfMean(found.map(({ noise }) => noise));
  // Under fresh labels no direction is served worse than another (labelled.ts).
  const worst = topology.labelled ? rms : worstDirection(topology, WINDOWS * (lead + LENGTH), lead);
  const error = { rms: rms.error, worst: worst.error, noise: noise.error };
  return { rms: rms.value, worst: worst.value, noise: noise.value, method: "sampled", error };
}

/** Rounds after which a hundredth of the start is left, from the rate: of a round, or of a period. */
function leadOf(topology: RoundSequence): number {
  const { rate, periodRate = 1 } = topology.rate();
  const factor = Math.min(rate, periodRate);
  if (topology.exactAfter !== undefined) return 2 * topology.exactAfter;
  return factor > 0 ? Math.max(8, Math.ceil(-4.6 / Math.log(factor))) : 8;
}

/** Mean squares over windows from round `begin` on, as shares of what is put in: heterogeneity in so many columns, and noise. */
function followed(topology: RoundSequence, lead: number, begin: number, put: (window: number) => Float64Array) {
  return Array.from({ length: WINDOWS }, (_, window) => {
    return follow(topology, begin + window * (lead + LENGTH), lead, put(window));
  });
}

function follow(topology: RoundSequence, first: number, lead: number, heterogeneity: Float64Array) {
  const { n } = topology;
  const columns = heterogeneity.length / n;
  centre(heterogeneity, columns);
  const fresh = new Float64Array(n * columns);
  const image = new Float64Array(n * columns);
  const settled = new Float64Array(n * columns);
  const noisy = new Float64Array(n * columns);
  const size = dot(heterogeneity, heterogeneity);
  let [square, noise] = [0, 0];
  const step = (round: Round, state: Float64Array, input: Float64Array) => {
    for (let k = 0; k < state.length; k++) state[k] += input[k];
    applyRound(round, state, image);
    // Row-stochastic rounds move the mean; what is looked at is the disagreement.
    centre(image, columns);
    state.set(image);
  };
  for (let t = 0; t < lead + LENGTH; t++) {
    const round = topology.round(first + t);
    step(round, settled, heterogeneity);
    fillNormal(fresh, 0, streams.gains, 2 * (first + t) + 1);
    centre(fresh, columns);
    step(round, noisy, fresh);
    if (t < lead) continue;
    square += dot(settled, settled) / size / LENGTH;
    noise += dot(noisy, noisy) / ((n - 1) * columns) / LENGTH;
  }
  return { square, noise };
}

/** The root of the largest eigenvalue of the mean of S(t)^T S(t) over one window, and how its direction does in others. */
function worstDirection(topology: RoundSequence, first: number, lead: number): { value: number; error: number } {
  const { n } = topology;
  const rounds = Array.from({ length: lead + 4 * LENGTH }, (_, t) => topology.round(first + t));
  let direction: Float64Array = fillNormal(new Float64Array(n), 1, streams.gains, 0);
  let largest = 0;
  for (let step = 0; step < POWER_STEPS; step++) {
    centre(direction);
    scale(direction, 1 / norm(direction));
    const next = gathered(rounds, direction, lead);
    largest = Math.sqrt(Math.max(0, dot(direction, next)));
    direction = next;
  }
  const again = followed(topology, lead, first + rounds.length, () => direction);
  const { value, error } = rootOfMean(again.map(({ square }) => square));
  const [low, high] = [value - error, Math.max(value + error, largest)];
  return { value: (low + high) / 2, error: (high - low) / 2 };
}

/** The mean of S(t)^T S(t) h over the rounds after the lead: forwards for S h, backwards for the transposes. */
function gathered(rounds: readonly Round[], h: Float64Array, lead: number): Float64Array {
  const n = h.length;
  const count = rounds.length - lead;
  const responses: Float64Array[] = [];
  const state = new Float64Array(n);
  for (const round of rounds) {
    for (let i = 0; i < n; i++) state[i] += h[i];
    const response = applyRound(round, state, new Float64Array(n));
    centre(response);
    responses.push(response);
    state.set(response);
  }
  const out = new Float64Array(n);
  const adjoint = new Float64Array(n);
  const image = new Float64Array(n);
  for (let t = rounds.length - 1; t >= 0; t--) {
    if (t >= lead) for (let i = 0; i < n; i++) adjoint[i] += responses[t][i] / count;
    centre(adjoint);
    applyTransposed(rounds[t], adjoint, image);
    adjoint.set(image);
    for (let i = 0; i < n; i++) out[i] += image[i];
  }
  return out;
}

/** The root of the mean of squares, within that error in 19 cases of 20. */
function rootOfMean(squares: readonly number[]): { value: number; error: number } {
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
  const variance = squares.reduce((sum, square) => sum + (square - mean) ** 2, 0) / (squares.length - 1);
  const value = Math.sqrt(mean);
  return { value, error: (INTERVAL * Math.sqrt(variance / squares.length)) / (2 * value) };
}
