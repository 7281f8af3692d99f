/**
 * equitopo: decentralised averaging on network topologies whose mixing speed does not depend on the size of the network.
 *
 * The topologies and rates are those of "Communication-Efficient Topologies for Decentralized Learning with O(1)
 * Consensus Rate" (Song, Li, Jin, Shi, Yan, Yin, Yuan; NeurIPS 2022).
 *
 * This module has what most programs need; each folder has a subpath with the rest (equitopo/topology, equitopo/rate, ...).
 */

export { type Advice, type AdviceRow, advise } from "./advise/advise.ts";
export type { AdviseOptions } from "./advise/question.ts";
export {
  type Algorithm,
  type Coded,
  type Columns,
  defineAlgorithm,
  type Exchanges,
  initialState,
  type Mix,
  oneExchange,
  oneVector,
  type Running,
  type State,
  type StateKind,
  type Traffic,
  type World,
} from "./algorithm/algorithm.ts";
export type { Codec, Compressor } from "./algorithm/compressor.ts";
export { type CompressorFamily, type CompressorSpec, compressors, defineCompressor } from "./algorithm/compressors.ts";
export {
  anyWeights,
  type Condition,
  columnStochastic,
  doublyStochastic,
  staticSymmetric,
} from "./algorithm/condition.ts";
export type { InnerSpec } from "./algorithm/inner.ts";
export {
  type AlgorithmChoice,
  type AlgorithmMembers,
  type AlgorithmSpec,
  algorithms,
  createAlgorithm,
  type Optimiser,
} from "./algorithm/registry.ts";
export * from "./algorithm/schedule.ts";
export type { Design, DesignCertificate } from "./design/design.ts";
export { type DesignOptions, designTopology } from "./design/designer.ts";
export { type AttackFamily, defineAttack } from "./faults/attack/attack.ts";
export { attacks } from "./faults/attack/registry.ts";
export type { Latency } from "./faults/latency.ts";
export type { LiarFaults } from "./faults/liars.ts";
export type { Faults } from "./faults/network.ts";
export type { Crash, Cut } from "./faults/outages.ts";
export { InputError } from "./input/input.ts";
export type { Option, Options, OptionValue, Values } from "./input/option.ts";
export * as option from "./input/option.ts";
export { type AnyFamily, Registry } from "./input/registry.ts";
export { stateHash } from "./number/hash.ts";
export { type CustomProblemOptions, customProblem } from "./problem/custom.ts";
export { type LeastSquares, type LeastSquaresOptions, leastSquares } from "./problem/least-squares.ts";
export { type Logistic, type LogisticOptions, logistic } from "./problem/logistic.ts";
export * from "./problem/problem.ts";
export {
  createProblem,
  type ProblemChoice,
  type ProblemMembers,
  type ProblemSpec,
  problems,
} from "./problem/registry.ts";
export { RandomStream } from "./random/stream.ts";
export { circulantRate } from "./rate/circulant.ts";
export { predictedRounds } from "./rate/prediction.ts";
export type { Rate } from "./rate/rate.ts";
export { type DefenceFamily, type DefenceSpec, defineDefence } from "./robust/defence.ts";
export { defences } from "./robust/registry.ts";
export type { Circulant } from "./round/circulant.ts";
export type { Crew, Team, Work } from "./round/crew.ts";
export type { Distance } from "./round/distance.ts";
export { kernelMixer } from "./round/kernel-mixer.ts";
export type { Mixer } from "./round/mixer.ts";
export type {
  CirculantRound,
  Edge,
  FlatRound,
  GroupedRound,
  MatchingRound,
  MeanRound,
  Round,
  Rows,
  SparseRound,
} from "./round/round.ts";
export { type GossipOptions, type GossipRecord, gossip, gossipAsync, type Signal } from "./run/gossip.ts";
export type * from "./run/gossip-steps.ts";
export { gossipSteps } from "./run/gossip-steps.ts";
export type { Curves, SavedRun, Snapshot } from "./run/record.ts";
export { type RunOptions, type RunResult, runSpec, runSpecAsync } from "./run/run.ts";
export { type SimulationOptions, type SimulationRecord, simulate, simulateAsync } from "./run/simulate.ts";
export { expandSpec, parseSpec, type RunEntry, type RunSpec, type SpecDocument } from "./run/spec.ts";
export type { Start } from "./run/start.ts";
export type { BasisOptions } from "./topology/basis.ts";
export { circulantTopology } from "./topology/circulant.ts";
export { complete } from "./topology/complete.ts";
export { type CustomOptions, customGraph } from "./topology/custom.ts";
export { dEquiStatic } from "./topology/d-equistatic.ts";
export type { EquiDynOptions } from "./topology/equidyn.ts";
export { erdosRenyi, type RandomGraphOptions } from "./topology/erdos-renyi.ts";
export { geometric } from "./topology/geometric.ts";
export { graphTopology, sparseTopology } from "./topology/graph.ts";
export { grid } from "./topology/grid.ts";
export { hypercube } from "./topology/hypercube.ts";
export type { LatticeOptions } from "./topology/lattice.ts";
export { odEquiDyn } from "./topology/od-equidyn.ts";
export { type OnePeerExpOptions, onePeerExp } from "./topology/one-peer-exp.ts";
export { type OuEquiDyn, type OuEquiDynOptions, ouEquiDyn } from "./topology/ou-equidyn.ts";
export { readPlan } from "./topology/plan/drawn.ts";
export type { Plan } from "./topology/plan/plan.ts";
export { type PlanOptions, planOf } from "./topology/plan/plan-of.ts";
export { createTopology, type TopologyChoice, type TopologyMembers, topologies } from "./topology/registry.ts";
export { ring } from "./topology/ring.ts";
export { star } from "./topology/star.ts";
export { staticExp } from "./topology/static-exp.ts";
export {
  defineTopology,
  type Neighbour,
  type Peers,
  type Topology,
  type TopologyFamily,
  type TopologySpec,
} from "./topology/topology.ts";
export { torus } from "./topology/torus.ts";
export { uEquiStatic } from "./topology/u-equistatic.ts";
export type { BaselineOptions, UndirectedOptions } from "./topology/weights.ts";
