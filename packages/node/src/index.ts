/** What Node adds to equitopo: peers over TCP and threads, certificates, checkpoints in files, work on many cores. */

// What peers tell is the same anywhere; whoever launches them in Node finds it here, too.
export {
  decodeEvent,
  type EndEvent,
  encodeEvent,
  type PeerEvent,
  type PeerFaults,
  type RecordEvent,
  type RoundEvent,
  reportingPeer,
} from "equitopo/peer";
export { folderFiles } from "./files/folder.ts";
export { announceGone, type Board, type BoardOptions, createBoard } from "./peer/board.ts";
export { type Certificate, type CertificateOptions, createAuthority, createCertificate } from "./peer/certificate.ts";
export { checkpointPath, fileStore } from "./peer/file-store.ts";
export { freePorts } from "./peer/free-ports.ts";
export { type HistoryFile, historyFile } from "./peer/history-file.ts";
export { type HostOptions, HostTransport } from "./peer/host.ts";
export type { Address } from "./peer/inlet.ts";
export { type LaunchOptions, type TransportMember, transports } from "./peer/launch.ts";
export { dialLink, LinkServer, type LinkServerOptions } from "./peer/link-server.ts";
export { RoutedLane, type RoutedOptions, RoutedTransport } from "./peer/routed.ts";
export type { TlsFiles } from "./peer/secure.ts";
export { type TcpOptions, TcpTransport } from "./peer/tcp.ts";
export { TcpLane } from "./peer/tcp-lane.ts";
export { type ThreadOptions, ThreadTransport } from "./peer/threads.ts";
export { type JoinOptions, joinRoom, type NodeMember } from "./room/join.ts";
export { RoomServer, type RoomServerOptions } from "./room/server.ts";
export { type ThreadPool, threadPool } from "./threads/pool.ts";
