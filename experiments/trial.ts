/**
 * An algorithm on the rivals' least squares (lcg.ts) with full gradients, for several constant learning rates and each
 * repeat: where it stalls, where it ends, and after how many iterations its error is 1e-6.
 */

import type { Topology, TopologySpec } from "equitopo";
import { algorithms, anyWeights, createAlgorithm, createTopology, simulate } from "equitopo";
import { defined } from "equitopo/internal/input";
import { mean, type Unit } from "equitopo/internal/outcome";
import type { LeastSquares } from "equitopo/internal/problem";
import { vectorsUpTo } from "./averaging.ts";
import { type Heterogeneity, rivalProblem } from "./lcg.ts";

export interface TrialUnit extends Unit {
  readonly kind: "trial";
  /** One for each repeat. */
  readonly topologies: readonly TopologySpec[];
  readonly algorithm: string;
  readonly learningRates: readonly number[];
  readonly spread: Heterogeneity;
  readonly rounds: number;
  /** The share of messages that are dropped. */
  readonly drop?: number;
  /**
   * Run it even if its condition refuses the graph: it may be stable at the learning rates tried, and unstable at small ones.
   */
  readonly anyway?: true;
  /** Also the curves to 1e-6. */
  readonly curves?: true;
}

/** Why the algorithm refuses this graph, if it does; everything else is then empty, unless it was run anyway. */
export type TrialResult = ReturnType<typeof tryOut>;

const TOLERANCE = 1e-6;

/** Drawing the data costs as much as a run, so units of one size share it. */
const problems = new Map<string, LeastSquares>();
function problemOf(n: number, spread: Heterogeneity): LeastSquares {
  const problem = problems.get(`${n} ${spread}`) ?? rivalProblem(n, spread);
  problems.set(`${n} ${spread}`, problem);
  return problem;
}

/** Does the work. That an algorithm refuses the graph is a result, too. Lists are by learning rate and repeat. */
export function tryOut(unit: TrialUnit) {
  const topologies = unit.topologies.map((spec) => createTopology(spec));
  const [first] = topologies;
  const refused = algorithms.get(unit.algorithm).condition.unfit(first);
  const run = refused === undefined || unit.anyway;
  const rates = run ? unit.learningRates : [];
  const curves = rates.map((rate) => topologies.map((graph, seed) => curveOf(unit, rate, graph, seed)));
  return defined({
    refused,
    // The root mean square of the relative error over the last half, and the error at the end; null if it diverged.
    late: curves.map((runs) => runs.map((curve) => finite(lateLevel(curve)))),
    final: curves.map((runs) => runs.map((curve) => finite(curve[curve.length - 1]))),
    // The first iteration after which the relative error is below 1e-6, and the errors until then; null if there is none.
    reached: curves.map((runs) => runs.map(firstBelow)),
    curves: run && unit.curves ? curves.map((runs) => runs.map(curveToThere)) : undefined,
    // Messages that a node sends up to iteration t, mean over the nodes, of the first repeat.
    vectors: run ? vectorsUpTo(first, unit.rounds) : [],
  });
}

function curveOf(unit: TrialUnit, learningRate: number, topology: Topology, seed: number): readonly number[] {
  const { algorithm, spread, rounds, drop } = unit;
  const problem = problemOf(topology.n, spread);
  const optimiser = createAlgorithm({ name: algorithm, learningRate }, problem);
  const { metrics } = simulate({
    topology,
    // Whether it fits has been checked already; checking again may cost more than the run.
    algorithm: { ...optimiser, algorithm: { ...optimiser.algorithm, condition: anyWeights } },
    problem,
    ...{ rounds, seed, faults: defined({ drop }) },
  });
  return metrics["relativeError"];
}

/** Nothing, as JSON has no infinity. */
export const finite = (value: number) => (Number.isFinite(value) ? value : null);

function lateLevel(curve: readonly number[]): number {
  const half = curve.slice((curve.length - 1) / 2 + 1);
  return Math.sqrt(mean(half.map((value) => value * value)));
}

function firstBelow(curve: readonly number[]): number | null {
  const at = curve.findIndex((error) => error < TOLERANCE);
  return at < 0 ? null : at;
}

function curveToThere(curve: readonly number[]): readonly number[] | null {
  const at = firstBelow(curve);
  return at === null ? null : curve.slice(0, at + 1);
}
