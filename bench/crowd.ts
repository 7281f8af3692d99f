/**
 * Claim: 256 peers on one machine meet, do their rounds and part: over threads, and over TCP with a key, 32 peers to a
 * process, every pair that meets with connections of its own. Nobody may miss anything.
 * Options: --peers N, --rounds R, --processes P, --transport threads|tcp.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createBoard, freePorts } from "@equitopo/node";
import { expandSpec, type RunSpec } from "equitopo";
import { largestSent } from "equitopo/peer";
import type { Options, Report } from "./bench.ts";
import type { CrowdJob, CrowdReport } from "./crowd-peer.ts";

const program = new URL("./crowd-peer.js", import.meta.url);
const timeout = 120_000;

async function threads(run: RunSpec, n: number): Promise<CrowdReport[]> {
  const board = createBoard({ size: n, ...largestSent([run], {}, undefined) });
  return Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const job: CrowdJob = { run, ranks: [rank], timeout, board };
      const worker = new Worker(program, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: 64 } });
      const [report] = await once(worker, "message");
      await worker.terminate();
      return report as CrowdReport;
    }),
  );
}

async function processes(run: RunSpec, n: number, count: number): Promise<CrowdReport[]> {
  const ports = await freePorts(n);
  return Promise.all(
    Array.from({ length: count }, async (_, k) => {
      const ranks = Array.from({ length: n }, (_, rank) => rank).filter((rank) => rank % count === k);
      const child = fork(fileURLToPath(program));
      child.send({ run, ranks, timeout, ports } satisfies CrowdJob);
      const [report] = await once(child, "message");
      return report as CrowdReport;
    }),
  );
}

export default async function crowd(options: Options, report: Report): Promise<void> {
  const n = Number(options["peers"] ?? 256);
  const rounds = Number(options["rounds"] ?? 50);
  const count = Number(options["processes"] ?? 8);
  const [run] = expandSpec({
    topologies: [{ name: "ou-equidyn", n, seed: 1 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 5 },
    ...{ rounds, seeds: [1] },
  });
  for (const transport of (options["transport"] ?? "threads,tcp").split(",")) {
    const begun = performance.now();
    const reports = transport === "threads" ? await threads(run, n) : await processes(run, n, count);
    const seconds = (performance.now() - begun) / 1000;
    const done = reports.flatMap(({ summaries }) => summaries).filter((summary) => summary.done === rounds).length;
    const missed = reports.reduce((sum, report) => sum + report.missed, 0);
    // Threads share one program's memory, processes do not.
    const sizes = reports.map(({ megabytes }) => megabytes);
    const memory = transport === "threads" ? Math.max(...sizes) : sizes.reduce((sum, size) => sum + size, 0);
    report.figure({
      name: `${n} peers over ${transport}, ${rounds} rounds, starting included`,
      value: seconds,
      unit: "s",
    });
    console.log(
      `${transport.padEnd(8)} ${done} of ${n} peers did all ${rounds} rounds in ${seconds.toFixed(1)} s, starting and ` +
        `meeting included; ${missed} messages missed; ${memory.toFixed(0)} MB in all`,
    );
    if (done < n || missed > 0) process.exitCode = 1;
  }
}
