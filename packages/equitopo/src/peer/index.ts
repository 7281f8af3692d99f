/** Real peers: transports, and the loop that runs an algorithm over them. Node only. */

export {
  type CheckpointContent,
  checkpointVersion,
  decodeCheckpoint,
  encodeCheckpoint,
  type Json,
} from "../run/checkpoint.ts";
export { Aggregation, type AggregationOptions, type Average, type AverageOptions, average } from "./average.ts";
export { type Board, type BoardOptions, createBoard } from "./board.ts";
export { type Certificate, type CertificateOptions, createAuthority, createCertificate } from "./certificate.ts";
export { type Checkpoint, readCheckpoint, readCheckpoints, writeCheckpoint } from "./checkpoint.ts";
export { combine, combineMean } from "./combine.ts";
export { type GatherOptions, gather, gatherSteps, type Meeting } from "./gather.ts";
export type { Address, TlsFiles } from "./inlet.ts";
export { loss } from "./loss.ts";
export { type MemoryFaults, MemoryNetwork } from "./memory.ts";
export { Mixing, type MixingOptions, type MixReport } from "./mixing.ts";
export { type PeerOptions, type RoundReport, runPeer } from "./peer.ts";
export { type RepairOptions, repairing, tracks } from "./repair.ts";
export {
  comeBack,
  inRun,
  type PeerRecord,
  type PeerSummary,
  peersOf,
  runSpecPeer,
  type SpecPeerOptions,
  specText,
} from "./spec-peer.ts";
export { topologyFor } from "./survivors.ts";
export { type TcpOptions, TcpTransport } from "./tcp.ts";
export { type ThreadOptions, ThreadTransport } from "./threads.ts";
export {
  allocate,
  type Counts,
  defaultTimeout,
  type ElementType,
  type Incoming,
  newCounts,
  type Outcome,
  type Outgoing,
  type Request,
  reachedByTwo,
  type Transport,
  typeOf,
  type Vector,
} from "./transport.ts";
