/**
 * Stability before the run: what an outer rule does to disagreement over the rounds of a topology. Of s, which local drift
 * drives (outer-model.ts), the factor is what an outer step leaves of disagreement in the long run, in the root of the mean
 * square; below 1 it dies out, and with independent drift of size 1 at every node the models then settle at a disagreement,
 * which is given as a share of what the drift moves the mean by, eta / (1 - mu): rules compare, whatever their steps.
 *
 * Exact for circulant rounds by Fourier modes and for rounds that treat all directions alike, at any n; for one W from its
 * eigenvalues (n <= 512); for other periods from dense matrices (n <= 128); for random pairs at one label difference (n <=
 * 512) and relabelled blocks (n <= 512, any n if circulant). Elsewhere sampled, with an error.
 */

import { InputError } from "../input/input.ts";
import { mixed, projection } from "./dense.ts";
import { eigenvalues } from "./eigenvalues.ts";
import { DENSE_NODES } from "./gains-dense.ts";
import { drawnMoments, Modes } from "./modes.ts";
import { denseFactor, denseSquare, type OuterSteps } from "./outer-dense.ts";
import { labelledOuter } from "./outer-labelled.ts";
import type { OuterModel } from "./outer-model.ts";
import { type ModeSteps, modesFactor, modesGrow, modesSquare } from "./outer-modes.ts";
import { sampledDisagreement } from "./outer-sampled.ts";
import { turnedSquare } from "./outer-turned.ts";
import { TURNED_NODES, turnedMaps, turnedRadius } from "./pairings.ts";
import { allModal, type RoundSequence, repeatsInOrder, stretchOf } from "./sequence.ts";
import { cycleOf, sampledStability } from "./stability-sampled.ts";

/** The largest n for dense periods, whose matrices are 2n x 2n: a third of a second. */
const PERIOD_NODES = DENSE_NODES / 4;

export interface OuterStability {
  /** What an outer step leaves of disagreement in the long run, in the root of the mean square; below 1: stable. */
  readonly factor: number;
  /** Root mean square over the nodes, for drift of size 1 and a mean that moves by 1; Infinity if not stable. */
  readonly disagreement: number;
  readonly method: "exact" | "sampled";
  /** sampled only: each is within that much of the true one in 19 cases of 20. */
  readonly error?: { readonly factor: number; readonly disagreement: number };
}

/** A number, and how sure it is. */
interface Found {
  readonly value: number;
  /** Only of what was sampled. */
  readonly error?: number;
}

/** What is known of a topology's outer steps, whatever the model. */
interface Judge {
  /** Whether disagreement is sure to grow, which is quicker to say than the factor. */
  grows(model: OuterModel): boolean;
  factor(model: OuterModel): Found;
  readonly isSampled?: true;
  /** The root of the mean square that it settles at, if it is stable with that factor. */
  settled(model: OuterModel, factor: number): Found;
}

/** Judging the same topology again and again is the rule: by every peer of a process, and in a search. */
const judges = new WeakMap<RoundSequence, Map<string, Judge>>();

function judgeOf(topology: RoundSequence, model: OuterModel): Judge {
  const known = judges.get(topology) ?? new Map<string, Judge>();
  judges.set(topology, known);
  const key = model.mean === true ? "mean" : String(model.rounds);
  const judge = known.get(key) ?? newJudge(topology, model);
  known.set(key, judge);
  return judge;
}

/**
 * The factor and the disagreement of a rule over a topology.
 *
 * @example
 * ```ts
 * import { odEquiDyn, ring } from "equitopo";
 * import { type OuterModel, outerStability } from "equitopo/rate";
 * // Models averaged over W after every H local steps: phi+ = W (phi + d).
 * const averaging: OuterModel = {
 *   ...{ vectors: 1, stay: [0], mix: [1], drift: { stay: [0], mix: [1] } },
 *   ...{ rounds: 1, speed: 1 },
 * };
 * outerStability(ring({ n: 64 }), averaging).disagreement.toFixed(2) // => "2.73"
 * outerStability(odEquiDyn({ n: 64 }), averaging).factor.toFixed(3) // => "0.701"
 * ```
 */
export function outerStability(topology: RoundSequence, model: OuterModel): OuterStability {
  const judge = judgeOf(topology, model);
  const { value: factor, error } = judge.factor(model);
  const isStable = factor + (error ?? 0) < 1;
  const settled: Found = isStable ? judge.settled(model, factor) : { value: Infinity };
  // Of independent drift a share of 1/n goes into the mean.
  const unit = Math.sqrt((topology.n - 1) / topology.n) / model.speed;
  const disagreement = unit * settled.value;
  if (error === undefined && settled.error === undefined) return { factor, disagreement, method: "exact" };
  const errors = { factor: error ?? 0, disagreement: unit * (settled.error ?? 0) };
  return { factor, disagreement, method: "sampled", error: errors };
}

/** Whether disagreement is sure to grow without end; a sampled factor must be above 1 by more than its error. */
export function outerGrows(topology: RoundSequence, model: OuterModel): boolean {
  if (neverGrows(model)) return false;
  return judgeOf(topology, model).grows(model);
}

/** Whether nothing exact is known: each answer then takes seconds, and longer the larger n and the more rounds. */
export const isSampled = (topology: RoundSequence, model: OuterModel) => judgeOf(topology, model).isSampled === true;

/** On the edge itself, as over a graph in parts, disagreement stays as it is; a sampled factor must be beyond it for sure. */
const EDGE = 1e-9;
const isAbove = ({ value, error = EDGE }: Found) => value - error > 1;

/** Whether no W can make it grow: what feeds itself (on the diagonal, nothing below it feeding back) is no more than it was. */
function neverGrows({ vectors: k, stay, mix }: OuterModel): boolean {
  for (let a = 0; a < k; a++) {
    if (Math.abs(stay[a * k + a]) + Math.abs(mix[a * k + a]) > 1) return false;
    for (let b = 0; b < a; b++) if (stay[a * k + b] !== 0 || mix[a * k + b] !== 0) return false;
  }
  return true;
}

/** Halvings in a search for the largest stable value: to a hundredth. */
const HALVINGS = 8;

/**
 * The largest value in (0, most) of an option with which disagreement does not grow, all smaller ones being stable; rounded
 * down, to about a hundredth. undefined if not even small ones are, `most` if all are.
 */
export function largestStable(
  topology: RoundSequence,
  modelOf: (value: number) => OuterModel,
  most = 1,
): number | undefined {
  const grows = (value: number) => outerGrows(topology, modelOf(value));
  if (!grows(most * (1 - 2 ** -HALVINGS))) return most;
  let [low, high] = [0, most];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (grows(middle)) high = middle;
    else low = middle;
  }
  return low === 0 ? undefined : Math.floor(100 * low) / 100 || low;
}

function newJudge(topology: RoundSequence, model: OuterModel): Judge {
  const { n, kind, moments, draws, turned, labelled, pair, stochastic } = topology;
  const { rounds } = model;
  if (stochastic !== undefined) {
    throw new InputError("outer steps need a doubly stochastic W", stochastic, "choose another topology");
  }
  const alike = (mean: number, square: number) => {
    return modal({ count: 1, times: () => n - 1, steps: [Float64Array.of(mean, 0)], squares: Float64Array.of(square) });
  };
  if (model.mean === true || n === 1) return alike(0, 0);
  if (pair !== undefined) {
    if (rounds % stretchOf(topology) === 0) return alike(0, 0);
    const rule = `rounds over two vectors a node make a mean only if a step goes through all ${stretchOf(topology)}`;
    throw new InputError(rule, rounds, `try rounds = ${stretchOf(topology)}`);
  }
  if (moments !== undefined) return alike(moments.mean ** rounds, moments.square ** rounds);
  if (draws !== undefined) {
    const modes = new Modes(n);
    const { mean, square } = drawnMoments(modes, draws);
    const steps = [withoutFirst(powers(mean, rounds))];
    return modal({ ...fourier(modes, steps), squares: square.subarray(1).map((value) => value ** rounds) });
  }
  if (turned !== undefined && n <= TURNED_NODES) return turnedJudge(n, turnedMaps(n, turned));
  if (labelled !== undefined && labelledOuter(topology, model) !== undefined) return labelledJudge(topology);
  if (kind === "random" || !repeatsInOrder(topology)) return sampled(topology);
  const steps = stepsOf(topology, rounds);
  if (allModal(topology)) {
    const modes = new Modes(n);
    return modal(fourier(modes, modalSteps(modes, topology, rounds)));
  }
  if (kind === "static" && n <= DENSE_NODES) return staticJudge(topology, steps);
  if (kind === "static" && topology.rate().eigenvalues !== undefined) return rangeJudge(topology, rounds);
  if (n <= PERIOD_NODES) return dense(topology, steps);
  return sampled(topology);
}

const exact = (value: number): Found => ({ value });

/** Modes k = 1 .. n/2. */
const fourier = (modes: Modes, steps: readonly Float64Array[]): ModeSteps => ({
  count: modes.count - 1,
  times: (k) => modes.multiplicity(k + 1),
  steps,
});

const withoutFirst = (values: Float64Array) => values.subarray(2);

/** Complex numbers [re, im, ...] to a whole power. */
function powers(values: Float64Array, exponent: number): Float64Array {
  let product: Float64Array = values;
  for (let e = 1; e < exponent; e++) product = multiplied(product, values);
  return product;
}

function multiplied(x: Float64Array, y: Float64Array): Float64Array {
  const out = new Float64Array(x.length);
  for (let at = 0; at < x.length; at += 2) {
    out[at] = x[at] * y[at] - x[at + 1] * y[at + 1];
    out[at + 1] = x[at] * y[at + 1] + x[at + 1] * y[at];
  }
  return out;
}

/** The rounds of every outer step until both begin together again. */
function stepsOf(topology: RoundSequence, rounds: number): OuterSteps {
  return Array.from({ length: cycleOf(topology, rounds) / rounds }, (_, step) =>
    Array.from({ length: rounds }, (_, hop) => topology.round(step * rounds + hop)),
  );
}

function modalSteps(modes: Modes, topology: RoundSequence, rounds: number): Float64Array[] {
  const values = Array.from({ length: topology.period! }, (_, t) => withoutFirst(modes.values(topology.round(t))));
  return Array.from({ length: cycleOf(topology, rounds) / rounds }, (_, step) =>
    Array.from({ length: rounds }, (_, hop) => values[(step * rounds + hop) % values.length]).reduce(multiplied),
  );
}

function modal(modes: ModeSteps): Judge {
  return {
    grows: (model) => modesGrow(model, modes, EDGE),
    factor: (model) => exact(modesFactor(model, modes)),
    settled: (model) => exact(Math.sqrt(modesSquare(model, modes))),
  };
}

function turnedJudge(n: number, maps: ReturnType<typeof turnedMaps>): Judge {
  const isSide = (radius: number, change: number) => change < 0.02 * Math.abs(radius - 1) || change < 1e-9;
  return {
    grows: (model) => isAbove(exact(turnedRadius(n, maps, model, model.rounds, isSide))),
    factor: (model) => exact(Math.sqrt(turnedRadius(n, maps, model, model.rounds))),
    settled: (model) => exact(Math.sqrt(turnedSquare(n, maps, model))),
  };
}

function labelledJudge(topology: RoundSequence): Judge {
  return {
    grows: (model) => isAbove(exact(labelledOuter(topology, model)!.factor)),
    factor: (model) => exact(labelledOuter(topology, model)!.factor),
    settled: (model) => exact(Math.sqrt(labelledOuter(topology, model)!.square)),
  };
}

/** One W that is not circulant: every eigenvalue but the 1 of consensus is a direction of its own where W is symmetric. */
function staticJudge(topology: RoundSequence, steps: OuterSteps): Judge {
  const { n, symmetric } = topology;
  const { re, im } = eigenvalues(mixed(topology.round(0), projection(n)), n);
  // W Pi = W - J has a 0 in its place: one of the zeros is left out.
  const zero = re.findIndex((x, k) => Math.abs(x) + Math.abs(im[k]) < 1e-9);
  const values = new Float64Array(2 * (n - 1));
  for (let k = 0, at = 0; k < n; k++) {
    if (k === (zero < 0 ? 0 : zero)) continue;
    values[at++] = re[k];
    values[at++] = symmetric ? 0 : im[k];
  }
  const judge = modal({ count: n - 1, times: () => 1, steps: [powers(values, steps[0].length)] });
  return symmetric ? judge : { ...judge, settled: dense(topology, steps).settled };
}

/** Points between two eigenvalues. */
const BETWEEN = 31;

/** One large symmetric W: all between its extreme eigenvalues, as if each were one. */
function rangeJudge(topology: RoundSequence, rounds: number): Judge {
  const { smallest, largest } = topology.rate().eigenvalues!;
  const values = new Float64Array(2 * (BETWEEN + 2));
  for (let k = 0; k < BETWEEN + 2; k++) values[2 * k] = smallest + ((largest - smallest) * k) / (BETWEEN + 1);
  const modes = { count: BETWEEN + 2, times: () => 1, steps: [powers(values, rounds)] };
  return { ...modal(modes), settled: sampled(topology).settled };
}

function dense(topology: RoundSequence, steps: OuterSteps): Judge {
  return {
    grows: (model) => isAbove(exact(denseFactor(steps, model))),
    factor: (model) => exact(denseFactor(steps, model)),
    settled(model, factor) {
      const square = denseSquare(steps, model);
      return square === undefined ? sampledDisagreement(topology, model, factor) : exact(Math.sqrt(square));
    },
  };
}

function sampled(topology: RoundSequence): Judge {
  const factor = (model: OuterModel, how: "rough" | "fine") => {
    const { radius, error = 0 } = sampledStability(topology, model, model.rounds, how);
    // Rounds that repeat were judged by vectors, random ones by their mean squares.
    if (topology.kind !== "random") return { value: radius, error };
    const value = Math.sqrt(radius);
    return { value, error: error / (2 * value || 1) };
  };
  return {
    isSampled: true,
    grows: (model) => isAbove(factor(model, "rough")),
    factor: (model) => factor(model, "fine"),
    settled: (model, factor) => sampledDisagreement(topology, model, factor),
  };
}
