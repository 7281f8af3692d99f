/** What to run over how many nodes: the subpath `equitopo/advise`. */

export { type AdviceStep, type AdviceWatch, adviceSteps } from "./advise.ts";
export { type Candidate, type CandidateOptions, candidates, type Exclusion } from "./candidates.ts";
export { type Checked, checkAdvice } from "./check.ts";
export type { Certainty, Forecast } from "./consensus.ts";
export { type AdviseOuterOptions, adviseOuter, type OuterAdvice, type OuterAdviceRow } from "./outer.ts";
export { judgeOuter, type OuterJudgement } from "./outer-rule.ts";
export type { Question } from "./question.ts";
export { type Sample, type SampleOptions, sampleGossip } from "./sampled.ts";
