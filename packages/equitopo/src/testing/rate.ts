/** The laws of a rate: the dense oracle's where rounds repeat, never above the paper's bound, never below what is measured. */

import { fillNormal } from "../random/normal.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import { sharedRound } from "../topology/pair.ts";
import type { Topology } from "../topology/topology.ts";
import { consensusNorm, symmetricEigenvalues } from "./dense.ts";
import { must, near } from "./law.ts";
import { productChecks } from "./product-laws.ts";
import { denseProduct, denseRound } from "./products.ts";

/** What a dense oracle and an exact rate may differ by. */
const TOLERANCE = 1e-10;
/** The oracle costs n^3 for each sweep: larger topologies are held to the other laws only. */
const MOST_NODES = 64;

/** The rate of static and periodic rounds, from their dense matrices. */
export function equalsOracle(topology: Topology): void {
  const { n, period, kind } = topology;
  if (period === undefined || n > MOST_NODES) return;
  const rate = topology.rate();
  const matrices = Array.from({ length: period }, (_, t) => denseRound(topology, t));
  near(rate.rate, Math.max(...matrices.map((w) => consensusNorm(w, n))), "rate", TOLERANCE);
  if (kind === "periodic") {
    near(rate.periodNorm, consensusNorm(denseProduct(topology, 0, period), n), "norm of one period", TOLERANCE);
    near(rate.periodRate, (rate.periodNorm ?? 0) ** (1 / period), "geometric mean over a period", 5e-13);
  } else must(rate.periodNorm === undefined, "a static rate has no norm of a period");
  if (kind === "static" && topology.symmetric) {
    // All eigenvalues but one 1, that of consensus.
    const others = symmetricEigenvalues(matrices[0], n).subarray(0, n - 1);
    near(rate.eigenvalues?.largest, others[n - 2], "largest eigenvalue", TOLERANCE);
    near(rate.eigenvalues?.smallest, others[0], "smallest eigenvalue", TOLERANCE);
  } else must(rate.eigenvalues === undefined, "eigenvalues are those of a static symmetric W");
}

/** From the start of a period, and of a later one, so many rounds leave the mean in every row, and fewer do not. */
export function exactAsStated(topology: Topology): void {
  const { n, exactAfter } = topology;
  if (exactAfter === undefined || n > MOST_NODES) return;
  const stretch = topology.period ?? topology.block ?? exactAfter;
  for (const first of [0, 3 * stretch]) {
    for (const weight of denseProduct(topology, first, exactAfter)) {
      near(weight, 1 / n, `a weight of ${exactAfter} rounds from round ${first}`, TOLERANCE);
    }
  }
  const earlier = exactAfter < 2 ? 1 : consensusNorm(denseProduct(topology, 0, exactAfter - 1), n);
  must(earlier > 1e-9, `exact after ${exactAfter - 1} rounds already`);
}

export function belowBound(topology: Topology): void {
  const { rate, bound } = topology.rate();
  must(bound === null || rate <= bound + 1e-12, `rate ${rate} above the bound ${bound}`);
  must(rate >= 0 && rate <= 1, `rate ${rate} outside [0, 1]`);
}

/** Disagreement kept by one round: ||Pi W x||^2 / ||Pi x||^2. */
export function keptShare(topology: Topology, t: number, x: Float64Array): number {
  return keptBy(sharedRound(topology, t), x);
}

function keptBy(round: Round, x: Float64Array): number {
  return disagreement(applyRound(round, x, new Float64Array(x.length))) / disagreement(x);
}

function disagreement(x: Float64Array): number {
  let mean = 0;
  for (const value of x) mean += value / x.length;
  let sum = 0;
  for (const value of x) sum += (value - mean) ** 2;
  return sum;
}

/** cos(2 pi k i / n + phase): where the circulant expectations contract least, for some k. */
export function wave(n: number, k: number, phase: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * k * i) / n + phase));
}

export function neverExceeded(topology: Topology): void {
  const { n, period } = topology;
  const square = topology.rate().rate ** 2;
  const starts = [
    fillNormal(new Float64Array(n), 7, 1000, n),
    wave(n, 1, 0.3),
    ...(n > 3 ? [wave(n, Math.floor(n / 2) - 1, 0.1)] : []),
  ];
  const draws = period ?? 300;
  const rounds = Array.from({ length: draws }, (_, t) => sharedRound(topology, t));
  for (const x of starts) {
    let sum = 0;
    let squares = 0;
    rounds.forEach((round, t) => {
      const share = keptBy(round, x);
      must(period === undefined || share <= square + 1e-12, `round ${t} keeps ${share}, above ${square}`);
      sum += share;
      squares += share * share;
    });
    const mean = sum / draws;
    const deviation = Math.sqrt(Math.max(0, squares / draws - mean * mean) / draws);
    // Five standard errors: one false alarm in three million, and the draws are the same every time.
    must(mean <= square + 5 * deviation + 1e-12, `keeps ${mean} in the mean, above ${square}`);
  }
}

/** Every law of a topology's rate by name. */
export const rateChecks: Readonly<Record<string, (topology: Topology) => void>> = {
  "the exact rate is the dense oracle's": equalsOracle,
  "exact after as many rounds as it says, and not before": exactAsStated,
  "the exact rate never exceeds the paper's bound": belowBound,
  "the measured contraction never exceeds the exact rate": neverExceeded,
  ...productChecks,
};
