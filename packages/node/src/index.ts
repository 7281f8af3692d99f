/** What Node adds to equitopo: peers over TCP and threads, certificates, checkpoints in files, work on many cores. */

// The events that peers report are the same in every runtime; launchers in Node find them here, too.

export { checkpointPath, fileStore } from "./files/file-store.ts";
export { folderFiles } from "./files/folder.ts";
export { type HistoryFile, historyFile } from "./files/history-file.ts";
export { type LaunchOptions, type TransportFamily, transports } from "./launch.ts";
export { type ThreadPool, threadPool } from "./pool/pool.ts";
export { type JoinOptions, joinRoom, type NodeMember } from "./room/join.ts";
export { RoomServer, type RoomServerOptions } from "./room/server.ts";
export { type HostOptions, HostTransport } from "./routes/host.ts";
export { type RoutedOptions, RoutedTransport } from "./routes/route.ts";
export type { Address, TlsFiles } from "./server/address.ts";
export { freePorts } from "./server/free-ports.ts";
export { LinkServer, type LinkServerOptions } from "./server/link-server.ts";
export { type Certificate, type CertificateOptions, createAuthority, createCertificate } from "./tcp/certificate.ts";
export { type TcpOptions, TcpTransport } from "./tcp/tcp.ts";
export { TcpLane } from "./tcp/tcp-lane.ts";
export { announceGone, type Board, type BoardOptions, createBoard } from "./threads/board.ts";
export { type ThreadOptions, ThreadTransport } from "./threads/thread-lane.ts";
