/** The paper's convergence rates and transient iterations: the subpath `equitopo/theory`. */

export * from "./convergence.ts";
export { type NetworkRate, networkRate } from "./network-rate.ts";
export * from "./tables.ts";
