/**
 * Transports by name, for whoever starts all peers of a run on this machine (`equitopo run --transport NAME`). A member
 * says how its peers are launched: as threads, as processes, or in this very program. Open to members from elsewhere.
 */

import { type AnyFamily, Registry, type RunSpec } from "equitopo";
import type { PeerEvent } from "equitopo/peer";

export interface LaunchOptions {
  /** As they were expanded, once; peers do not expand anything again. */
  readonly runs: readonly RunSpec[];
  readonly n: number;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly overlap: boolean;
  readonly audit: number | undefined;
  readonly data: string | undefined;
  /**
   * Where the peers keep their checkpoints (%r: the rank; fileStore and checkpointPath make the store of one), so that a
   * run that was interrupted goes on from there; without it, or where a launcher does not hand it on, a run begins anew.
   */
  readonly checkpoint: string | undefined;
  /** Where the peers keep their histories (%r: the rank; historyFile makes one), where they are to. */
  readonly history?: string | undefined;
  /** False if the event cannot be of these runs. */
  readonly onEvent: (event: PeerEvent) => boolean;
  /** A line for the person at the terminal. */
  readonly onNote: (line: string) => void;
  /** The peer has ended, well or not. */
  readonly onGone: (rank: number) => void;
}

export interface TransportFamily extends AnyFamily {
  /** Whether its peers bring data of their own, which is then not on this machine. */
  readonly apart?: boolean;
  /** Runs all peers to their ends. Rejects where a peer could not even start. */
  launch(options: LaunchOptions): Promise<void>;
}

/** Every transport that peers can be launched over. */
export const transports = new Registry<TransportFamily>("transport");
