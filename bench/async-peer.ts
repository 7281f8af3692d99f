/** One thread of the real part of `npm run bench -- async`: a peer whose gradients sleep. */

import { parentPort, workerData } from "node:worker_threads";
import { type Board, ThreadTransport } from "@equitopo/node";
import type { RunSpec } from "equitopo";
import { runSpecPeer } from "equitopo/peer";
import { learning } from "./async-problem.ts";

export interface Job {
  readonly board: Board;
  readonly rank: number;
  readonly run: RunSpec;
  readonly sorted: boolean;
  /** Milliseconds that a gradient takes. */
  readonly sleep: number;
}

/** A row, and when it was so, in milliseconds of the machine's clock. */
export interface PeerReport {
  readonly rank: number;
  readonly x: Float64Array;
  readonly at: number;
}

const { board, rank, run, sorted, sleep } = workerData as Job;
const nobody = new Int32Array(new SharedArrayBuffer(4));
const problem = learning({
  ...{ n: board.size, sorted, batch: 10 },
  before: () => void Atomics.wait(nobody, 0, 0, sleep),
});
const transport = new ThreadTransport(board, { rank, timeout: 60_000 });
await runSpecPeer({
  ...{ transport, runs: [run], problemOf: () => problem, timeout: 60_000 },
  history: (line) => line.kind !== "row" && parentPort?.postMessage(line),
  onRecord: ({ x }) =>
    parentPort?.postMessage({ rank, x: Float64Array.from(x), at: performance.timeOrigin + performance.now() }),
});
await transport.close();
