/** What to run over how many nodes: the subpath `equitopo/advise`. */

export {
  type Advice,
  type AdviceRow,
  type AdviceStep,
  type AdviseOptions,
  adviceSteps,
  advise,
  type Question,
  type Watch,
} from "./advise.ts";
export { type Candidate, type CandidateOptions, candidateSpecs, candidates, type Exclusion } from "./candidates.ts";
export { type Checked, checkAdvice } from "./check.ts";
export type { Certainty, Forecast } from "./consensus.ts";
export { type Cost, costOfAllReduce, costOfRounds, type Network } from "./cost.ts";
export { type Sample, type SampleOptions, sampleGossip } from "./sampled.ts";
