/** The real part of `npm run bench -- async`: 17 threads, and the objective at the mean of their models as time goes by. */

import { Worker } from "node:worker_threads";
import { createBoard } from "@equitopo/node";
import { createAlgorithm, createTopology, expandSpec, type RunSpec } from "equitopo";
import { asyncHistory, type HistoryLine, largestSent } from "equitopo/peer";
import { replay } from "equitopo/run";
import type { Job, PeerReport } from "./async-peer.ts";
import { learning } from "./async-problem.ts";

interface Options {
  readonly sorted: boolean;
  readonly rate: number;
  readonly rounds: number;
  readonly mode?: "async";
}

const n = 17;

export async function realTimes({ sorted, rate, rounds, mode }: Options): Promise<{ time: number; replayed: boolean }> {
  const [run] = expandSpec({
    topologies: [{ name: "od-equidyn", n, seed: 1 }],
    algorithms: [{ name: "dsgd", learningRate: rate }],
    problem: { name: "least-squares" },
    rounds,
    ...(mode === undefined ? {} : { mode }),
  });
  const problem = learning({ n, sorted, batch: 10 });
  const f0 = problem.objective(new Float64Array(problem.d));
  const least = problem.objective(problem.minimum());
  const { reports, lines } = await launch(run, sorted, 8 * (problem.d + 1));
  const rows = Array.from({ length: n }, (): Float64Array => new Float64Array(problem.d));
  const target = least + 0.05 * (f0 - least);
  let time = Number.POSITIVE_INFINITY;
  const mean = new Float64Array(problem.d);
  for (const { rank, x, at } of reports.toSorted((a, b) => a.at - b.at)) {
    rows[rank] = x;
    if (time < Number.POSITIVE_INFINITY || rank !== n - 1) continue;
    for (let k = 0; k < mean.length; k++) mean[k] = rows.reduce((sum, row) => sum + row[k], 0) / n;
    if (problem.objective(mean) <= target) time = at - Math.min(...reports.map((first) => first.at));
  }
  const last = rows.flatMap((row) => [...row]);
  return { time, replayed: mode === undefined || same(last, replayed(run, problem, lines)) };
}

function replayed(run: RunSpec, problem: ReturnType<typeof learning>, lines: readonly HistoryLine[][]): Float64Array {
  const { seed, type, maxStale = 8 } = run;
  const optimiser = createAlgorithm(run.algorithm);
  const setting = { topology: createTopology(run.topology), problem, optimiser, seed, type, mode: { maxStale } };
  return replay({ ...setting, history: asyncHistory(lines, 0) }).x as Float64Array;
}

const same = (a: readonly number[], b: Float64Array) => a.every((value, k) => Object.is(value, b[k]));

async function launch(
  run: RunSpec,
  sorted: boolean,
  bytes: number,
): Promise<{ reports: PeerReport[]; lines: HistoryLine[][] }> {
  const largest = largestSent([run]);
  const board = createBoard({ size: n, ...largest, bytes: Math.max(bytes, largest.bytes) });
  const reports: PeerReport[] = [];
  const lines: HistoryLine[][] = Array.from({ length: n }, () => []);
  const workers: Worker[] = [];
  await Promise.all(
    Array.from(
      { length: n },
      (_, rank) =>
        new Promise<void>((resolve, reject) => {
          const workerData: Job = { board, rank, run, sorted, sleep: rank === 0 ? 200 : 20 };
          const worker = new Worker(new URL("./async-peer.js", import.meta.url), { workerData });
          workers.push(worker);
          worker.on("message", (message: PeerReport | HistoryLine) => {
            if ("kind" in message) lines[rank].push(message);
            else reports.push(message);
          });
          worker.once("error", reject);
          worker.once("exit", () => resolve());
        }),
    ),
  );
  return { reports, lines };
}
