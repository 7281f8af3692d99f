/**
 * The laws of a rate: it equals the dense oracle's if rounds repeat, is never above the paper's bound, and is never exceeded
 * by what is measured; and the laws of what a topology states about many rounds: norms over them, moments of random ones, the
 * rate in the long run.
 */

import { centre, dot, norm } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { times } from "../rate/dense.ts";
import { isNormal, normOver } from "../rate/product.ts";
import { applyRound } from "../round/apply.ts";
import { meanRow, squaredDistance } from "../round/distance.ts";
import type { Round } from "../round/round.ts";
import { sharedRound } from "../topology/pairs.ts";
import type { Topology } from "../topology/topology.ts";
import { consensusNorm, type Dense, denseProduct, denseRound, project, symmetricEigenvalues } from "./dense.ts";
import { must, near } from "./law.ts";

/** How far an exact rate may be from the dense oracle. */
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

/** From the start of a period, and of a later one, that many rounds leave the mean in every row, and fewer do not. */
export function exactAsStated(topology: Topology): void {
  const { n, exactAfter, kind } = topology;
  if (n > MOST_NODES) return;
  if (exactAfter === undefined) {
    const isMean = kind === "static" && denseRound(topology, 0).every((weight) => Math.abs(weight - 1 / n) < 1e-15);
    must(!isMean, "exact after one round, and does not say so");
    return;
  }
  const stretch = topology.period ?? topology.block ?? exactAfter;
  for (const first of [0, 3 * stretch]) {
    for (const weight of denseProduct(topology, first, exactAfter)) {
      near(weight, 1 / n, `a weight of ${exactAfter} rounds from round ${first}`, TOLERANCE);
    }
  }
  const earlier = exactAfter < 2 ? 1 : consensusNorm(denseProduct(topology, 0, exactAfter - 1), n);
  must(earlier > 1e-9, `exact after ${exactAfter - 1} rounds already`);
}

/** The rate is in [0, 1], at most the bound, and what its gap leaves of 1. */
export function belowBound(topology: Topology): void {
  const { rate, bound, gap } = topology.rate();
  if (gap !== undefined) near(gap, 1 - rate, "gap", 1e-12);
  must(bound === null || rate <= bound + 1e-12, `rate ${rate} above the bound ${bound}`);
  must(rate >= 0 && rate <= 1, `rate ${rate} outside [0, 1]`);
}

/** Disagreement kept by one round: ||Pi W x||^2 / ||Pi x||^2. */
export const keptBy = (round: Round, x: Float64Array) =>
  disagreement(applyRound(round, x, new Float64Array(x.length))) / disagreement(x);

const disagreement = (x: Float64Array) => squaredDistance(x, meanRow(x, x.length));

/** cos(2 pi k i / n + phase): for some k, the start that the circulant expectations contract least. */
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
    const shares = Float64Array.from(rounds, (round) => keptBy(round, x));
    const above = period === undefined ? -1 : shares.findIndex((share) => !(share <= square + 1e-12));
    must(above < 0, `round ${above} keeps ${shares[above]}, above ${square}`);
    const [mean] = meanRow(shares, draws);
    const deviation = Math.sqrt(disagreement(shares)) / draws;
    // Five standard errors: one false alarm in three million, and the draws are the same every time.
    must(mean <= square + 5 * deviation + 1e-12, `keeps ${mean} in the mean, above ${square}`);
  }
}

/** Products cost n^3 for each round: larger topologies are held to the other laws only. */
const PRODUCT_NODES = 40;

/**
 * norm(m) and normOver are those of the dense product; within a block if rounds are drawn together. One normal W is left out:
 * its norms are powers of its rate, which has a law of its own.
 */
function normsOfProducts(topology: Topology): void {
  const { n, kind, exactAfter } = topology;
  if (n > PRODUCT_NODES || topology.stochastic !== undefined || isNormal(topology)) return;
  if (kind === "random" && exactAfter === undefined) return;
  for (const m of new Set([1, 2, 6].map((m) => Math.min(m, exactAfter ?? m)))) {
    const expected = consensusNorm(denseProduct(topology, 0, m), n);
    if (topology.norm !== undefined) near(topology.norm(m), expected, `norm(${m})`, TOLERANCE);
    near(normOver(topology, m).norm, expected, `the norm over ${m} rounds`, TOLERANCE);
  }
}

/** E W x and E |W x|^2 are multiples of x and |x|^2, as stated, for any x. */
function momentsOfDraws(topology: Topology): void {
  const { n, moments } = topology;
  if (moments === undefined || n > PRODUCT_NODES) return;
  const draws = 600;
  for (const x of [fillNormal(new Float64Array(n), 8, 1000, n), wave(n, 1, 0.3)]) {
    centre(x);
    const size = dot(x, x);
    const rows = Array.from({ length: draws }, (_, t) => applyRound(topology.round(t), x, new Float64Array(n)));
    const drawn = { mean: rows.map((y) => dot(y, x) / size), square: rows.map((y) => dot(y, y) / size) };
    for (const key of ["mean", "square"] as const) {
      const [average] = meanRow(Float64Array.from(drawn[key]), draws);
      const deviation = Math.sqrt(disagreement(Float64Array.from(drawn[key]))) / draws;
      near(average, moments[key], `the ${key} of moments`, 5 * deviation + 1e-12);
    }
  }
}

/** The asymptotic rate is the spectral radius of one period's product, per round. */
function asymptoticOfProduct(topology: Topology): void {
  const { n, period } = topology;
  const { asymptotic } = topology.rate();
  if (asymptotic === undefined || period === undefined || n > PRODUCT_NODES) return;
  near(asymptotic, squaredRadius(project(denseProduct(topology, 0, period), n), n) ** (1 / period), "asymptotic", 5e-3);
}

/** ||A^m||^(1/m) at m = 2^12, by squaring: no eigenvalues are needed, and Jordan blocks do no harm. */
function squaredRadius(matrix: Dense, n: number): number {
  let power = matrix;
  let log = 0;
  for (let k = 0; ; k++) {
    const size = norm(power);
    // Nothing but rounding is left of a matrix whose powers vanish.
    if (size < 1e-13) return 0;
    log += Math.log(size) / 2 ** k;
    if (k === 12) return Math.exp(log);
    const scaled = power.map((value) => value / size);
    power = times(scaled, scaled, n);
  }
}

/** The laws of many rounds by name. */
export const productChecks: Readonly<Record<string, (topology: Topology) => void>> = {
  "norms over several rounds are those of dense products": normsOfProducts,
  "the moments are those of its draws": momentsOfDraws,
  "the asymptotic rate is the spectral radius": asymptoticOfProduct,
};

/** Every law of a topology's rate by name. */
export const rateChecks: Readonly<Record<string, (topology: Topology) => void>> = {
  "the exact rate is the dense oracle's": equalsOracle,
  "exact after as many rounds as it declares, and not before": exactAsStated,
  "the exact rate never exceeds the paper's bound": belowBound,
  "the measured contraction never exceeds the exact rate": neverExceeded,
  ...productChecks,
};
