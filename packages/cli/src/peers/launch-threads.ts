/** Peers as worker threads of this program. */

import { Worker } from "node:worker_threads";
import { announceGone, type Board, createBoard, type LaunchOptions, type PeerEvent } from "@equitopo/node";
import { largestSent } from "equitopo/peer";
import { contextOf } from "../run/context.ts";

/** What a thread is told that is to be a peer. */
export interface ThreadData
  extends Pick<LaunchOptions, "runs" | "timeout" | "overlap" | "audit" | "data" | "checkpoint" | "history"> {
  readonly board: Board;
  readonly rank: number;
}

export async function launchThreads(options: LaunchOptions): Promise<void> {
  const { runs, n, signal, timeout, overlap, audit, data, checkpoint, history, onEvent, onGone } = options;
  const context = contextOf(data === undefined ? {} : { data });
  const board = createBoard({ size: n, ...largestSent(runs, context, audit) });
  const workers: Worker[] = [];
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    const all = Promise.all(
      Array.from(
        { length: n },
        (_, rank) =>
          new Promise<void>((resolve, reject) => {
            const told: ThreadData = { board, rank, runs, timeout, overlap, audit, data, checkpoint, history };
            const worker = new Worker(new URL("../thread/peer.js", import.meta.url), { workerData: told });
            workers.push(worker);
            worker.on("message", (event: PeerEvent) => onEvent(event));
            worker.once("error", (error) =>
              reject(Object.assign(error, { message: `peer ${rank}: ${error.message}` })),
            );
            worker.once("exit", () => {
              announceGone(board, rank);
              onGone(rank);
              resolve();
            });
          }),
      ),
    );
    await Promise.race([all, aborted]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
