/**
 * How a network averages the rows of an evaluation (Problem.evaluation): by a fixed schedule of one-peer rounds that is fast
 * whatever the run's own topology is. It is the one-peer exponential graph if n is a power of two (exact after log2 n
 * rounds), otherwise OD-EquiDyn until the disagreement has shrunk by 1e-6. Both are directed, so a weight travels beside the
 * values and the mean is the ratio (push-sum). Peers do these rounds by messages, the simulator over all rows: the same
 * additions in the same order, the same bits.
 */

import type { Liars } from "../faults/liars.ts";
import { attachWeights, ratios } from "../faults/push-sum.ts";
import type { Evaluation, Problem } from "../problem/problem.ts";
import { predictedRounds } from "../rate/prediction.ts";
import type { Mixer } from "../round/mixer.ts";
import type { Rows } from "../round/round.ts";
import { odEquiDyn } from "../topology/od-equidyn.ts";
import { onePeerExp } from "../topology/one-peer-exp.ts";
import type { Topology } from "../topology/topology.ts";

/** Rounds 0 .. rounds - 1 of the topology, in every evaluation; none if there is only one node. */
export interface Averaging {
  readonly topology: Topology | undefined;
  readonly rounds: number;
}

/**
 * @example
 * ```ts
 * import { averaging } from "equitopo/run";
 * averaging(16).rounds // => 4
 * averaging(17).topology?.name // => "od-equidyn"
 * ```
 */
export function averaging(n: number): Averaging {
  if (n < 2) return { topology: undefined, rounds: 0 };
  const topology = (n & (n - 1)) === 0 ? onePeerExp({ n }) : odEquiDyn({ n });
  return { topology, rounds: predictedRounds(topology, 1e-6) };
}

/**
 * Averages n rows, or those that are not marked in `without`, as n peers would; answers with new rows for all nodes. The
 * mixer's memory is taken once for each width.
 */
export function averager(mixer: Mixer, without?: Uint8Array): (rows: Rows) => Rows {
  const { topology, rounds } = averaging(mixer.n);
  const memory = new Map<number, Rows>();
  return (rows) => {
    if (topology === undefined) return rows.slice();
    const width = rows.length / mixer.n;
    let weighted = memory.get(width) ?? mixer.rows(width + 1);
    for (let i = 0; i < mixer.n; i++) {
      const [own, out] = [rows.subarray(i * width, (i + 1) * width), weighted.subarray(i * (width + 1))];
      attachWeights(own, width, out, 1 - (without?.[i] ?? 0));
    }
    for (let t = 0; t < rounds; t++) weighted = mixer.mix(topology.round(t), weighted);
    memory.set(width, weighted);
    const means = rows.slice();
    ratios(weighted, width, means);
    return means;
  };
}

/** What the problem's evaluation finds at all rows of a simulation, averaged as real peers would; without the rows of liars. */
export function evaluator(problem: Problem, mixer: Mixer, liars?: Liars) {
  const evaluation = problem.evaluation as Evaluation;
  const average = averager(mixer, liars?.marks);
  return (x: Rows, updates: number, last: boolean): Readonly<Record<string, number>> => {
    const steps = evaluation.tally(x, updates, 0, problem.n, last);
    let step = steps.next();
    while (!step.done) step = steps.next(step.value.map(average));
    return evaluation.summarise(step.value.filter((_, node) => liars?.marks[node] !== 1));
  };
}
