/** Some of the peers of bench/crowd: one as a thread, or several over TCP in one process. */

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { type Board, TcpTransport, ThreadTransport } from "@equitopo/node";
import type { RunSpec } from "equitopo";
import { type PeerSummary, runSpecPeer, specText, type Transport } from "equitopo/peer";

export interface CrowdJob {
  readonly run: RunSpec;
  readonly ranks: readonly number[];
  readonly timeout: number;
  /** Over TCP: where everybody listens. Over threads: the board. */
  readonly ports?: readonly number[];
  readonly board?: Board;
}

export interface CrowdReport {
  readonly summaries: readonly PeerSummary[];
  readonly missed: number;
  readonly megabytes: number;
}

async function work({ run, ranks, timeout, ports, board }: CrowdJob): Promise<CrowdReport> {
  const runs = [run];
  const addresses = ports?.map((port) => ({ host: "127.0.0.1", port }));
  const open = async (rank: number): Promise<Transport> =>
    board !== undefined
      ? new ThreadTransport(board, { rank, timeout })
      : TcpTransport.listen({
          ...{ rank, size: run.topology.n, addresses: addresses ?? [], spec: specText({ runs }), timeout },
          ...{ key: Buffer.from("a key of the crowd bench"), log: () => {} },
        });
  const transports = await Promise.all(ranks.map(open));
  const startTimeout = 300_000;
  const summaries = await Promise.all(
    transports.map((transport) => runSpecPeer({ transport, runs, timeout, startTimeout })),
  );
  const missed = transports.reduce((sum, { counts }) => sum + counts.missed, 0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await Promise.all(transports.map((transport) => transport.close()));
  return { summaries, missed, megabytes: process.memoryUsage().rss / 2 ** 20 };
}

if (!isMainThread) parentPort?.postMessage(await work(workerData as CrowdJob));
else {
  process.once("message", async (job: CrowdJob) => {
    process.send?.(await work(job), () => process.disconnect());
  });
}
