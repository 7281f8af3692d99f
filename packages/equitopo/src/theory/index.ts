/** The paper's convergence rates and transient iterations: the subpath `equitopo/theory`. */

export { type EstimatedConstants, type EstimateOptions, estimateConstants } from "./constants.ts";
export * from "./convergence.ts";
export { type BetaSource, betaSources, type NetworkRate, networkRate } from "./network-rate.ts";
export * from "./tables.ts";
