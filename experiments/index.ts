/** Every study by name, and what experiments are made of (`equitopo/outcome`). */

import { adviser } from "./adviser.ts";
import { algorithmsHeterogeneous } from "./algorithms-heterogeneous.ts";
import { consensusLogDegree, consensusOnePeer } from "./consensus-comparison.ts";
import { consensusSizeIndependence } from "./consensus-size-independence.ts";
import { designs } from "./designs.ts";
import { dsgdLeastSquares } from "./dsgd-least-squares.ts";
import { dsgtLogistic } from "./dsgt-logistic.ts";
import { illustrations } from "./illustrations.ts";
import { cifar10, mnist } from "./images.ts";
import { liars } from "./liars.ts";
import { outer } from "./outer.ts";
import { rivalsConsensus } from "./rivals-consensus.ts";
import { rivalsFaults } from "./rivals-faults.ts";
import { rivalsLearning } from "./rivals-learning.ts";
import { rivalsRelabelled } from "./rivals-relabelled.ts";
import type { Study } from "./study.ts";
import { table1 } from "./table-1.ts";

export type { AdviceUnit } from "./advice.ts";
export type { Against } from "./against.ts";
export type { AveragingUnit } from "./averaging.ts";
export type { Heterogeneity } from "./lcg.ts";
export type { Choices, Study } from "./study.ts";
export type { TrialUnit } from "./trial.ts";
export {
  type GainsUnit,
  type GossipUnit,
  type GraphUnit,
  type MeetingsUnit,
  type RateUnit,
  runUnit,
  type StudyUnit,
  type UnitOn,
  type UnitResult,
} from "./unit.ts";

export const experiments: readonly Study[] = [
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
  outer,
  adviser,
  designs,
  liars,
  mnist,
  cifar10,
];
