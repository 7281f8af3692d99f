/**
 * `equitopo worker --ranks`: several peers as threads of one program. They share memory among themselves and reach the
 * others over TCP, each at its own line of the hosts file. Every thread does what a worker of its rank alone would do.
 */

import { type Board, createBoard } from "@equitopo/node";
import { InputError, type RunSpec } from "equitopo";
import { integer } from "equitopo/input";
import { largestSent, peersOf } from "equitopo/internal/peer";
import { startThread } from "../../peers/launch-threads.ts";
import { requireNoResults } from "../../peers/peer-folder.ts";
import { contextOf } from "../../run/context.ts";
import type { WorkerOptions } from "./options.ts";

/** What a thread is given. */
export interface TogetherData {
  readonly runs: readonly RunSpec[];
  readonly options: WorkerOptions;
  readonly rank: number;
  readonly ranks: readonly number[];
  readonly board: Board;
}

/** What a thread reports when it is done; the message "end" asks it to end. */
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
  const board = createBoard({ size: ranks.length, ...largestSent(runs, contextOf(options), options.audit) });
  const codes = ranks.map(() => 1);
  const peers = ranks.map((rank, place) => {
    const data: TogetherData = { runs, options: { ...options, rank }, rank, ranks, board };
    return startThread<TogetherEnd>("group", data, place, ({ code }) => {
      codes[place] = code;
    });
  });
  const end = () => {
    for (const { worker } of peers) worker.postMessage("end");
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    await Promise.all(peers.map(({ over }) => over));
    signal.throwIfAborted();
    return Math.max(...codes);
  } finally {
    signal.removeEventListener("abort", end);
    await Promise.all(peers.map(({ worker }) => worker.terminate()));
  }
}

function checkRanks({ ranks = [], rank, hosts, listen, out }: WorkerOptions, n: number): number[] {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  for (const one of sorted) integer("a rank of --ranks", one, 0, n - 1);
  if (rank !== undefined) throw new InputError("--rank and --ranks exclude each other", rank, "leave out one of them");
  if (hosts === undefined) throw new InputError("--ranks and --hosts go together", "no --hosts", "add it");
  if (listen !== undefined)
    throw new InputError("with --ranks peers listen where --hosts says", listen, "leave it out");
  if (out !== undefined && !out.includes("%r")) {
    throw new InputError("with --ranks each peer needs a folder of its own", out, `try --out ${out}/%r`);
  }
  for (const one of out === undefined ? [] : sorted) requireNoResults(out as string, one);
  return sorted;
}
