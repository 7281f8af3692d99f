/**
 * Real peers: the one exchange machine and the loop that runs an algorithm over it. Runs anywhere; what a runtime adds
 * (TCP, threads, MPI, files) is a lane or a store in another package.
 */

export { crc32 } from "../number/crc32.ts";
export { combine, combineMean } from "../round/combine.ts";
export {
  type CheckpointContent,
  checkpointVersion,
  decodeCheckpoint,
  encodeCheckpoint,
  type Json,
} from "../run/checkpoint.ts";
export { asyncHistory } from "./async/history.ts";
export { type AsyncPeerOptions, runAsyncPeer } from "./async/peer.ts";
export { type Streaming, Streams, type Stretch, type Taker } from "./async/streams.ts";
export { Aggregation, type AggregationOptions, type Average, type AverageOptions, average } from "./average.ts";
export { type PeerStart, TooFewError } from "./begin.ts";
export {
  type CheckOptions,
  checkHistories,
  type HistoryCounts,
  type Verdict,
  type Violation,
} from "./check-history.ts";
export {
  type Checkpoint,
  loadCheckpoints,
  readCheckpoint,
  type Spent,
  type Store,
  saveCheckpoint,
} from "./checkpoint.ts";
export type { Claims } from "./claims.ts";
export { ConnectedNetwork, type ConnectionOptions } from "./connections.ts";
export { runElasticPeer, sponsorOf } from "./elastic/elastic-peer.ts";
export { type Epoch, firstEpoch, type Member } from "./elastic/epoch.ts";
export { epochTopology } from "./elastic/epoch-topology.ts";
export { messageBytes } from "./elastic/message.ts";
export { type ElasticOptions, type ElasticPatience, type ElasticSummary, elasticPatience } from "./elastic/options.ts";
export { handedBytes } from "./elastic/transfer.ts";
export type { ExchangeTally } from "./encounters.ts";
export {
  decodeEvent,
  type EndEvent,
  encodeEvent,
  type FaultEvent,
  type PeerEvent,
  type PeerFaults,
  type RecordEvent,
  type RoundEvent,
  reportingPeer,
} from "./event.ts";
export { Exchange, type ExchangeOptions } from "./exchange.ts";
export { type Fault, type FaultKind, FaultWatch, type Outline } from "./fault.ts";
export {
  bytesOf,
  decodeHeader,
  encodeBeat,
  encodeHeader,
  FrameError,
  FrameReader,
  frameVersion,
  type Guard,
  type Header,
  headerBytes,
  type ReaderOptions,
  type Refusal,
  tagBytes,
} from "./frame.ts";
export {
  type GatherOptions,
  gather,
  gatherBytes,
  gatherSteps,
  type Meeting,
  openingPasses,
  usualLag,
} from "./gather.ts";
export {
  checkHello,
  checkOpening,
  encodeHello,
  type Hello,
  helloBytes,
  incarnationsIn,
  type Mode,
  nonceBytes,
  openingBytes,
  proof,
  proofBytes,
  type Role,
  saltOf,
} from "./hello.ts";
export {
  type AmendedLine,
  decodeHistory,
  type Ending,
  type EndLine,
  type ExchangeLine,
  encodeLine,
  type Historian,
  type HistoryLine,
  historyVersion,
  type IteratedLine,
  type MixedLine,
  type PeerLine,
  type RowLine,
  type Vote,
} from "./history.ts";
export { Incarnations, newIncarnation, ReplacedError, settling } from "./incarnation.ts";
export type { Ears, Kind, Lane, Letter } from "./lane.ts";
export { type Largest, largestSent } from "./largest.ts";
export { type MemoryFaults, MemoryNetwork } from "./memory.ts";
export { Mixing, type MixingOptions, type MixReport, type Mixture } from "./mixing.ts";
export { Numbering, type NumberingOptions } from "./numbering.ts";
export { comeBack } from "./one-run.ts";
export type { Place } from "./opening.ts";
export { everyPartner } from "./partners.ts";
export { type PeerOptions, type RoundReport, runPeer } from "./peer.ts";
export { readEvent } from "./read-event.ts";
export { requireCheckable } from "./remembered.ts";
export { type RepairOptions, repairing, trackingStates } from "./repair.ts";
export { newRunId, type RunId } from "./run-id.ts";
export { Shifted } from "./shifted.ts";
export { Spare } from "./spare.ts";
export {
  type PeerRecord,
  type PeerSummary,
  peersOf,
  runSpecPeer,
  runTexts,
  type SpecPeerOptions,
  specText,
} from "./spec-peer.ts";
export { steadyStore } from "./steady-store.ts";
export { topologyFor } from "./survivors.ts";
export {
  allocate,
  type Belief,
  type Counts,
  defaultTimeout,
  type ElementType,
  elementBytes,
  type Incoming,
  newCounts,
  type Outcome,
  type Outgoing,
  type Request,
  type Transport,
  typeOf,
  type Vector,
} from "./transport.ts";
