/**
 * Whether a method keeps together over a sequence of rounds: the radius by which its disagreement grows a round, below 1 if
 * it dies out. For D2, exact diffusion and NIDS without gradients that disagreement is
 *
 *   x+ = V (2x - y),   y+ = x,   V = (I + W(t))/2 in the lazy form, W(t) itself in the plain one;
 *
 * the mean follows gradient descent whatever W(t) is. (A statement about small steps; recursion.ts has other methods, and
 * steps.) For rounds that repeat the radius is that of the vectors, per round over a period; for random ones that of the
 * mean squares and products of the vectors: where E W = m and E W^T W = b in every direction, (I stay + W mix) multiplies
 * them by stay x stay + m (stay x mix + mix x stay) + b mix x mix, x the Kronecker product.
 *
 * Exact for such rounds, for those of one random shift and for circulants by Fourier modes at any n; for relabelled blocks
 * (n <= 1024, any n if circulant); for one W from its eigenvalues (n <= 512), for periods from dense matrices (n <= 256),
 * for random pairs at one label difference (n <= 512); elsewhere sampled, with an interval.
 */

import { mixed, projection, times } from "./dense.ts";
import { eigenvalues, spectralRadius } from "./eigenvalues.ts";
import { DENSE_NODES } from "./gains-dense.ts";
import { labelledRadius } from "./labelled.ts";
import { drawnMoments, Modes } from "./modes.ts";
import { TURNED_NODES, turnedMaps, turnedRadius } from "./pairings.ts";
import { advanced, type Recursion, recursions } from "./recursion.ts";
import { allModal, type RoundSequence, repeatsInOrder, type ShiftDraws } from "./sequence.ts";
import { sampledStability } from "./stability-sampled.ts";

export interface Stability {
  /** Below 1: stable. Of vectors for rounds that repeat, of mean squares for random ones; a round. */
  readonly radius: number;
  readonly method: "exact" | "sampled";
  /** sampled only: the radius lies within this in 19 cases of 20. */
  readonly error?: number;
}

export type Form = keyof typeof recursions;

/** The largest n for dense periods, whose matrices are 2n x 2n: three seconds. */
const PERIOD_NODES = DENSE_NODES / 2;

/**
 * The stability radius of a method over the rounds of a topology: the lazy form of D2, exact diffusion and NIDS if none is
 * named. `step` is the learning rate times the largest curvature of objectives that curve alike at all nodes.
 *
 * @example
 * ```ts
 * import { odEquiDyn, onePeerExp, ring } from "equitopo";
 * import { stability } from "equitopo/rate";
 * stability(odEquiDyn({ n: 300 })).radius.toFixed(4) // => "0.9537"
 * stability(onePeerExp({ n: 17 })).radius.toFixed(3) // => "1.049"
 * stability(ring({ n: 16 }), "diging", 0.3).radius.toFixed(3) // => "1.133"
 * ```
 */
export function stability(topology: RoundSequence, form: Form = "lazy", step = 0): Stability {
  const { moments, draws, turned, labelled, kind, n } = topology;
  const recursion = recursions[form](step);
  const { vectors } = recursion;
  const exact = (radius: number): Stability => ({ radius, method: "exact" });
  if (moments !== undefined) {
    return exact(spectralRadius(squareOf(recursion, moments.mean, 0, moments.square), 2 * vectors ** 2));
  }
  if (draws !== undefined) return exact(drawnRadius(n, draws, recursion));
  if (turned !== undefined && n <= TURNED_NODES) return exact(turnedRadius(n, turnedMaps(n, turned), recursion));
  const radius = labelled && labelledRadius(topology, recursion);
  if (radius !== undefined) return exact(radius);
  if (kind !== "random" && repeatsInOrder(topology)) {
    if (allModal(topology)) return exact(modalRadius(topology, recursion));
    if (kind === "static" && n <= DENSE_NODES) return exact(staticRadius(topology, recursion));
    if (n <= PERIOD_NODES) return exact(periodRadius(topology, recursion));
  }
  return sampledStability(topology, recursion);
}

/** A k x k matrix of complex numbers a + bi as the real one [a -b; b a], whose eigenvalues are its own and their conjugates. */
export function complexMatrix(k: number, entry: (at: number) => readonly [number, number]): Float64Array {
  const matrix = new Float64Array(4 * k * k);
  for (let at = 0; at < k * k; at++) {
    const [re, im] = entry(at);
    const [row, column] = [Math.floor(at / k), at % k];
    matrix[2 * k * row + column] = matrix[2 * k * (row + k) + column + k] = re;
    matrix[2 * k * (row + k) + column] = im;
    matrix[2 * k * row + column + k] = -im;
  }
  return matrix;
}

/** What a round does to the vectors in a mode of which W makes lambda = re + i im times itself. */
function modeOf({ vectors, stay, mix }: Recursion, re: number, im: number): Float64Array {
  return complexMatrix(vectors, (at) => [stay[at] + re * mix[at], im * mix[at]]);
}

/** What it does to their mean squares and products there, if E lambda = re + i im and E |lambda|^2 = square. */
export function squareOf({ vectors: k, stay, mix }: Recursion, re: number, im: number, square: number): Float64Array {
  return complexMatrix(k * k, (at) => {
    const [row, column] = [Math.floor(at / (k * k)), at % (k * k)];
    const one = k * Math.floor(row / k) + Math.floor(column / k);
    const other = k * (row % k) + (column % k);
    const both = stay[one] * stay[other] + square * mix[one] * mix[other];
    return [
      both + re * (mix[one] * stay[other] + stay[one] * mix[other]),
      im * (mix[one] * stay[other] - stay[one] * mix[other]),
    ];
  });
}

function drawnRadius(n: number, draws: ShiftDraws, recursion: Recursion): number {
  const modes = new Modes(n);
  const { mean, square } = drawnMoments(modes, draws);
  let most = 0;
  for (let k = 1; k < modes.count; k++) {
    most = Math.max(
      most,
      spectralRadius(squareOf(recursion, mean[2 * k], mean[2 * k + 1], square[k]), 2 * recursion.vectors ** 2),
    );
  }
  return most;
}

/** Circulant rounds: the product over a period, for every mode. */
function modalRadius(topology: RoundSequence, recursion: Recursion): number {
  const modes = new Modes(topology.n);
  const period = topology.period!;
  const values = Array.from({ length: period }, (_, t) => modes.values(topology.round(t)));
  const size = 2 * recursion.vectors;
  let most = 0;
  for (let k = 1; k < modes.count; k++) {
    const product = values
      .map((lambda) => modeOf(recursion, lambda[2 * k], lambda[2 * k + 1]))
      .reduce((before, next) => times(next, before, size));
    most = Math.max(most, spectralRadius(product, size));
  }
  return most ** (1 / period);
}

/** One W: every eigenvalue but the 1 of consensus. */
function staticRadius(topology: RoundSequence, recursion: Recursion): number {
  const { n } = topology;
  const { re, im } = eigenvalues(mixed(topology.round(0), projection(n)), n);
  let most = 0;
  let skipped = false;
  for (let i = 0; i < n; i++) {
    // W Pi = W - J has a 0 in its place: one of the zeros is not looked at.
    if (!skipped && Math.abs(re[i]) + Math.abs(im[i]) < 1e-9) {
      skipped = true;
      continue;
    }
    most = Math.max(most, spectralRadius(modeOf(recursion, re[i], im[i]), 2 * recursion.vectors));
  }
  return most;
}

/** Any period: the matrix over all vectors, column by column, on the disagreements. */
function periodRadius(topology: RoundSequence, recursion: Recursion): number {
  const { n } = topology;
  const { vectors } = recursion;
  const size = vectors * n;
  // Row i of vector a holds what becomes of its entry i, for every unit start.
  let state = Array.from({ length: vectors }, (_, a) => {
    return Float64Array.from({ length: n * size }, (_, at) => {
      const [i, j] = [Math.floor(at / size), (at % size) - a * n];
      return j < 0 || j >= n ? 0 : (i === j ? 1 : 0) - 1 / n;
    });
  });
  for (let t = 0; t < topology.period!; t++) state = advanced(recursion, topology.round(t), state);
  const matrix = new Float64Array(size * size);
  state.forEach((rows, a) => {
    matrix.set(rows, a * n * size);
  });
  return spectralRadius(matrix, size) ** (1 / topology.period!);
}
