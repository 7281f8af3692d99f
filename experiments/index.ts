/** Every experiment by name. */

import { algorithmsHeterogeneous } from "./algorithms-heterogeneous.ts";
import { cifar10 } from "./cifar10.ts";
import { consensusLogDegree } from "./consensus-log-degree.ts";
import { consensusOnePeer } from "./consensus-one-peer.ts";
import { consensusSizeIndependence } from "./consensus-size-independence.ts";
import { designs } from "./designs.ts";
import { dsgdLeastSquares } from "./dsgd-least-squares.ts";
import { dsgtLogistic } from "./dsgt-logistic.ts";
import type { Experiment } from "./experiment.ts";
import { illustrations } from "./illustrations.ts";
import { liars } from "./liars.ts";
import { mnist } from "./mnist.ts";
import { rivalsConsensus } from "./rivals-consensus.ts";
import { rivalsFaults } from "./rivals-faults.ts";
import { rivalsLearning } from "./rivals-learning.ts";
import { rivalsRelabelled } from "./rivals-relabelled.ts";
import { table1 } from "./table-1.ts";

export { type Against, parseAgainst } from "./against.ts";
export type { AveragingResult, AveragingUnit } from "./averaging.ts";
export { bandOf } from "./curves.ts";
export type * from "./experiment.ts";
export { checksFinding, findingsOf, listed } from "./findings.ts";
export { firstMinute } from "./first-minute.ts";
export type { Heterogeneity } from "./lcg.ts";
export { type Parameters, parametersOf } from "./parameters.ts";
export { finalTable, type SpecExperiment, specExperiment } from "./spec-experiment.ts";
export { type SpecFigures, specFigures } from "./spec-figures.ts";
export { type ByLabel, groupByLabel, metricsOf, panelsOf, runKey, type SpecPanels, words } from "./spec-panels.ts";
export type { TrialResult, TrialUnit } from "./trial.ts";
export {
  type GainsResult,
  type GainsUnit,
  type GossipResult,
  type GossipUnit,
  type GraphResult,
  type GraphUnit,
  type LearningUnit,
  type MeetingsResult,
  type MeetingsUnit,
  type RateResult,
  type RateUnit,
  runUnit,
  type Unit,
  type UnitResult,
} from "./unit.ts";
export { distinctPanels, uselessBecause } from "./worth-showing.ts";

export const experiments: readonly Experiment[] = [
  illustrations,
  consensusSizeIndependence,
  consensusOnePeer,
  consensusLogDegree,
  table1,
  dsgdLeastSquares,
  dsgtLogistic,
  algorithmsHeterogeneous,
  rivalsConsensus,
  rivalsFaults,
  rivalsLearning,
  rivalsRelabelled,
  designs,
  liars,
  mnist,
  cifar10,
];
