/**
 * equitopo: decentralised averaging on network topologies whose mixing speed does not depend on the size of the network.
 *
 * The topologies and rates are those of "Communication-Efficient Topologies for Decentralized Learning with O(1)
 * Consensus Rate" (Song, Li, Jin, Shi, Yan, Yin, Yuan; NeurIPS 2022).
 */

export {
  type Algorithm,
  type Coded,
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
export { type Codec, type Compressor, quantise, randomK, topK } from "./algorithm/compressor.ts";
export { type CompressorFamily, type CompressorSpec, compressors, defineCompressor } from "./algorithm/compressors.ts";
export {
  anyWeights,
  type Condition,
  columnStochastic,
  doublyStochastic,
  staticSymmetric,
} from "./algorithm/condition.ts";
export { drive, driveAsync } from "./algorithm/drive.ts";
export { fittingTopologies, requireFit } from "./algorithm/fit.ts";
export { localNetwork, Meter } from "./algorithm/meter.ts";
export { type AlgorithmSpec, algorithm, algorithms, createAlgorithm, type Optimiser } from "./algorithm/registry.ts";
export {
  createSchedule,
  defineSchedule,
  type Schedule,
  type ScheduleContext,
  type ScheduleFamily,
  type ScheduleSpec,
  schedules,
} from "./algorithm/schedule.ts";
export { createWorld, type WorldOptions } from "./algorithm/world.ts";
export type { Crash } from "./faults/crash.ts";
export type { Latency } from "./faults/latency.ts";
export { type Faults, Network } from "./faults/network.ts";
export { thinRound } from "./faults/thin.ts";
export { InputError, inside, nearest } from "./input/input.ts";
export type { Option, Options, OptionValue, Values } from "./input/option.ts";
export * as option from "./input/option.ts";
export { type Member, Registry } from "./input/registry.ts";
export { sha256, stateHash } from "./number/hash.ts";
export { type CustomProblemOptions, customProblem } from "./problem/custom.ts";
export {
  type LeastSquares,
  type LeastSquaresOptions,
  leastSquares,
  leastSquaresFrom,
} from "./problem/least-squares.ts";
export { type Logistic, type LogisticOptions, logistic, logisticFrom } from "./problem/logistic.ts";
export {
  defineProblem,
  type Evaluation,
  type Files,
  type Problem,
  type ProblemContext,
  type ProblemFamily,
  type Tally,
} from "./problem/problem.ts";
export { createProblem, type ProblemSpec, problems } from "./problem/registry.ts";
export { fillNormal } from "./random/normal.ts";
export { block } from "./random/philox.ts";
export { RandomStream, streams } from "./random/stream.ts";
export { basisSize, odEquiDynBound, ouEquiDynBound } from "./rate/bounds.ts";
export { BasisSpectrum, circulantExtremes, circulantRate, type SpectralExtremes } from "./rate/circulant.ts";
export { predictedRounds, type Rate } from "./rate/rate.ts";
export { applyRound } from "./round/apply.ts";
export type { Circulant } from "./round/circulant.ts";
export type { Crew, Team, Work } from "./round/crew.ts";
export { type Distance, meanRow, squaredDistance } from "./round/distance.ts";
export { kernelMixer } from "./round/kernel-mixer.ts";
export { type Mixer, plainMixer } from "./round/mixer.ts";
export * from "./round/round.ts";
export { type GossipOptions, type GossipRecord, gossip, gossipAsync, type Signal } from "./run/gossip.ts";
export type { Curves, SavedRun } from "./run/record.ts";
export { type RunOptions, type RunResult, runSpec, runSpecAsync } from "./run/run.ts";
export {
  type SimulationOptions,
  type SimulationRecord,
  simulate,
  simulateAsync,
} from "./run/simulate.ts";
export { expandSpec, type RunEntry, type RunSpec, type SpecDocument } from "./run/spec.ts";
export {
  type Convergence,
  convergence,
  type TheoryMethod,
  type TheorySetting,
  type TheoryTerm,
  theoryMethods,
} from "./theory/convergence.ts";
export { type NetworkRate, networkRate } from "./theory/network-rate.ts";
export {
  type TheoryNumbers,
  type TheoryRow,
  type TheoryTable,
  type TheoryTableName,
  type TheoryTableOptions,
  theoryTable,
  theoryTableNames,
} from "./theory/tables.ts";
export type { BasisOptions } from "./topology/basis.ts";
export { circulantTopology } from "./topology/circulant.ts";
export { complete } from "./topology/complete.ts";
export { type CustomOptions, customGraph } from "./topology/custom.ts";
export { dEquiStatic } from "./topology/d-equistatic.ts";
export type { EquiDynOptions } from "./topology/equidyn.ts";
export { erdosRenyi, type RandomGraphOptions } from "./topology/erdos-renyi.ts";
export { geometric } from "./topology/geometric.ts";
export { type BaselineOptions, graphTopology, sparseTopology } from "./topology/graph.ts";
export { grid } from "./topology/grid.ts";
export { hypercube } from "./topology/hypercube.ts";
export type { LatticeOptions } from "./topology/lattice.ts";
export { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "./topology/matching.ts";
export { odEquiDyn } from "./topology/od-equidyn.ts";
export { type OnePeerExpOptions, onePeerExp } from "./topology/one-peer-exp.ts";
export { type OuEquiDyn, type OuEquiDynOptions, ouEquiDyn } from "./topology/ou-equidyn.ts";
export { createTopology, topologies } from "./topology/registry.ts";
export { ring } from "./topology/ring.ts";
export { star } from "./topology/star.ts";
export { staticExp } from "./topology/static-exp.ts";
export {
  defineTopology,
  type Family,
  type Link,
  type Peers,
  type Topology,
  type TopologySpec,
} from "./topology/topology.ts";
export { torus } from "./topology/torus.ts";
export { uEquiStatic } from "./topology/u-equistatic.ts";
