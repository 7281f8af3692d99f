/** What `equitopo/rate` exported before it was cut down to what programs need; outside semantic versioning. */

export { circulantRate } from "../rate/circulant.ts";
export * from "../rate/index.ts";
export { predictedRounds } from "../rate/prediction.ts";
export { SPECTRUM_NODES } from "../rate/spectrum.ts";
export { worked } from "../rate/watch.ts";
