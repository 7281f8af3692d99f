/** Peers as worker threads of this program. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { announceGone, type Board, createBoard, type LaunchOptions, type PeerEvent } from "@equitopo/node/internal";
import { largestSent } from "equitopo/peer";
import { contextOf } from "../run/context.ts";

export interface ThreadData
  extends Pick<LaunchOptions, "runs" | "timeout" | "overlap" | "audit" | "data" | "checkpoint" | "history"> {
  readonly board: Board;
  readonly rank: number;
}

/**
 * A peer in a thread of this program, which runs the script of that name in thread/. It has that place on the board, where
 * the others see when it is gone.
 */
export function startThread<T>(
  script: string,
  workerData: { board: Board },
  place: number,
  onMessage: (it: T) => void,
) {
  const worker = new Worker(new URL(`../thread/${script}.js`, import.meta.url), { workerData });
  worker.on("message", onMessage);
  return { worker, over: once(worker, "exit").finally(() => announceGone(workerData.board, place)) };
}

export async function launchThreads(options: LaunchOptions): Promise<void> {
  const { runs, n, signal, timeout, overlap, audit, data, checkpoint, history, onEvent, onGone } = options;
  const board = createBoard({ size: n, ...largestSent(runs, contextOf({ data }), audit) });
  const peers = Array.from({ length: n }, (_, rank) => {
    const thread: ThreadData = { board, rank, runs, timeout, overlap, audit, data, checkpoint, history };
    return startThread<PeerEvent>("peer", thread, rank, onEvent);
  });
  const ends = peers.map(async ({ over }, rank) => {
    await over.catch((error) => {
      throw Object.assign(error, { message: `peer ${rank}: ${error.message}` });
    });
    onGone(rank);
  });
  const aborted = once(signal, "abort").then(() => signal.throwIfAborted());
  try {
    await Promise.race([Promise.all(ends), aborted]);
  } finally {
    await Promise.all(peers.map(({ worker }) => worker.terminate()));
  }
}
