/** What `@equitopo/experiments` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "equitopo/internal/outcome";
export { adviceOn, methods, regretOf, requestOf } from "./advice.ts";
export { parseAgainst } from "./against.ts";
export type { AveragingResult, AveragingUnit } from "./averaging.ts";
export { firstMinute } from "./first-minute.ts";
export * from "./index.ts";
export type { Heterogeneity } from "./lcg.ts";
export type { TrialResult, TrialUnit } from "./trial.ts";
export * from "./unit.ts";
