/** Peers on this machine: threads, processes over TCP, or MPI ranks. */

import type { RunSpec, SpecDocument } from "equitopo";
import type { PeerEvent } from "./event.ts";

export interface LaunchOptions {
  readonly document: SpecDocument;
  /** Of the document's runs those to do, and their places in it. */
  readonly runs: readonly RunSpec[];
  readonly places: readonly number[];
  readonly n: number;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly drop: number;
  readonly overlap: boolean;
  readonly audit: number | undefined;
  readonly onEvent: (event: PeerEvent) => void;
  /** The peer has ended, well or not. */
  readonly onGone: (rank: number) => void;
}

/** Runs all peers to their ends. Rejects where a peer could not even start. */
export type Launch = (options: LaunchOptions) => Promise<void>;

export const transports = ["threads", "tcp", "mpi"] as const;
export type TransportName = (typeof transports)[number];

export async function launchOf(name: TransportName): Promise<Launch> {
  if (name === "threads") return (await import("./launch-threads.ts")).launchThreads;
  const processes = await import("./launch-processes.ts");
  return name === "tcp" ? processes.launchTcp : processes.launchMpi;
}
