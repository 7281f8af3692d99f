/** Peers as worker threads of this program. */

import { Worker } from "node:worker_threads";
import { announceGone, type Board, createBoard, type LaunchOptions, type PeerEvent } from "@equitopo/node";
import { createAlgorithm, createProblem } from "equitopo";
import { contextOf } from "../run/context.ts";

/** What a thread is told that is to be a peer. */
export interface ThreadData
  extends Pick<LaunchOptions, "runs" | "timeout" | "overlap" | "audit" | "data" | "checkpoint"> {
  readonly board: Board;
  readonly rank: number;
}

export async function launchThreads(options: LaunchOptions): Promise<void> {
  const { runs, n, signal, timeout, overlap, audit, data, checkpoint, onEvent, onGone } = options;
  const board = createBoard({ size: n, ...roomFor(options) });
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
            const told: ThreadData = { board, rank, runs, timeout, overlap, audit, data, checkpoint };
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

/** Bytes of the largest vector, and how many different ones go in one exchange. */
function roomFor({ runs, audit, data }: LaunchOptions): { bytes: number; vectors: number } {
  const context = { ...contextOf(data === undefined ? {} : { data }), first: 0, count: 1 };
  let bytes = 8;
  let vectors = 2;
  for (const { problem: spec, algorithm, type } of runs) {
    const problem = createProblem(spec, context);
    const { sends } = createAlgorithm(algorithm, problem);
    const size = type === "float64" ? 8 : 4;
    // An evaluation sends a weight beside the models; a code that keeps nearly all is longer than what it stands for.
    bytes = Math.max(bytes, (problem.d + 1) * size, sends.compressed?.(problem.d, size) ?? 0);
    vectors = Math.max(vectors, Math.ceil(sends.vectors) + (sends.scalars === undefined ? 0 : 1));
    problem.close?.();
  }
  return { bytes, vectors: vectors + (audit === undefined ? 0 : 1) };
}
