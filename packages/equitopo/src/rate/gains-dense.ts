/**
 * Gains of static and periodic rounds, from dense matrices. What is put in before round s of the period is followed until
 * nothing is left of it, O(n edges) a round: S(t) is the sum over all s, N^2 that of the squares. Of one symmetric W the
 * eigenvalues tell at once. Where much is left for long, sums over periods are doubled: one period takes S to P S + Q,
 * whose limit (I - P)^-1 Q comes from Q <- Q + P Q, P <- P^2; likewise for the noise. O(n^3 log) then.
 *
 * Over two vectors a node (pair.ts) gradients are subtracted from both, and what counts is the disagreement of x.
 */

import { centre, dot } from "../number/vectors.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import { add, type Matrix, mixed, projection, times, transpose } from "./dense.ts";
import { eigenvalues } from "./eigenvalues.ts";
import type { Gains } from "./gains.ts";
import { largestEigenpair } from "./lanczos.ts";
import { applyPair } from "./pair.ts";
import type { RoundSequence } from "./sequence.ts";

/** The largest n for dense methods: a few seconds and 40 MB. */
export const DENSE_NODES = 512;
/** Sums stop where this is left of a square. */
const NOTHING = 1e-24;

export function denseGains(topology: RoundSequence): Gains {
  const { n, symmetric, pair, period } = topology;
  if (period === 1 && symmetric && pair === undefined) return symmetricGains(topology.round(0));
  // Beyond this the cubes are cheaper; two vectors a node have no other way.
  const rounds = pair === undefined ? 4 * n : 1e6;
  return followed(topology, Math.ceil(rounds / period!)) ?? doubled(topology);
}

/** undefined where something is left after `most` rounds. */
function followed(topology: RoundSequence, most: number): Gains | undefined {
  const { n } = topology;
  const period = topology.period!;
  const pi = projection(n);
  // x at the end of round t of the period: the sum of what is left of every input.
  const responses: Matrix[] = Array.from({ length: period }, () => new Float64Array(n * n));
  const heard = new Float64Array(n * n);
  const rounds = Array.from({ length: period }, (_, t) => topology.round(t));
  let noise = 0;
  for (let start = 0; start < period; start++) {
    let x: Matrix = pi.slice();
    let z: Matrix = topology.pair === undefined ? new Float64Array(n * n) : pi.slice();
    for (let t = start, left = n; left > NOTHING; t++) {
      if (t - start >= most) return undefined;
      const round = rounds[t % period];
      if (topology.pair === undefined) [x, z] = [applyRound(round, x, z), x];
      else applyPair(round, topology.pair(t), x, z, heard);
      const square = dot(x, x);
      add(responses[t % period], x);
      noise += square;
      left = topology.pair === undefined ? square : square + dot(z, z);
    }
  }
  return gathered(responses, noise, n);
}

function gathered(responses: readonly Matrix[], noise: number, n: number): Gains {
  const root = (sum: number) => Math.sqrt(sum / (responses.length * (n - 1)));
  const square = responses.reduce((sum, response) => sum + dot(response, response), 0);
  return { rms: root(square), worst: worstOf(responses, n), noise: root(noise), method: "exact" };
}

/** The root of the largest eigenvalue of the mean of S^T S, without making it. */
function worstOf(responses: readonly Matrix[], n: number): number {
  const image = new Float64Array(n);
  const { value } = largestEigenpair(n, (x, y) => {
    y.fill(0);
    for (const response of responses) {
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += response[i * n + j] * x[j];
        image[i] = sum / responses.length;
      }
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) y[j] += response[i * n + j] * image[i];
    }
    centre(y);
  });
  return Math.sqrt(Math.max(0, value));
}

/** One symmetric W: eigenvalue l gives l / (1 - l), and l^2 / (1 - l^2) for the noise. */
function symmetricGains(round: Round): Gains {
  const { n } = round;
  const squares = new GainSquares();
  // W - J has a 0 in place of the 1 of consensus, which adds nothing.
  for (const value of eigenvalues(mixed(round, projection(n)), n).re) {
    // Rounding may leave an eigenvalue of a disconnected graph beyond 1.
    const gain = value / Math.max(0, 1 - value);
    squares.add(gain * gain, (value * value) / Math.max(0, 1 - value * value), 1);
  }
  return squares.gains(n);
}

/** The gains from the squares that belong to each eigenvalue. */
export class GainSquares {
  #squares = 0;
  #noise = 0;
  #worst = 0;

  add(square: number, noise: number, times: number): void {
    this.#squares += times * square;
    this.#noise += times * noise;
    this.#worst = Math.max(this.#worst, square);
  }

  gains(n: number): Gains {
    const root = (sum: number) => Math.sqrt(sum / (n - 1));
    return { rms: root(this.#squares), worst: Math.sqrt(this.#worst), noise: root(this.#noise), method: "exact" };
  }
}

/** Slow rounds that are not symmetric. */
function doubled(topology: RoundSequence): Gains {
  const { n, period } = topology;
  const rounds = Array.from({ length: period! }, (_, t) => topology.round(t));
  const pi = projection(n);
  let power: Matrix = pi;
  let response: Matrix = new Float64Array(n * n);
  let covariance: Matrix = new Float64Array(n * n);
  const pass = (round: Round) => {
    response = mixed(round, add(response, pi));
    // W (C + Pi) W^T, C being symmetric.
    covariance = mixed(round, transpose(mixed(round, add(covariance, pi)), n));
  };
  for (const round of rounds) {
    power = mixed(round, power);
    pass(round);
  }
  for (let doublings = 0; dot(power, power) > NOTHING; doublings++) {
    // A period that never changes some disagreement has no limit.
    if (doublings > 60) return { rms: Infinity, worst: Infinity, noise: Infinity, method: "exact" };
    response = add(times(power, response, n), response);
    covariance = add(times(power, transpose(times(power, covariance, n), n), n), covariance);
    power = times(power, power, n);
  }
  let noise = 0;
  const responses = rounds.map((round) => {
    pass(round);
    for (let i = 0; i < n; i++) noise += covariance[i * n + i];
    return response.slice();
  });
  return gathered(responses, noise, n);
}
