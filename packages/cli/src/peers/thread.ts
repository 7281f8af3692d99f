/** A worker thread that is one peer. */

import { parentPort, workerData } from "node:worker_threads";
import type { RunSpec } from "equitopo";
import { type Board, inRun, loss, ThreadTransport } from "equitopo/peer";
import { loadInheritedPlugins } from "../plugin.ts";
import { reportingPeer } from "./event.ts";

export interface ThreadData {
  readonly board: Board;
  readonly rank: number;
  readonly runs: readonly RunSpec[];
  readonly timeout: number;
  readonly drop: number;
  readonly overlap: boolean;
  readonly audit: number | undefined;
}

await loadInheritedPlugins();

const { board, rank, runs, timeout, drop, overlap, audit } = workerData as ThreadData;
const losing = loss(drop, runs[0].seed, rank);
const transport = new ThreadTransport(board, {
  rank,
  timeout,
  ...(drop === 0 ? {} : { drop: (peer: number, round: number) => inRun(runs, round) && losing(peer, round) }),
});
await reportingPeer({ transport, runs, timeout, overlap, audit }, (event) => parentPort?.postMessage(event));
await transport.close();
