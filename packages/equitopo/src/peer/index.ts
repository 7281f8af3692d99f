/**
 * Real peers: the one exchange machine and the loop that runs an algorithm over it. Runs anywhere; what a runtime adds
 * (TCP, threads, MPI, files) is a lane or a store in another package.
 */

export { crc32 } from "../number/crc32.ts";
export type { Json } from "../run/checkpoint.ts";
export type { PeerRecord, Spent } from "../run/course/row-course.ts";
export { type AsyncPeerOptions, runAsyncPeer } from "./async/peer.ts";
export type { Checkpoint, Store } from "./course/checkpoint.ts";
export { type Largest, largestSent } from "./course/largest-message.ts";
export { type GatherOptions, gather, gatherSteps, type Meeting } from "./course/meeting.ts";
export { Numbering, type NumberingOptions } from "./course/numbering.ts";
export type { RunPoint } from "./course/opening.ts";
export { type PeerSummary, type SpecPeerOptions, specText } from "./course/options.ts";
export { everyPartner } from "./course/partners.ts";
export { type PeerOptions, runPeer } from "./course/peer.ts";
export type { RunId } from "./course/run-id.ts";
export { runSpecPeer } from "./course/spec-peer.ts";
export { type PeerStart, TooFewError } from "./course/start.ts";
export { steadyStore } from "./course/steady-store.ts";
export { runElasticPeer, sponsorOf } from "./elastic/elastic-peer.ts";
export type { Epoch, EpochMember } from "./elastic/epoch.ts";
export { epochTopology } from "./elastic/epoch-topology.ts";
export type { ElasticOptions, ElasticPatience, ElasticSummary } from "./elastic/options.ts";
export { Exchange, type ExchangeOptions } from "./exchange/exchange.ts";
export type { Role } from "./exchange/hello.ts";
export { newIncarnation, ReplacedError } from "./exchange/incarnation.ts";
export type { Ears, Kind, Lane, Letter } from "./exchange/lane.ts";
export type { Clock } from "./exchange/runtime.ts";
export { type Streaming, Streams, type Stretch, type Taker } from "./exchange/streams.ts";
export {
  type Belief,
  type Counts,
  defaultTimeout,
  type ElementType,
  type ExchangeOutcome,
  type Incoming,
  type Notices,
  type Outgoing,
  type Request,
  type Transport,
  type Vector,
} from "./exchange/transport.ts";
export { asyncHistory } from "./history/async.ts";
export * from "./history/checker.ts";
export type {
  AmendedLine,
  Ending,
  EndLine,
  ExchangeLine,
  Historian,
  HistoryLine,
  IteratedLine,
  MixedLine,
  PeerLine,
  RowLine,
  Vote,
} from "./history/history.ts";
export { decodeHistory, encodeLine } from "./history/history.ts";
export { Aggregation, type AggregationOptions, type Average, type AverageOptions, average } from "./mixing/average.ts";
export type { ExchangeTally } from "./mixing/encounters.ts";
export type { MixingOptions, MixReport, RoundReport } from "./mixing/mixing.ts";
export { ConnectedNetwork, type ConnectedNetworkOptions } from "./network/connections.ts";
export { type MemoryFaults, MemoryNetwork } from "./network/memory.ts";
export type { EndEvent, FaultEvent, PeerEvent, RecordEvent, RoundEvent } from "./report/event.ts";
export { reportingPeer } from "./report/event.ts";
export type { PeerFault, PeerFaultKind } from "./report/fault.ts";
export type { PeerFaults } from "./report/run-faults.ts";
