/**
 * All eigenvalues of what a topology does to a vector: of W where it is fixed, of the product W(p - 1) ... W(0) over a
 * period, of E W where rounds are drawn.
 *
 * For a fixed normal W the rate is the largest modulus beside the 1 of consensus. Elsewhere it is not: over a period the
 * moduli tell what is left in the long run (their p-th roots, per round), and those of E W only what becomes of the mean of
 * many runs, while the rate is the root of the largest eigenvalue of E W^T W.
 *
 * Closed forms for circulants, pairings and means, and for rounds drawn from them; QR on the n x n matrix elsewhere.
 */

import { InputError, integer } from "../input/input.ts";
import { denseMatrix, type Round } from "../round/round.ts";
import { add, type Matrix, mixed, projection } from "./dense.ts";
import { type Eigenvalues, eigenvalues, spectralRadius } from "./eigenvalues.ts";
import { realSpectrum } from "./fourier.ts";
import { DENSE_NODES } from "./gains-dense.ts";
import { drawnMoments, Modes } from "./modes.ts";
import { turnedMean } from "./pairings.ts";
import { isNormal } from "./product.ts";
import { allModal, isModal, type RoundSequence, repeatsInOrder } from "./sequence.ts";

export interface Spectrum extends Eigenvalues {
  /** Whose eigenvalues: the one W, the product over a period, E W, or the mean of some drawn rounds. */
  readonly of: "W" | "period" | "mean" | "sampled mean";
  /** Rounds in the product or in the sample; 1 elsewhere. */
  readonly rounds: number;
}

/** The largest n that goes through QR: a second. */
export const SPECTRUM_NODES = 400;

/** Rounds of which a mean is taken where E W has no closed form. */
const SAMPLES = 200;

/**
 * The n eigenvalues of a round, the 1 of consensus first. O(n M) for circulants, O(n) for pairings and means, 12 n^3
 * additions elsewhere, up to n = 400.
 *
 * @example
 * ```ts
 * import { dEquiStatic } from "equitopo";
 * import { roundSpectrum } from "equitopo/rate";
 * const graph = dEquiStatic({ n: 300, basis: [173, 48, 118, 193, 252, 196, 10, 212, 278] });
 * const { re, im } = roundSpectrum(graph.round(0));
 * const moduli = re.map((x, k) => Math.hypot(x, im[k])).slice(1);
 * Math.max(...moduli).toFixed(6) // => "0.708909"
 * ```
 */
export function roundSpectrum(round: Round): Eigenvalues {
  const { n } = round;
  if (isModal(round)) return allModes(n, new Modes(n).values(round));
  if (round.kind !== "matching") return denseSpectrum(matrixOf(round), n);
  // A pair's sum stays, its difference is multiplied by 1 - 2 w; an idle node's row stays.
  const pairs = round.partner.reduce((count, partner, i) => count + (partner > i ? 1 : 0), 0);
  return { re: new Float64Array(n).fill(1).fill(1 - 2 * round.weight, n - pairs), im: new Float64Array(n) };
}

/**
 * The eigenvalues that tell most of a topology, the 1 of consensus first: what they are of is said in `of`. Costs what
 * those of a round cost, for a period so many times; 200 rounds are drawn where E W has no closed form.
 *
 * @example
 * ```ts
 * import { odEquiDyn, onePeerExp } from "equitopo";
 * import { spectrum } from "equitopo/rate";
 * const exact = spectrum(onePeerExp({ n: 16 }));
 * exact.of // => "period"
 * Math.max(...exact.re.slice(1).map(Math.abs)) < 1e-15 // => true
 * spectrum(odEquiDyn({ n: 16 })).of // => "mean"
 * ```
 */
export function spectrum(sequence: RoundSequence): Spectrum {
  const { n, period, moments, draws, turned } = sequence;
  if (sequence.pair !== undefined) {
    throw new InputError("rounds over two vectors a node have no n x n matrix", "pair", "choose another topology");
  }
  if (period === 1) return { ...roundSpectrum(sequence.round(0)), of: "W", rounds: 1 };
  if (period !== undefined) return { ...periodSpectrum(sequence, period), of: "period", rounds: period };
  const mean = { of: "mean", rounds: 1 } as const;
  if (moments !== undefined) return { ...roundSpectrum({ kind: "mean", n, keep: moments.mean }), ...mean };
  if (draws !== undefined) return { ...allModes(n, drawnMoments(new Modes(n), draws).mean), ...mean };
  if (turned !== undefined) return { ...allModes(n, realSpectrum(turnedMean(n, turned))), ...mean };
  return { ...sampledSpectrum(sequence), of: "sampled mean", rounds: SAMPLES };
}

function periodSpectrum(sequence: RoundSequence, period: number): Eigenvalues {
  const { n } = sequence;
  if (!allModal(sequence)) {
    let product = matrixOf(sequence.round(0));
    for (let t = 1; t < period; t++) product = mixed(sequence.round(t), product);
    return denseSpectrum(product, n);
  }
  const modes = new Modes(n);
  const product = modes.values(sequence.round(0));
  for (let t = 1; t < period; t++) {
    const factor = modes.values(sequence.round(t));
    for (let at = 0; at < product.length; at += 2) {
      const [re, im] = [product[at], product[at + 1]];
      product[at] = re * factor[at] - im * factor[at + 1];
      product[at + 1] = re * factor[at + 1] + im * factor[at];
    }
  }
  return allModes(n, product);
}

function sampledSpectrum(sequence: RoundSequence): Eigenvalues {
  const sum = matrixOf(sequence.round(0));
  for (let t = 1; t < SAMPLES; t++) add(sum, denseMatrix(sequence.round(t)));
  const mean = sum.map((entry) => entry / SAMPLES);
  return denseSpectrum(mean, sequence.n);
}

/** Modes 0 .. n / 2 as all n: mode n - k is the conjugate of mode k. */
function allModes(n: number, values: Float64Array): Eigenvalues {
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const mirrored = 2 * k > n;
    const at = 2 * (mirrored ? n - k : k);
    re[k] = values[at];
    im[k] = mirrored ? -values[at + 1] : values[at + 1];
  }
  return { re, im };
}

function denseSpectrum(matrix: Matrix, n: number): Eigenvalues {
  const { re, im } = eigenvalues(matrix, n);
  let nearest = 0;
  for (let k = 1; k < n; k++) {
    if (Math.hypot(re[k] - 1, im[k]) < Math.hypot(re[nearest] - 1, im[nearest])) nearest = k;
  }
  [re[0], re[nearest]] = [re[nearest], re[0]];
  [im[0], im[nearest]] = [im[nearest], im[0]];
  return { re, im };
}

function matrixOf(round: Round): Matrix {
  integer("n for eigenvalues that have no closed form", round.n, 2, SPECTRUM_NODES);
  return denseMatrix(round);
}

/**
 * What a round leaves of a disagreement in the long run: the spectral radius of Pi W, of one period's product per round.
 * Below the rate where W is not normal, and no bound for any number of rounds: the powers of such a W may stay near 1 for
 * long before they fall (normOver tells).
 *
 * Where a topology does not say: 0 where it is exact, its rate where one W is normal, that of a period for circulant
 * rounds; from dense eigenvalues up to n = 512, O(n^3). undefined for random rounds and larger ones.
 *
 * @example
 * ```ts
 * import { onePeerExp, ring } from "equitopo";
 * import { asymptoticRate } from "equitopo/rate";
 * import { deBruijn } from "equitopo/topology";
 * asymptoticRate(deBruijn({ n: 300, p: 4 })) // => 0.25
 * asymptoticRate(onePeerExp({ n: 300 }))?.toFixed(4) // => "0.8091"
 * asymptoticRate(ring({ n: 300 })) === ring({ n: 300 }).rate().rate // => true
 * ```
 */
export function asymptoticRate(topology: RoundSequence): number | undefined {
  const { n, kind, exactAfter, pair } = topology;
  if (kind === "random") return undefined;
  if (exactAfter !== undefined) return 0;
  const { rate, periodRate, asymptotic } = topology.rate();
  if (asymptotic !== undefined) return asymptotic;
  if (isNormal(topology)) return rate;
  if (allModal(topology)) return periodRate ?? rate;
  if (n > DENSE_NODES || pair !== undefined || !repeatsInOrder(topology)) return undefined;
  let product = projection(n);
  for (let t = 0; t < topology.period!; t++) product = mixed(topology.round(t), product);
  return spectralRadius(product, n) ** (1 / topology.period!);
}
