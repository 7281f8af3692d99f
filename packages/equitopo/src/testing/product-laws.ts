/** The laws of what a topology says of many rounds: norms over them, moments of random ones, the long run. */

import { fillNormal } from "../random/normal.ts";
import { isNormal, normOver } from "../rate/product.ts";
import { applyRound } from "../round/apply.ts";
import type { Topology } from "../topology/topology.ts";
import { consensusNorm, type Dense, multiply, project } from "./dense.ts";
import { near } from "./law.ts";
import { denseProduct } from "./products.ts";

/** What a dense oracle and an exact norm may differ by. */
const TOLERANCE = 1e-10;
/** Products cost n^3 for each round: larger topologies are held to the other laws only. */
const PRODUCT_NODES = 40;

/**
 * norm(m) and normOver are those of the dense product; within a block, where rounds are drawn together. One W that is
 * normal is left out: its norms are powers of its rate, which has a law of its own.
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
  const wave = Float64Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * i) / n + 0.3));
  for (const x of [fillNormal(new Float64Array(n), 8, 1000, n), wave]) {
    const mean = x.reduce((sum, value) => sum + value, 0) / n;
    const centred = x.map((value) => value - mean);
    const size = centred.reduce((sum, value) => sum + value * value, 0);
    const found = { mean: [0, 0], square: [0, 0] };
    for (let t = 0; t < draws; t++) {
      const y = applyRound(topology.round(t), centred, new Float64Array(n));
      const along = y.reduce((sum, value, i) => sum + value * centred[i], 0) / size;
      const square = y.reduce((sum, value) => sum + value * value, 0) / size;
      for (const [key, value] of [
        ["mean", along],
        ["square", square],
      ] as const) {
        found[key][0] += value / draws;
        found[key][1] += (value * value) / draws;
      }
    }
    for (const key of ["mean", "square"] as const) {
      const [average, squares] = found[key];
      const allowed = 5 * Math.sqrt(Math.max(0, squares - average * average) / draws) + 1e-12;
      near(average, moments[key], `the ${key} of moments`, allowed);
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
    const size = Math.sqrt(power.reduce((sum, value) => sum + value * value, 0));
    // Nothing but rounding is left of a matrix whose powers vanish.
    if (size < 1e-13) return 0;
    log += Math.log(size) / 2 ** k;
    if (k === 12) return Math.exp(log);
    const scaled = power.map((value) => value / size);
    power = multiply(scaled, scaled, n);
  }
}

/** These laws by name. */
export const productChecks: Readonly<Record<string, (topology: Topology) => void>> = {
  "norms over several rounds are those of dense products": normsOfProducts,
  "the moments are those of its draws": momentsOfDraws,
  "the asymptotic rate is the spectral radius": asymptoticOfProduct,
};
