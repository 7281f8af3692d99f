/**
 * Claim: a one-peer round of real peers (exchange and averaging, float32) costs little more than the engine under it.
 * Beside it, in the same run, a bare loop on the same engine: a raw memory copy between workers, a raw socket, raw
 * Isend/Irecv on the same addon; each alone, and with the averaging done after it. All talk to the same partner in the
 * same round (OD-EquiDyn); the best of three blocks, at rank 0. At the end a round by the number of peers
 * (exchange-size.ts).
 *
 * The bare loops move the same bytes, wait for the same partner, and average by the same function (combine), into other memory than
 * they read: the column "with averaging" is the floor of an engine plus what every peer must compute. They know beforehand who
 * sends how much and that all of it comes, so they have no frames, no votes, no deadlines and no check of numbers. Bare threads copy
 * the row of the other peer before they average it, as a program with rows of its own must; equitopo reads it in place, and
 * can be faster.
 *
 * npm run bench -- exchange; EQUITOPO_BENCH_N=4,17 and EQUITOPO_BENCH_SIZES=1,60000 choose less, EQUITOPO_BENCH_ENGINES=tcp
 * engines; --where yes also prints where the time of a round goes at rank 0 (exchange-where.ts), and each engine's floor.
 */

import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createAuthority, createBoard, createCertificate } from "@equitopo/node";
import type { Options, Report } from "./bench.ts";
import type { Job, Line } from "./exchange-peer.ts";
import { roundsBySize } from "./exchange-size.ts";
import { whereText } from "./exchange-where.ts";

const program = fileURLToPath(new URL("./exchange-peer.js", import.meta.url));
const list = (name: string, usual: readonly number[]) => process.env[name]?.split(",").map(Number) ?? usual;

/** Runs the job at n peers over its engine; what rank 0 measured, line by line. */
export async function launch(job: Job): Promise<Line[]> {
  const lines: Line[] = [];
  if (job.engine === "threads") await launchThreads(job, lines);
  else if (job.engine !== "mpi") await launchTcp(job, lines);
  else await launchMpi(job, lines);
  return lines;
}

async function launchThreads(job: Job, lines: Line[]): Promise<void> {
  const { n, sizes } = job;
  const bytes = 4 * Math.max(...sizes);
  const shared =
    job.mode === "peers"
      ? { board: createBoard({ size: n, bytes, vectors: 1 }) }
      : {
          flags: new SharedArrayBuffer(8 * n * 16),
          rows: Array.from({ length: 2 * n }, () => new SharedArrayBuffer(bytes)),
        };
  await Promise.all(
    Array.from(
      { length: n },
      (_, rank) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(program, { workerData: { ...job, ...shared, rank } });
          worker.on("message", (line: Line) => lines.push(line));
          worker.once("error", reject);
          worker.once("exit", () => resolve());
        }),
    ),
  );
}

async function launchTcp(job: Job, lines: Line[]): Promise<void> {
  const children: ChildProcess[] = [];
  const ports: number[] = [];
  const valid = { from: new Date(Date.now() - 3_600_000), days: 1 };
  const authority = job.engine === "tls" ? createAuthority({ name: "bench", ...valid }) : undefined;
  const filesOf = (rank: number) =>
    authority && { ca: authority.cert, ...createCertificate(authority, "bench", { name: `peer-${rank}`, ...valid }) };
  await new Promise<void>((resolve, reject) => {
    let running = job.n;
    for (let rank = 0; rank < job.n; rank++) {
      const child = fork(program, [JSON.stringify({ ...job, rank, tls: filesOf(rank) })]);
      children.push(child);
      child.on("message", (message: Line | { port: number }) => {
        if (!("port" in message)) {
          lines.push(message);
          return;
        }
        ports[rank] = message.port;
        if (ports.filter(Boolean).length === job.n) for (const other of children) other.send(ports);
      });
      child.once("error", reject);
      child.once("exit", () => {
        if (--running === 0) resolve();
      });
    }
  });
}

async function launchMpi(job: Job, lines: Line[]): Promise<void> {
  const openMpi = spawnSync("mpirun", ["--version"], { encoding: "utf8" }).stdout.includes("Open MPI");
  const flags = openMpi ? ["--allow-run-as-root", "--oversubscribe"] : [];
  const child = spawn("mpirun", [...flags, "-n", String(job.n), process.execPath, program, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line)));
  await new Promise((resolve) => child.once("close", resolve));
}

const time = (ms: number) =>
  (ms < 1 ? `${(1000 * ms).toFixed(0)} us` : `${ms.toFixed(ms < 100 ? 1 : 0)} ms`).padStart(9);

/** Why a round over an engine cannot take less than the sum that is printed with it. */
const floors: Readonly<Record<Job["engine"], string>> = {
  threads: "every row is read and averaged once; nothing is copied",
  tcp: "the system copies every byte into the socket and out of it, then it is averaged",
  tls: "as TCP, and every byte is sealed and opened",
  mpi: "MPI copies every byte from one process to the other, once or twice, then it is averaged",
};

/** The floor: what the bare engine takes to bring the bytes, and the averaging of n peers on the cores there are. */
function floorText(engine: Job["engine"], n: number, bare: number, averaging: number): string {
  const share = Math.max(1, n / availableParallelism()) * averaging;
  const floor = engine === "threads" ? share : bare + share;
  return `  floor: ${time(floor).trim()} (averaging ${time(share).trim()} of it); ${floors[engine]}`;
}

export default async function main(options: Options, report: Report): Promise<void> {
  const where = options["where"] !== undefined;
  const sizes = list("EQUITOPO_BENCH_SIZES", [1, 60_000, 1_000_000, 25_000_000]);
  const wanted = process.env["EQUITOPO_BENCH_ENGINES"]?.split(",") ?? ["threads", "tcp", "mpi"];
  const engines = (["threads", "tcp"] as Job["engine"][]).filter((engine) => wanted.includes(engine));
  if (!wanted.includes("mpi")) {
    // Not asked for.
  } else if (spawnSync("mpirun", ["--version"]).status === 0) engines.push("mpi");
  else {
    console.log("mpi: there is no mpirun here");
    report.missing("rounds over mpi", "there is no mpirun");
  }
  console.log("one-peer round      elements   bare loop  with averaging   equitopo   ratio to each");
  for (const n of list("EQUITOPO_BENCH_N", [4, 17])) {
    for (const engine of engines) {
      const bare = await launch({ engine, mode: "bare", n, sizes });
      const peers = await launch({ engine, mode: "peers", n, sizes, where });
      for (const size of sizes) {
        const find = (lines: Line[], what: string) =>
          lines.find((l) => l.size === size && l.what === what)?.ms ?? Number.NaN;
        const [raw, averaged, ours] = [find(bare, "exchange"), find(bare, "round"), find(peers, "round")];
        report.figure({
          ...{ name: `a one-peer round over ${engine}, n = ${n}, ${size} numbers`, value: ours, unit: "ms" },
          beside: { what: "the bare engine and the averaging", value: averaged },
        });
        console.log(
          `${engine.padEnd(8)} n = ${String(n).padEnd(3)} ${String(size).padStart(11)} ${time(raw)}   ${time(averaged)}   ` +
            `    ${time(ours)}   ${(ours / raw).toFixed(2)}  ${(ours / averaged).toFixed(2)}`,
        );
        const spent = peers.find((line) => line.size === size && line.what === "round")?.where;
        const vectors = peers.find((line) => line.size === size && line.what === "round")?.vectors;
        if (vectors !== undefined) console.log(`  memory: ${(vectors - 1).toFixed(1)} vectors beyond the model`);
        if (spent !== undefined) {
          console.log(whereText(spent, engine === "threads" ? n : 1));
          console.log(floorText(engine, n, raw, find(peers, "averaging")));
        }
      }
      for (const { size, what, ms } of peers) {
        if (what === "static")
          console.log(`${engine.padEnd(8)} n = ${n}  D-EquiStatic, M = 4, ${size} elements ${time(ms)}`);
      }
    }
  }
  await roundsBySize(report);
}
