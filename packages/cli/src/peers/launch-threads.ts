/** Peers as worker threads of this program. */

import { Worker } from "node:worker_threads";
import { createAlgorithm, createProblem } from "equitopo";
import { createBoard } from "equitopo/peer";
import type { PeerEvent } from "./event.ts";
import type { Launch, LaunchOptions } from "./launch.ts";
import type { ThreadData } from "./thread.ts";

export const launchThreads: Launch = async ({ runs, n, signal, timeout, drop, overlap, audit, onEvent, onGone }) => {
  const board = createBoard({ size: n, ...roomFor(runs, audit) });
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
            const data: ThreadData = { board, rank, runs, timeout, drop, overlap, audit };
            const worker = new Worker(new URL("./thread.js", import.meta.url), { workerData: data });
            workers.push(worker);
            worker.on("message", (event: PeerEvent) => onEvent(event));
            worker.once("error", (error) =>
              reject(Object.assign(error, { message: `peer ${rank}: ${error.message}` })),
            );
            worker.once("exit", () => {
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
};

/** Bytes of the largest vector, and how many different ones go in one exchange. */
function roomFor(runs: LaunchOptions["runs"], audit: number | undefined): { bytes: number; vectors: number } {
  let bytes = 8;
  let vectors = 2;
  for (const { problem, algorithm, type } of runs) {
    const { sends } = createAlgorithm(algorithm);
    bytes = Math.max(bytes, createProblem(problem).d * (type === "float64" ? 8 : 4));
    vectors = Math.max(vectors, Math.ceil(sends.vectors) + (sends.scalars === undefined ? 0 : 1));
  }
  return { bytes, vectors: vectors + (audit === undefined ? 0 : 1) };
}
