/** Exact consensus rates, the paper's bounds, gains and spectra: the subpath `equitopo/rate`. */

export { basisSize, odEquiDynBound, ouEquiDynBound } from "./bounds.ts";
export { BasisSpectrum, circulantExtremes } from "./circulant.ts";
export type { Eigenvalues } from "./eigenvalues.ts";
export { type Gains, gains } from "./gains.ts";
export { sparseRate } from "./lanczos.ts";
export type { SpectralExtremes } from "./modes.ts";
export { largestStable, type OuterStability, outerStability } from "./outer.ts";
export type { OuterModel } from "./outer-model.ts";
export { type Predictable, type Prediction, prediction } from "./prediction.ts";
export { normOver, type ProductNorm } from "./product.ts";
export type { Rate } from "./rate.ts";
export type { PairWeights, RoundSequence, ShiftDraws, TurnedPairs } from "./sequence.ts";
export { asymptoticRate, roundSpectrum, type Spectrum, spectrum } from "./spectrum.ts";
export { type Form, type Stability, stability } from "./stability.ts";
export { type Watch, watched } from "./watch.ts";
export type { FamilyWork, RateWork } from "./work.ts";
