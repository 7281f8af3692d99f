/**
 * How many iterations a gradient method takes over a topology, until the relative error is at most a tolerance, for the
 * model problem (model-problem.ts). The step g is in units of 1 / L and at most 1. Without a network the error shrinks by
 * 1 - g h an iteration in every direction, h its curvature; what a network adds depends on the method:
 *
 * - Methods with a bias (DSGD): at the end disagreement is g G b. G, the gain, is what the method makes of constant gradients:
 *   the graph's rms gain (rate/gains.ts) where data is shuffled, and followed, round by round, for the data itself where it is
 *   sorted or messages are dropped. Noise settles at g N sigma likewise, and the noise of the averaged model at
 *   sigma (g sum of 1 / (2 n d h (1 - g h / 2)))^1/2. Of all g the one with the fewest iterations is taken.
 * - Exact methods (gradient tracking, D2 and its like, EXTRA): the method itself is run on the model problem, from the largest
 *   step down, until no smaller one can be faster. A step counts only where one a third larger does not diverge either. A run
 *   that takes too long is taken to go on as in its last quarter. Where there is noise, the step becomes so small that the
 *   noise of the averaged model is below the tolerance, and the network slows it down by the factor that was found.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { staticSymmetric } from "../algorithm/condition.ts";
import { drive } from "../algorithm/drive.ts";
import { optimiserOf } from "../algorithm/registry.ts";
import { createWorld } from "../algorithm/world.ts";
import { Network } from "../faults/network.ts";
import { settle } from "../input/option.ts";
import { log } from "../number/elementary.ts";
import { centre, dot, norm } from "../number/vectors.ts";
import type { Problem } from "../problem/problem.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { gains } from "../rate/gains.ts";
import { unmarkUnheard } from "../round/messages.ts";
import { plainMixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";
import { type Certainty, type ConsensusGoal, type Forecast, roundsAt } from "./consensus.ts";
import type { ModelProblem } from "./model-problem.ts";
import type { Question } from "./question.ts";

export interface LearningForecast extends Forecast {
  readonly step: number;
}

/** What the answer depends on beside the method, the topology and the model problem. */
export type Goal = ConsensusGoal & Pick<Question, "sigma" | "heterogeneous">;

interface Gain {
  readonly gain: number;
  readonly certainty: Certainty;
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
export function exactMeanForecast(problem: ModelProblem, sigma: number, tolerance: number): LearningForecast {
  return { ...bestStep(problem, averagedNoise(problem, sigma), tolerance, 1), certainty: "model" };
}

/** For the model problem with gradient noise of size sigma, in units of L times the way to the solution. */
export function learningForecast(
  method: Algorithm,
  topology: Topology,
  problem: ModelProblem,
  goal: Goal,
): LearningForecast {
  const { tolerance, sigma } = goal;
  const averaged = averagedNoise(problem, sigma);
  if (method.exact) {
    const found = fewestIterations(method, topology, problem, goal);
    const alone = descent(problem, found.step, tolerance);
    const { rounds, step } = bestStep(problem, averaged, tolerance, found.step);
    return { rounds: Math.ceil((rounds * found.rounds) / alone), step, certainty: found.certainty };
  }
  const bias = gainOf(method, topology, problem, goal);
  const noise = sigma === 0 ? 0 : noiseGainOf(method, topology, problem, goal) * sigma;
  const b = norm(problem.apart) / Math.sqrt(problem.n);
  const floor = (g: number) => (g * bias.gain * b) ** 2 + (g * noise) ** 2 + averaged(g);
  return { ...bestStep(problem, floor, tolerance, 1), ...bias };
}

/** The mean square of gradient noise that is left in the averaged model, at a step. */
const averagedNoise =
  ({ n, d, curvatures }: ModelProblem, sigma: number) =>
  (g: number) =>
    sigma === 0 ? 0 : curvatures.reduce((sum, h) => sum + (sigma ** 2 * g) / (2 * n * d * h * (1 - (g * h) / 2)), 0);

/** Steps are tried in factors of 1.1 down from the largest. */
const FACTOR = 1.1;

/** The fewest iterations after which descent and a mean square that stays are within the tolerance, over all steps. */
function bestStep(problem: ModelProblem, floor: (step: number) => number, tolerance: number, largest: number) {
  let best = { rounds: Number.POSITIVE_INFINITY, step: 0 };
  for (let step = largest; step > 1e-16 && descent(problem, step, tolerance) < best.rounds; step /= FACTOR) {
    const left = tolerance ** 2 - floor(step);
    // Over a graph in parts the floor is infinite, or no number.
    const rounds = left > 0 ? descent(problem, step, Math.sqrt(left)) : Number.POSITIVE_INFINITY;
    if (rounds < best.rounds) best = { rounds, step };
  }
  return best;
}

/** The least T with mean over h of (1 - g h)^2T <= target^2. */
function descent({ curvatures }: ModelProblem, step: number, target: number): number {
  const left = (rounds: number) => curvatures.reduce((sum, h) => sum + (1 - step * h) ** (2 * rounds), 0);
  const goal = target ** 2 * curvatures.length;
  let [low, high] = [0, 1];
  for (; left(high) > goal; high *= 2) if (high > 1e12) return Number.POSITIVE_INFINITY;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (left(middle) <= goal) high = middle;
    else low = middle;
  }
  return high;
}

/** The rows of a run after each update, for ever. */
function* rowsOf(method: Algorithm, topology: Topology, problem: Problem, step: number, { loss, seed }: ConsensusGoal) {
  const { n } = problem;
  const optimiser = optimiserOf(method, { name: method.name, learningRate: step }, problem);
  const mixer = plainMixer(n);
  const world = createWorld({ topology, problem, learningRate: optimiser.learningRate, seed, rows: mixer.rows });
  const running = optimiser.start(world);
  const network = new Network(topology, { drop: loss }, seed);
  for (let t = 0; ; t++) {
    drive(
      running,
      t,
      ({ vectors, heard }, turn) => {
        const { round } = network.passage(turn.round, turn.exchange);
        if (heard !== undefined) unmarkUnheard(round, heard);
        return vectors.map((rows) => mixer.mix(round, rows));
      },
      optimiser.exchanges,
    );
    yield running.state.x;
  }
}

/** Numbers that one run may touch, some tens of milliseconds, and the least and most updates that these may be. */
const WORK = 2e7;
const UPDATES = [200, 5000] as const;

/** Updates that one run may take. */
const longest = ({ n, d }: Problem, { maxDegree }: Topology) =>
  Math.min(UPDATES[1], Math.max(UPDATES[0], Math.floor(WORK / (n * d * (d + 1 + maxDegree)))));

/** Between the steps at which an exact method is run. */
const COARSE = 1.3;

function fewestIterations(method: Algorithm, topology: Topology, problem: ModelProblem, goal: ConsensusGoal) {
  const { tolerance } = goal;
  let best: Run & { readonly step: number } = { rounds: Number.POSITIVE_INFINITY, certainty: "run", step: 0 };
  const allowed = longest(problem, topology);
  // The first step is beyond what is allowed: it only shows whether the next is safe.
  let safe = false;
  for (let step = COARSE * largestStep(method, topology), worse = 0; step > 1e-9 && worse < 3; step /= COARSE) {
    const alone = descent(problem, step, tolerance);
    if (alone >= best.rounds) break;
    // A smaller step may be better than one that takes four times as long as it would alone.
    const most = Math.min(allowed, 4 * alone + 64);
    const found = arrival(rowsOf(method, topology, problem, step, goal), problem, goal, most);
    const counts = safe && (found.certainty === "run" || most === allowed);
    if (counts && found.rounds < best.rounds) [best, worse] = [{ ...found, step }, 0];
    // Where drops move the mean, or over a graph in parts, it rests away from the solution, whatever the step.
    else if (best.step > 0 || found.rests) worse++;
    safe = found.falls;
  }
  if (best.certainty === "run") return best;
  // By then the slowest direction of a symmetric W may not show; of a graph in parts it stays for ever.
  const { largest = 0 } = topology.rate().eigenvalues ?? {};
  return { ...best, rounds: Math.max(best.rounds, roundsAt(largest, tolerance)) };
}

/** In units of 1 / L: 1, and for methods that need one symmetric W (EXTRA) below 1 + its smallest eigenvalue, if that is less. */
function largestStep({ condition }: Algorithm, topology: Topology): number {
  const { smallest = 0 } = (condition === staticSymmetric && topology.rate().eigenvalues) || {};
  return Math.min(1, 0.95 * (1 + smallest) + (condition === staticSymmetric ? 0 : 1));
}

interface Run {
  readonly rounds: number;
  /** "late": it did not arrive, and what is said of it follows from its last quarter. */
  readonly certainty: "run" | "late";
}

/** When the error is first at most the tolerance, and whether it falls, rests short of that, or neither. */
function arrival(run: Iterable<Rows>, { n }: Problem, { tolerance, loss }: ConsensusGoal, most: number) {
  const last = Math.ceil(most / 4);
  let [t, error, before] = [0, 1, 1];
  for (const x of run) {
    error = norm(x) / Math.sqrt(n);
    if (error <= tolerance) return { rounds: t + 1, certainty: "run", falls: true, rests: false } as const;
    if (++t === most - last) before = error;
    if (t >= most || !(error < 1e6)) break;
  }
  // With drops an error that rests goes up and down.
  const falls = error < (loss > 0 ? 0.5 : 0.999) * before;
  const rest = falls ? Math.ceil((log(tolerance / error) / log(error / before)) * last) : Number.POSITIVE_INFINITY;
  return { rounds: t + rest, certainty: "late", falls, rests: !falls && error < 1 } as const;
}

/** The disagreement that a method makes of the problem's gradients at the solution, for a step of 1 and a b of 1. */
function gainOf(method: Algorithm, topology: Topology, problem: ModelProblem, goal: Goal): Gain {
  const { pair, moments } = topology;
  if (goal.loss === 0 && pair === undefined && (!goal.heterogeneous || moments !== undefined)) {
    const { rms, method: how } = gains(topology);
    return { gain: rms, certainty: how === "sampled" ? "sampled" : "model" };
  }
  const size = norm(problem.apart) || 1;
  return followed(method, topology, problem, goal, size, (_t, out) => out.set(problem.apart));
}

/** The same of gradient noise that is fresh in every iteration. */
function noiseGainOf(method: Algorithm, topology: Topology, problem: ModelProblem, goal: Goal): number {
  if (goal.loss === 0 && topology.pair === undefined) return gains(topology).noise;
  const size = Math.sqrt(problem.n * problem.d);
  const draw = (t: number, out: Float64Array) => void fillNormal(out, goal.seed, streams.gains, t);
  return followed(method, topology, problem, goal, size, draw).gain;
}

/** The root mean square of the disagreement over iterations 2^k to 2^(k + 1), as soon as it no longer changes. */
function followed(
  method: Algorithm,
  topology: Topology,
  { n, d }: Problem,
  goal: Goal,
  size: number,
  gradients: (t: number, out: Float64Array) => void,
): Gain {
  const problem: Problem = {
    ...{ name: "constant", n, d, metrics: () => ({}) },
    gradient: (_x, t, out) => gradients(t, out as Float64Array),
  };
  const most = longest(problem, topology);
  let [t, begun, squares, before] = [0, 0, 0, 0];
  for (const x of rowsOf(method, topology, problem, 1, goal)) {
    const apart = Float64Array.from(x);
    centre(apart, d);
    squares += dot(apart, apart);
    // Powers of two from 16 on end a window.
    if (++t < 16 || (t & (t - 1)) !== 0) continue;
    const level = Math.sqrt(squares / (t - begun)) / size;
    if (level < 1.02 * before && level > 0.98 * before) return { gain: level, certainty: "sampled" };
    if (t > most) return { gain: level > 1.2 * before ? Number.POSITIVE_INFINITY : level, certainty: "sampled" };
    [before, begun, squares] = [level, t, 0];
  }
  throw new Error("unreachable");
}
