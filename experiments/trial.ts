/**
 * An algorithm on the rivals' least squares (lcg.ts), full gradients, constant learning rate, for each of several learning
 * rates and each repeat: where it stalls, where it ends, and after how many iterations it is at 1e-6.
 */

import { anyWeights, createAlgorithm, createTopology, simulate, type Topology, type TopologySpec } from "equitopo";
import type { LeastSquares } from "equitopo/problem";
import { vectorsUpTo } from "./averaging.ts";
import { type Heterogeneity, rivalProblem } from "./lcg.ts";

export interface TrialUnit {
  readonly kind: "trial";
  readonly key: string;
  /** One for each repeat. */
  readonly topologies: readonly TopologySpec[];
  readonly algorithm: string;
  readonly learningRates: readonly number[];
  readonly spread: Heterogeneity;
  readonly rounds: number;
  /** The share of messages that are lost. */
  readonly drop?: number;
  /** Run it also where its condition refuses the graph: it may hold at the learning rates tried, and at no small one. */
  readonly anyway?: true;
  /** Also the curves to 1e-6. */
  readonly curves?: true;
}

export interface TrialResult {
  /** Why the algorithm refuses this graph; everything else is empty then, unless it was run all the same. */
  readonly refused?: string;
  /** By learning rate and repeat; null where it diverged. Root mean square of the relative error over the last half. */
  readonly late: readonly (readonly (number | null)[])[];
  /** The relative error after the last iteration. */
  readonly final: readonly (readonly (number | null)[])[];
  /** The first iteration after which the relative error is below 1e-6; null where there is none. */
  readonly reached: readonly (readonly (number | null)[])[];
  /** Messages that a node sends up to iteration t, on average over the nodes, of the first repeat. */
  readonly vectors: readonly number[];
  /** Where asked for: the relative errors until they are below 1e-6, from iteration 0 on; null where they never are. */
  readonly curves?: readonly (readonly (readonly number[] | null)[])[];
}

const TOLERANCE = 1e-6;

/** Drawing the data costs as much as a run: neighbouring units share it. */
const problems = new Map<string, LeastSquares>();
function problemOf(n: number, spread: Heterogeneity): LeastSquares {
  const key = `${n} ${spread}`;
  const problem = problems.get(key) ?? rivalProblem(n, spread);
  problems.set(key, problem);
  return problem;
}

/** Does the work; an algorithm that refuses the graph is a result, too. */
export function tryOut(unit: TrialUnit): TrialResult {
  const topologies = unit.topologies.map((spec) => createTopology(spec));
  const [first] = topologies;
  const { condition } = createAlgorithm(
    { name: unit.algorithm, learningRate: 1 },
    problemOf(first.n, unit.spread),
  ).algorithm;
  const refused = condition.unfit(first);
  const reason = refused === undefined ? {} : { refused };
  if (refused !== undefined && unit.anyway !== true)
    return { ...reason, late: [], final: [], reached: [], vectors: [] };
  const curves = unit.learningRates.map((rate) => topologies.map((graph, seed) => curveOf(unit, rate, graph, seed)));
  return {
    ...reason,
    late: curves.map((runs) => runs.map((curve) => finite(lateLevel(curve)))),
    final: curves.map((runs) => runs.map((curve) => finite(curve[curve.length - 1]))),
    reached: curves.map((runs) => runs.map(firstBelow)),
    vectors: vectorsUpTo(first, unit.rounds),
    ...(unit.curves ? { curves: curves.map((runs) => runs.map(curveToThere)) } : {}),
  };
}

function curveOf(unit: TrialUnit, learningRate: number, topology: Topology, seed: number): readonly number[] {
  const { algorithm, spread, rounds, drop } = unit;
  const problem = problemOf(topology.n, spread);
  const optimiser = createAlgorithm({ name: algorithm, learningRate }, problem);
  const { metrics } = simulate({
    topology,
    // Whether it fits has been asked already; finding out may cost more than the run.
    algorithm: { ...optimiser, algorithm: { ...optimiser.algorithm, condition: anyWeights } },
    problem,
    rounds,
    seed,
    ...(drop === undefined ? {} : { faults: { drop } }),
  });
  return metrics["relativeError"];
}

const finite = (value: number) => (Number.isFinite(value) ? value : null);

function lateLevel(curve: readonly number[]): number {
  const half = curve.slice((curve.length - 1) / 2 + 1);
  return Math.sqrt(half.reduce((sum, value) => sum + value * value, 0) / half.length);
}

function firstBelow(curve: readonly number[]): number | null {
  const at = curve.findIndex((error) => error < TOLERANCE);
  return at < 0 ? null : at;
}

function curveToThere(curve: readonly number[]): readonly number[] | null {
  const at = firstBelow(curve);
  return at === null ? null : curve.slice(0, at + 1);
}
