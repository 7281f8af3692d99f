/** Exact consensus rates, the paper's bounds, and spectra: the subpath `equitopo/rate`. */

export { basisSize, odEquiDynBound, ouEquiDynBound } from "./bounds.ts";
export { BasisSpectrum, circulantExtremes, circulantRate, type SpectralExtremes } from "./circulant.ts";
export { sparseRate } from "./lanczos.ts";
export { predictedRounds, type Rate } from "./rate.ts";
