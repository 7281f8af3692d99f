/**
 * The work of the study of outer rules (outer.ts): a rule of local steps over a graph, on data that nodes have apart.
 *
 * - training: least squares or logistic regression; every node's solution is its own (iid), or that of one of ten groups of
 *   neighbouring labels (sorted); full gradients, cosine down to a tenth. A run for each seed and learning rate.
 * - settling: where models of all nodes are alike but for noise, how far apart outer steps leave them, beside what is
 *   predicted (rate/outer.ts).
 */

import type { AlgorithmSpec, Problem, TopologySpec } from "equitopo";
import { anyWeights, createTopology, leastSquares, simulate } from "equitopo";
import { createAlgorithm, type Optimiser } from "equitopo/internal/algorithm";
import type { Unit } from "equitopo/outcome";
import { logisticFrom } from "equitopo/problem";
import { outerStability } from "equitopo/rate";
import { type Heterogeneity, lcgNormals, rivalProblem } from "./lcg.ts";
import { finite } from "./trial.ts";

export interface TrainingUnit extends Unit {
  readonly kind: "outer-training";
  readonly problem: "least-squares" | "logistic";
  readonly spread: Heterogeneity;
  readonly algorithm: AlgorithmSpec;
  /** One for each seed. */
  readonly topologies: readonly TopologySpec[];
  readonly learningRates: readonly number[];
  readonly updates: number;
}

export interface SettlingUnit extends Unit {
  readonly kind: "outer-settling";
  readonly algorithm: AlgorithmSpec;
  readonly topology: TopologySpec;
  readonly outerSteps: number;
}

/** Checked apart from the run: what is refused is run all the same, to see whether it diverges. */
function unchecked(spec: AlgorithmSpec, context: Problem): Optimiser {
  const optimiser = createAlgorithm(spec, context);
  return { ...optimiser, algorithm: { ...optimiser.algorithm, condition: anyWeights } };
}

const refusalOf = ({ algorithm, spec }: Optimiser, topology: TopologySpec) =>
  algorithm.condition.unfit(createTopology(topology), spec);

const known = new Map<string, Problem & { error(x: ArrayLike<number>): number }>();

/** By seed; the error is that of the mean of all models: a distance to the solution, or a norm of the gradient. */
function problemOf({ problem, spread }: TrainingUnit, n: number, seed: number) {
  const key = `${problem} ${spread} ${n} ${seed}`;
  const made = known.get(key) ?? (problem === "logistic" ? logisticOf(n, spread, seed) : squaresOf(n, spread, seed));
  if (known.size > 32) known.clear();
  known.set(key, made);
  return made;
}

function squaresOf(n: number, spread: Heterogeneity, seed: number) {
  const problem = rivalProblem(n, spread, { seed: 5 + seed });
  const best = problem.solution();
  const size = Math.hypot(...best);
  return { ...problem, error: (mean: ArrayLike<number>) => Math.hypot(...best.map((v, j) => mean[j] - v)) / size };
}

const SAMPLES = 50;

function logisticOf(n: number, spread: Heterogeneity, seed: number) {
  const d = 10;
  const draw = lcgNormals(5 + seed);
  const centre = draw(d);
  const h = new Float64Array(n * SAMPLES * d);
  const y = new Float64Array(n * SAMPLES);
  for (let i = 0; i < n; i++) {
    const own = draw(d);
    const v = spread === "iid" ? own : lcgNormals(1005 + seed + Math.floor((10 * i) / n))(d);
    h.set(draw(SAMPLES * d), i * SAMPLES * d);
    const doubts = draw(SAMPLES);
    for (let row = i * SAMPLES; row < (i + 1) * SAMPLES; row++) {
      let value = 1.7 * doubts[row - i * SAMPLES];
      for (let j = 0; j < d; j++) value += h[row * d + j] * (centre[j] + v[j]);
      y[row] = value > 0 ? 1 : -1;
    }
  }
  const problem = logisticFrom({ n, d, h, y });
  return { ...problem, error: (mean: ArrayLike<number>) => problem.metrics(Float64Array.from(mean))["gradientNorm"] };
}

/** By learning rate and seed; null where a run diverged. Nothing where the rule refuses the graph. */
export function trained(unit: TrainingUnit) {
  const { algorithm, topologies, learningRates, updates } = unit;
  const refused = refusalOf(createAlgorithm(algorithm), topologies[0]);
  const runs =
    refused !== undefined ? [] : learningRates.map((rate) => topologies.map((graph, seed) => run(rate, graph, seed)));
  const by = (name: "error" | "apart") => runs.map((seeds) => seeds.map((one) => finite(one[name])));
  return { ...(refused === undefined ? {} : { refused }), errors: by("error"), apart: by("apart") };

  function run(rate: number, graph: TopologySpec, seed: number) {
    const topology = createTopology(graph);
    const problem = problemOf(unit, topology.n, seed);
    const learningRate = { name: "cosine", rate, rounds: updates, floor: rate / 10 };
    const optimiser = unchecked({ ...algorithm, learningRate }, problem);
    const { x, metrics } = simulate({ topology, algorithm: optimiser, problem, updates, every: updates, seed });
    const { n, d } = problem;
    const mean = Array.from({ length: d }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += x[i * d + j];
      return sum / n;
    });
    return { error: problem.error(mean), apart: (metrics["consensusDistance"].at(-1) as number) / Math.sqrt(n) };
  }
}

/** Disagreement that has become so many times what one outer step makes of it grows. */
export const FAR = 1e3;

/** So small a step that the curvature plays no part, and so much noise that the way to the solution plays none. */
const [STEP, NOISE, COLUMNS] = [1e-9, 1e3, 10];

/** Root mean square of a number's distance from its mean over the nodes, in units of an outer step's drift. */
export function settled({ algorithm, topology: spec, outerSteps }: SettlingUnit) {
  const topology = createTopology(spec);
  const { n } = topology;
  const problem = leastSquares({ n, d: COLUMNS, K: COLUMNS, sigmaS: 0, sigmaH: 0, sigmaN: NOISE, seed: 1 });
  const optimiser = unchecked({ ...algorithm, learningRate: STEP, inner: { name: "sgd" } }, problem);
  const { every = 1 } = optimiser.exchanges;
  const options = { topology, algorithm: optimiser, problem, updates: every * outerSteps, every, seed: 1 };
  const distances = simulate(options).metrics["consensusDistance"];
  const late = distances.slice(Math.ceil(distances.length / 4));
  const square = late.reduce((sum, value) => sum + value * value, 0) / late.length / n / COLUMNS;
  const drift = STEP * Math.sqrt(every) * NOISE;
  const model = createAlgorithm(algorithm).algorithm.outer?.(optimiser.spec as never);
  if (model === undefined) throw new Error(`${algorithm.name} has no model`);
  const { disagreement, factor } = outerStability(topology, model);
  const refused = refusalOf(createAlgorithm(algorithm), spec);
  return {
    measured: finite(Math.sqrt(square) / drift / model.speed),
    predicted: finite(disagreement),
    factor,
    grew: !(distances[distances.length - 1] < FAR * distances[1]),
    refused: refused !== undefined,
  };
}
