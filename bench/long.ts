/**
 * Claim: 10^5 rounds cost no memory: four peers in one program, over memory, TCP and with histories that nobody keeps, do
 * undirected rounds of 1,000 numbers; what the program holds after garbage collection is read at a tenth of the way and at
 * the end. A leak of 10 bytes a round would be a megabyte. So with what follows a run (reports, async): four peers of a spec,
 * in rounds and asynchronously, whose every round is reported to a studio that reads nothing and to a room's server that
 * stands still, logged, and gathered. Options: --rounds R, --transport memory,tcp,reports,async.
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { freePorts, TcpTransport } from "@equitopo/node";
import { reportSender } from "@equitopo/web/internal";
import { createTopology, expandSpec, type Rows } from "equitopo";
import { MemoryNetwork, type PeerEvent, reportingPeer, runPeer, type Transport } from "equitopo/internal/peer";
import type { Options, Report } from "./bench.ts";

const n = 4;
/** Megabytes that may come and go between two readings. */
const allowed = 1;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function open(kind: string): Promise<Transport[]> {
  if (kind === "memory") {
    const network = new MemoryNetwork(n);
    return Array.from({ length: n }, (_, rank) => network.join(rank));
  }
  const addresses = (await freePorts(n)).map((port) => ({ host: "127.0.0.1", port }));
  const listen = (rank: number) =>
    TcpTransport.listen({ rank, size: n, addresses, spec: "long", key: Buffer.from("a key of the long bench") });
  return Promise.all(addresses.map((_, rank) => listen(rank)));
}

/** Megabytes of objects and of buffers that are still in use. */
function held(): { readonly heap: number; readonly buffers: number; readonly rss: number } {
  for (let k = 0; k < 3; k++) collect();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  return { heap: heapUsed / 2 ** 20, buffers: (external + arrayBuffers) / 2 ** 20, rss: rss / 2 ** 20 };
}

export default async function long(options: Options, report: Report): Promise<void> {
  const rounds = Number(options["rounds"] ?? 100_000);
  for (const kind of (options["transport"] ?? "memory,tcp,reports,async").split(",")) {
    if (kind === "reports" || kind === "async") {
      await reported(kind, rounds, report);
      continue;
    }
    const topology = createTopology({ name: "ou-equidyn", n, seed: 1 });
    const peers = await open(kind);
    const readings: ReturnType<typeof held>[] = [];
    const begun = performance.now();
    await Promise.all(
      peers.map(async (transport, rank) => {
        const state = { x: new Float32Array(1000).fill(rank) as Rows };
        const running = {
          state,
          *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
            [state.x] = yield { vectors: [state.x] };
          },
        };
        const onRound = ({ round }: { readonly round: number }) => {
          if (rank === 0 && (round === Math.floor(rounds / 10) || round === rounds - 1)) readings.push(held());
        };
        await runPeer({ transport, topology, running, rounds, timeout: 60_000, onRound });
      }),
    );
    const seconds = (performance.now() - begun) / 1000;
    await Promise.all(peers.map((peer) => peer.close()));
    const grown = tell(kind, rounds, seconds, readings, report);
    if (grown > allowed || peers.some(({ counts }) => counts.missed > 0)) process.exitCode = 1;
  }
}

/** Says what was found; answers the megabytes by which the program grew. */
function tell(
  kind: string,
  rounds: number,
  seconds: number,
  readings: readonly ReturnType<typeof held>[],
  report: Report,
) {
  const [early, late] = readings;
  const grown = late.heap + late.buffers - early.heap - early.buffers;
  report.figure({ name: `${rounds} rounds of ${n} peers over ${kind}`, value: seconds, unit: "s" });
  report.figure({ name: `what ${rounds} rounds over ${kind} leave in memory`, value: grown, unit: "MB" });
  console.log(
    `${kind.padEnd(7)} ${rounds} rounds of ${n} peers in ${seconds.toFixed(1)} s; objects ${early.heap.toFixed(2)} -> ` +
      `${late.heap.toFixed(2)} MB, buffers ${early.buffers.toFixed(2)} -> ${late.buffers.toFixed(2)} MB, ` +
      `resident ${early.rss.toFixed(0)} -> ${late.rss.toFixed(0)} MB`,
  );
  return grown;
}

/** Parts of the command, which has no entry point for programs. */
const command = (file: string) => import(new URL(`../../packages/cli/dist/${file}`, import.meta.url).href);

/** A studio that answers the greeting of a run, and reads nothing from then on. */
async function stalledStudio() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    if (sockets.length > 1) socket.pause();
    else socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { address: `http://127.0.0.1:${port}/#token=x`, close };
}

/** Runs of a spec with all that reports on them. */
async function reported(kind: "reports" | "async", rounds: number, report: Report): Promise<void> {
  const [{ openReporter }, { liveEvent, begin }, { openFaultLog }, { gather }] = await Promise.all(
    ["live/reporter.js", "live/reporting.js", "peers/fault-log.js", "peers/collector.js"].map(command),
  );
  const runs = expandSpec({
    topologies: [{ name: "ring", n }],
    algorithms: [{ name: "dsgd", learningRate: 0.001 }],
    ...{ problem: { name: "least-squares", K: 10 }, rounds, every: Math.max(1, Math.floor(rounds / 20)) },
    ...(kind === "async" ? { mode: "async" as const } : {}),
  });
  const folder = mkdtempSync(join(tmpdir(), "equitopo-long-"));
  const studio = await stalledStudio();
  const reporter = await openReporter(studio.address, "long");
  reporter.tell(begin({ title: "long", how: "peers" }, runs));
  const log = openFaultLog(join(folder, "faults.ndjson"), () => {});
  const gathered = gather(runs[0]);
  // What is sent to a server that stands still stays on the line.
  let backlog = 0;
  const line = {
    ...{ open: true, carrier: undefined, close: () => {} },
    get backlog() {
      return backlog;
    },
    send(message: object) {
      backlog += JSON.stringify(message).length;
      return true;
    },
  };
  const network = new MemoryNetwork(n);
  const readings: ReturnType<typeof held>[] = [];
  const begun = performance.now();
  const events = (sender: ReturnType<typeof reportSender>) => (event: PeerEvent) => {
    log.note(event);
    sender.send(event);
    const live = liveEvent(event);
    if (live !== undefined) reporter.tell(live);
    if (event.kind === "record") gathered.add(event);
  };
  const places = [Math.floor(rounds / 10), rounds - 1];
  await Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const transport = network.join(rank);
      const tellAll = events(reportSender(line));
      await reportingPeer(
        {
          ...{ transport, runs, timeout: 60_000 },
          onRound(run, { round }) {
            // Ten a second are reported of a real network; here all are, and each with a fault.
            tellAll({ kind: "round", rank, run, round, partners: [(rank + 1) % n], bytes: 8 * round, lag: 0 });
            tellAll({
              kind: "fault",
              rank,
              run,
              iteration: round,
              what: "missed",
              count: 1,
              partners: [(rank + 1) % n],
            });
            reporter.tell({ kind: "metrics", run, updates: round, metrics: { loss: round } });
            if (rank === 0 && round >= (places[0] ?? rounds)) {
              places.shift();
              readings.push(held());
            }
          },
        },
        tellAll,
      );
      await transport.close();
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const logged = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 2 ** 20;
  await reporter.close();
  studio.close();
  gathered.close();
  rmSync(folder, { recursive: true });
  const grown = tell(kind, rounds, seconds, readings, report);
  console.log(
    `${kind.padEnd(7)} ${(backlog / 2 ** 20).toFixed(2)} MB on the line to the room, logs of ${logged.toFixed(0)} MB`,
  );
  report.figure({ name: `logs of ${rounds} rounds with a fault each (${kind})`, value: logged, unit: "MB" });
  if (grown > allowed || logged > 65 || backlog > 2 ** 20) process.exitCode = 1;
}
