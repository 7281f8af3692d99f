/**
 * `equitopo worker --ranks`: several peers as threads of one program. Among themselves they share memory, the others they
 * reach over TCP, each at its own line of the hosts file. Every thread does what a worker of its rank alone would do.
 */

import { Worker } from "node:worker_threads";
import { announceGone, type Board, createBoard } from "@equitopo/node";
import { InputError, type RunSpec } from "equitopo";
import { integer } from "equitopo/input";
import { largestSent, peersOf } from "equitopo/peer";
import { contextOf } from "../run/context.ts";
import type { WorkerOptions } from "./work.ts";

/** What a thread is told. */
export interface TogetherData {
  readonly runs: readonly RunSpec[];
  readonly options: WorkerOptions;
  readonly rank: number;
  readonly ranks: readonly number[];
  readonly board: Board;
}

/** What a thread tells when it is done; what it is told when it is to end is "end". */
export interface TogetherEnd {
  readonly code: number;
}

/** Runs the peers to their ends; answers the greatest of their exit codes. */
export async function workTogether(
  runs: readonly RunSpec[],
  options: WorkerOptions,
  signal: AbortSignal,
): Promise<number> {
  const ranks = checkRanks(options, peersOf(runs));
  const { data, audit } = options;
  const context = contextOf(data === undefined ? {} : { data });
  const board = createBoard({ size: ranks.length, ...largestSent(runs, context, audit) });
  const workers: Worker[] = [];
  const end = () => {
    for (const worker of workers) worker.postMessage("end");
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    const codes = await Promise.all(
      ranks.map(
        (rank, place) =>
          new Promise<number>((resolve, reject) => {
            const told: TogetherData = { runs, options: { ...options, rank }, rank, ranks, board };
            const worker = new Worker(new URL("../thread/together.js", import.meta.url), { workerData: told });
            workers.push(worker);
            let code = 1;
            worker.on("message", (told: TogetherEnd) => {
              code = told.code;
            });
            worker.once("error", reject);
            worker.once("exit", () => {
              announceGone(board, place);
              resolve(code);
            });
          }),
      ),
    );
    signal.throwIfAborted();
    return Math.max(...codes);
  } finally {
    signal.removeEventListener("abort", end);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function checkRanks({ ranks = [], rank, hosts, listen }: WorkerOptions, n: number): number[] {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  for (const one of sorted) integer("a rank of --ranks", one, 0, n - 1);
  if (rank !== undefined) throw new InputError("--rank and --ranks exclude each other", rank, "leave out one of them");
  if (hosts === undefined) throw new InputError("--ranks and --hosts go together", "no --hosts", "add it");
  if (listen !== undefined)
    throw new InputError("with --ranks peers listen where --hosts says", listen, "leave it out");
  return sorted;
}
