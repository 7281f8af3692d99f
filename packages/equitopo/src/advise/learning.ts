/**
 * How many iterations a gradient method takes over a topology, until the relative error is at most a tolerance. A model, not
 * a theorem: f is mu-strongly convex and L-smooth, kappa = L / mu, and the step g is in units of 1 / L.
 *
 * Without a network the error shrinks by 1 - g / kappa an iteration, g <= 1. A network adds:
 *
 * - methods with a bias (DSGD): disagreement settles at g G b, G the gain of the graph (rate/gains.ts): rms where the
 *   data is shuffled, worst where it is sorted; noise at g N sigma, N the noise gain; and the averaged noise of SGD itself,
 *   sigma (g kappa / 2n)^1/2. Of all g the one with the fewest iterations is taken.
 * - gradient tracking: the step must not exceed about 1 / (worst gain), because what a node gets wrong about the mean
 *   gradient comes back through the network. g = 1.2 / (0.5 + worst) is fitted to the iterations of eleven graphs on the
 *   paper's least squares at the best of nine steps, 34 to 326 of them, and within a fifth of each.
 * - corrected methods (D2, exact diffusion, NIDS): as long as lazy averaging to the tolerance takes, or as gradient descent.
 *
 * b and sigma are in units of L times the distance from start to solution. A loss p makes a graph lazier: to first order
 * W becomes (1 - p) W + p I, and a gain G becomes G + p (1 + G) / (1 - p).
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { settle } from "../input/option.ts";
import { log } from "../number/elementary.ts";
import { gains } from "../rate/gains.ts";
import { forEachEdgeInto, type Round } from "../round/round.ts";
import { sparseRound } from "../topology/graph.ts";
import type { Neighbour, Topology } from "../topology/topology.ts";
import { type ConsensusGoal, type Forecast, roundsAt, sampledRounds } from "./consensus.ts";
import type { Question } from "./question.ts";

/** The constants of a problem, and whether its data is sorted: what counts is then the worst direction. */
export type ProblemClass = Pick<Question, "kappa" | "b" | "sigma" | "heterogeneous">;

export interface LearningForecast extends Forecast {
  readonly step: number;
}

/** What of an algorithm decides how a network slows it down. */
export type Manner = "biased" | "tracking" | "corrected";

export function mannerOf(algorithm: Algorithm): Manner {
  if (Object.values(algorithm.states).includes("tracker")) return "tracking";
  return algorithm.exact ? "corrected" : "biased";
}

/** Why this model says nothing of an algorithm, or undefined where it does. */
export function unmodelled(algorithm: Algorithm): string | undefined {
  const sends = algorithm.sends(settle(algorithm.name, algorithm.options, {}));
  if (sends.reductions !== undefined) return "it averages exactly now and then";
  if (sends.compressed !== undefined) return "it compresses";
  if (!Number.isInteger(sends.vectors)) return "it does not send in every iteration";
  if (Object.values(algorithm.states).includes("own")) return "it has momentum";
  return undefined;
}

/** The iterations of a method without any network, or over an exact mean in every iteration. */
export function exactMeanForecast(n: number, { kappa, sigma }: ProblemClass, tolerance: number): LearningForecast {
  return { ...bestStep((g) => sigma * Math.sqrt((g * kappa) / (2 * n)), kappa, tolerance), certainty: "model" };
}

export function learningForecast(
  algorithm: Algorithm,
  topology: Topology,
  problem: ProblemClass,
  goal: ConsensusGoal,
): LearningForecast {
  const manner = mannerOf(algorithm);
  if (manner === "corrected") return corrected(topology, problem, goal);
  const found = gains(topology);
  const { tolerance, loss } = goal;
  // Of a graph in parts the gain is infinite, and 0 times that is no number.
  const lossy = (gain: number) => (loss === 0 ? gain : gain + (loss * (1 + gain)) / (1 - loss));
  const certainty = found.method === "sampled" ? "sampled" : "model";
  if (manner === "tracking") {
    const gain = lossy(found.worst);
    const step = Math.min(1, 1.2 / (0.5 + gain));
    return { rounds: roundsAt(1 - step / problem.kappa, tolerance), step, certainty, gain };
  }
  const { kappa, b, sigma, heterogeneous } = problem;
  const gain = lossy(heterogeneous ? found.worst : found.rms);
  const noise = lossy(found.noise);
  const floor = (g: number) => {
    const averaged = (g * kappa * sigma ** 2) / (2 * topology.n);
    return Math.sqrt((g * gain * b) ** 2 + (g * noise * sigma) ** 2 + averaged);
  };
  return { ...bestStep(floor, kappa, tolerance), gain, certainty };
}

/** Steps are tried in factors of 1.1 from 1 down. */
const FACTOR = 1.1;
const STEPS = 400;

/** The fewest iterations with (1 - g / kappa)^iterations + floor(g) <= tolerance, over g. */
function bestStep(floor: (g: number) => number, kappa: number, tolerance: number) {
  let best = { rounds: Number.POSITIVE_INFINITY, step: 0 };
  for (let k = 0, g = 1; k < STEPS; k++, g /= FACTOR) {
    const left = tolerance - floor(g);
    const factor = 1 - g / kappa;
    // Steps so small that they round away get nowhere, nor do those over a graph in parts, whatever it is that differs.
    if (!(left > 0) || factor === 1) continue;
    const rounds = factor <= left ? 1 : Math.ceil(log(left) / log(factor));
    if (rounds < best.rounds) best = { rounds, step: g };
  }
  return best;
}

function corrected(topology: Topology, { kappa }: ProblemClass, goal: ConsensusGoal): LearningForecast {
  const { rounds, certainty } = lazyForecast(topology, goal);
  const alone = roundsAt(1 - 1 / kappa, goal.tolerance);
  return { rounds: Math.max(rounds, alone), step: 1, certainty: certainty === "sampled" ? "sampled" : "model" };
}

/** Rounds of (I + W) / 2: E |V x|^2 = (1 + 2 mean + square) / 4 where all directions are alike, else by running. */
function lazyForecast(topology: Topology, goal: ConsensusGoal): Forecast {
  const { moments, maxDegree } = topology;
  if (moments !== undefined && (goal.loss === 0 || maxDegree === 1)) {
    const mean = (1 - goal.loss) * moments.mean + goal.loss;
    const square = (1 - goal.loss) * moments.square + goal.loss;
    return { rounds: roundsAt(Math.sqrt((1 + 2 * mean + square) / 4), goal.tolerance), certainty: "mean square" };
  }
  const { eigenvalues } = topology.kind === "static" ? topology.rate() : { eigenvalues: undefined };
  if (eigenvalues !== undefined && goal.loss === 0) {
    return { rounds: roundsAt((1 + eigenvalues.largest) / 2, goal.tolerance), certainty: "exact" };
  }
  return sampledRounds(lazily(topology), goal);
}

/** The lazy form of a round, (I + W) / 2: what D2, exact diffusion and NIDS mix with over graphs that change. */
export function lazyRound(round: Round): Round {
  switch (round.kind) {
    case "circulant":
      return { ...round, self: (1 + round.self) / 2, weights: round.weights.map(half) };
    case "matching":
      return { ...round, weight: half(round.weight) };
    case "sparse":
      return { ...round, self: round.self.map((weight) => (1 + weight) / 2), weights: round.weights.map(half) };
    case "mean":
      return { ...round, keep: (1 + round.keep) / 2 };
    case "grouped":
      // Half of a node's own row is no group's mean any more: written out, edge by edge.
      return lazyRound(
        sparseRound(round.n, (i) => {
          const links: Neighbour[] = [];
          forEachEdgeInto(round, i, (node, _to, weight) => links.push({ node, weight }));
          return links;
        }),
      );
  }
}

const half = (weight: number) => weight / 2;

/** The same rounds, lazily, for gossip: nothing else of the topology holds of them. */
export function lazily(topology: Topology): Topology {
  const { exactAfter: _exact, moments: _moments, norm: _norm, pair: _pair, hierarchy: _groups, ...rest } = topology;
  return { ...rest, round: (t) => lazyRound(topology.round(t)) };
}
