/** What `equitopo/advise` exported before it was cut down to what programs need; outside semantic versioning. */

export type { AdviceWatch as Watch } from "../advise/advise.ts";
export { type Advice, type AdviceRow, advise } from "../advise/advise.ts";
export * from "../advise/alike.ts";
export { candidateSpecs } from "../advise/candidates.ts";
export { type HowToRun, iterationsOf } from "../advise/check.ts";
export * from "../advise/cost.ts";
export { expectedErrors } from "../advise/expected.ts";
export * from "../advise/index.ts";
export { unmodelled } from "../advise/learning.ts";
export { outerAdviceOptions } from "../advise/outer.ts";
export { type AdviseOptions, adviceOptions, learningOptions } from "../advise/question.ts";
