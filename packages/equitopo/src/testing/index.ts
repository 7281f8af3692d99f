/** Laws to hold your own members to, in any test runner: the subpath `equitopo/testing`. */

export { type AlgorithmLawOptions, algorithmLaws } from "./algorithm.ts";
export { attackLaws } from "./attack.ts";
export { defenceLaws } from "./defence.ts";
export type { Law } from "./law.ts";
export { type ProblemLawOptions, problemLaws } from "./problem.ts";
export { rateChecks } from "./rate.ts";
export * from "./schedule.ts";
export { type TopologyCheck, type TopologyLawOptions, topologyChecks, topologyLaws } from "./topology.ts";
export { type Open, type Opened, transportLaws } from "./transport.ts";
