/**
 * Whether D2, exact diffusion and NIDS keep together over a sequence of rounds. Without gradients their disagreement is
 *
 *   x+ = V (2x - y),   y+ = x,   V = (I + W(t))/2 in the lazy form, W(t) itself in the plain one;
 *
 * the mean follows gradient descent whatever W(t) is, so that all hangs on the radius by which this grows a round: below
 * 1 it dies out. (A statement about small steps.) For rounds that repeat the radius is that of the vectors, per round over
 * a period; for random ones that of their mean squares, (|x|^2, <x,y>, |y|^2) being multiplied by
 *
 *   [4b -4b b; 2m -m 0; 1 0 0]   where E V = m, E V^T V = b in every direction.
 *
 * Exact for such rounds, for those of one random shift and for circulants by Fourier modes at any n; for one W from its
 * eigenvalues (n <= 512), for periods from dense matrices (n <= 256), for random pairs at one label difference
 * (n <= 512); elsewhere sampled, with an error.
 */

import { mixed, projection } from "./dense.ts";
import { eigenvalues, spectralRadius } from "./eigenvalues.ts";
import { DENSE_NODES } from "./gains-dense.ts";
import { drawnMoments, Modes } from "./modes.ts";
import { TURNED_NODES, turnedRadius } from "./pairings.ts";
import { allModal, type RoundSequence, repeatsInOrder, type ShiftDraws } from "./sequence.ts";
import { diffused, sampledStability } from "./stability-sampled.ts";

export interface Stability {
  /** Below 1: stable. Of vectors for rounds that repeat, of mean squares for random ones; a round. */
  readonly radius: number;
  readonly method: "exact" | "sampled";
  /** sampled only: three standard errors. */
  readonly error?: number;
}

export type Form = "lazy" | "plain";

/** The largest n for dense periods, whose matrices are 2n x 2n: three seconds. */
const PERIOD_NODES = DENSE_NODES / 2;

/**
 * The stability radius of D2, exact diffusion and NIDS over the rounds of a topology.
 *
 * @example
 * ```ts
 * import { odEquiDyn, onePeerExp } from "equitopo";
 * import { stability } from "equitopo/rate";
 * stability(odEquiDyn({ n: 300 })).radius.toFixed(4) // => "0.9537"
 * stability(onePeerExp({ n: 17 })).radius.toFixed(3) // => "1.049"
 * ```
 */
export function stability(topology: RoundSequence, form: Form = "lazy"): Stability {
  const { moments, draws, turned, kind, n } = topology;
  if (moments !== undefined) return exact(momentRadius(moments, form));
  if (draws !== undefined) return exact(drawnRadius(n, draws, form));
  if (turned !== undefined && n <= TURNED_NODES) {
    return exact(turnedRadius(n, turned, form === "lazy" ? turned.weight / 2 : turned.weight));
  }
  if (kind !== "random" && repeatsInOrder(topology)) {
    if (allModal(topology)) return exact(modalRadius(topology, form));
    if (kind === "static" && n <= DENSE_NODES) return exact(staticRadius(topology, form));
    if (n <= PERIOD_NODES) return exact(periodRadius(topology, form));
  }
  return sampledStability(topology, form);
}

const exact = (radius: number): Stability => ({ radius, method: "exact" });

function momentRadius({ mean, square }: { readonly mean: number; readonly square: number }, form: Form): number {
  const [m, b] = form === "lazy" ? [(1 + mean) / 2, (1 + 2 * mean + square) / 4] : [mean, square];
  return spectralRadius(Float64Array.of(4 * b, -4 * b, b, 2 * m, -m, 0, 1, 0, 0), 3);
}

/** Mode k has a complex m: (|x|^2, Re x y*, Im x y*, |y|^2) are multiplied by a 4 x 4 matrix. */
function drawnRadius(n: number, draws: ShiftDraws, form: Form): number {
  const modes = new Modes(n);
  const weight = form === "lazy" ? draws.weight / 2 : draws.weight;
  const { mean, square } = drawnMoments(modes, { ...draws, weight });
  const matrix = new Float64Array(16);
  let most = 0;
  for (let k = 1; k < modes.count; k++) {
    const [re, im, b] = [mean[2 * k], mean[2 * k + 1], square[k]];
    matrix.set([4 * b, -4 * b, 0, b, 2 * re, -re, -im, 0, 2 * im, -im, re, 0, 1, 0, 0, 0]);
    most = Math.max(most, spectralRadius(matrix, 4));
  }
  return most;
}

/** Circulant rounds: the product over a period of [2v -v; 1 0] for every mode, whose determinant is that of all v. */
function modalRadius(topology: RoundSequence, form: Form): number {
  const modes = new Modes(topology.n);
  const period = topology.period!;
  const values = Array.from({ length: period }, (_, t) => modes.values(topology.round(t)));
  let most = 0;
  for (let k = 1; k < modes.count; k++) {
    let product: Complex2x2 = [1, 0, 0, 0, 0, 0, 1, 0];
    let [detRe, detIm] = [1, 0];
    for (const lambda of values) {
      const [re, im] = formOf(lambda[2 * k], lambda[2 * k + 1], form);
      product = advanced(product, re, im);
      [detRe, detIm] = [detRe * re - detIm * im, detRe * im + detIm * re];
    }
    most = Math.max(most, largestRoot(product[0] + product[6], product[1] + product[7], detRe, detIm));
  }
  return most ** (1 / period);
}

/** [a b; c d] as real and imaginary parts in turn. */
type Complex2x2 = readonly [number, number, number, number, number, number, number, number];

/** [2v -v; 1 0] times the product so far. */
function advanced([ar, ai, br, bi, cr, ci, dr, di]: Complex2x2, re: number, im: number): Complex2x2 {
  const [pr, pi, qr, qi] = [2 * ar - cr, 2 * ai - ci, 2 * br - dr, 2 * bi - di];
  return [re * pr - im * pi, re * pi + im * pr, re * qr - im * qi, re * qi + im * qr, ar, ai, br, bi];
}

/** V's eigenvalue for one of W. */
function formOf(re: number, im: number, form: Form): [number, number] {
  return form === "lazy" ? [(1 + re) / 2, im / 2] : [re, im];
}

/** The larger modulus of the roots of z^2 - t z + d, both complex. */
function largestRoot(tr: number, ti: number, dr: number, di: number): number {
  const [re, im] = [tr * tr - ti * ti - 4 * dr, 2 * tr * ti - 4 * di];
  const size = Math.sqrt(re * re + im * im);
  const rootRe = Math.sqrt(Math.max(0, (size + re) / 2));
  const rootIm = Math.sqrt(Math.max(0, (size - re) / 2)) * (im < 0 ? -1 : 1);
  const modulus = (sign: number) => Math.sqrt((tr + sign * rootRe) ** 2 + (ti + sign * rootIm) ** 2) / 2;
  return Math.max(modulus(1), modulus(-1));
}

/** One W: z^2 = v (2z - 1) for each of its eigenvalues but the 1 of consensus. */
function staticRadius(topology: RoundSequence, form: Form): number {
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
    const [a, b] = formOf(re[i], im[i], form);
    most = Math.max(most, largestRoot(2 * a, 2 * b, a, b));
  }
  return most;
}

/** Any period: the matrix over (x, y), column by column, on the disagreements. */
function periodRadius(topology: RoundSequence, form: Form): number {
  const { n } = topology;
  const size = 2 * n;
  const period = topology.period!;
  const matrix = new Float64Array(size * size);
  // Row i holds what becomes of x_i, row n + i of y_i, for every unit start; the first n columns start in x.
  let x = new Float64Array(n * size);
  let y = new Float64Array(n * size);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      x[i * size + j] = (i === j ? 1 : 0) - 1 / n;
      y[i * size + n + j] = x[i * size + j];
    }
  }
  for (let t = 0; t < period; t++) [x, y] = [diffused(topology.round(t), x, y, form), x];
  matrix.set(x, 0);
  matrix.set(y, n * size);
  return spectralRadius(matrix, size) ** (1 / period);
}
