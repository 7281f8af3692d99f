/** Exact consensus rates, the paper's bounds, gains and spectra: the subpath `equitopo/rate`. */

export { asymptoticRate } from "./asymptotic.ts";
export { basisSize, odEquiDynBound, ouEquiDynBound } from "./bounds.ts";
export { BasisSpectrum, circulantExtremes, circulantRate, type SpectralExtremes } from "./circulant.ts";
export type { Eigenvalues } from "./eigenvalues.ts";
export { type Gains, gains } from "./gains.ts";
export { sparseRate } from "./lanczos.ts";
export { type Predictable, type Prediction, predictedRounds, prediction } from "./prediction.ts";
export { normOver, type ProductNorm } from "./product.ts";
export type { Rate } from "./rate.ts";
export type { PairWeights, RoundSequence, ShiftDraws, TurnedPairs } from "./sequence.ts";
export { roundSpectrum, SPECTRUM_NODES, type Spectrum, spectrum } from "./spectrum.ts";
export { type Form, type Stability, stability } from "./stability.ts";
export { type Watch, watched, worked } from "./watch.ts";
export type { RateWork } from "./work.ts";
