/**
 * Claim: 10^5 rounds cost no memory: four peers in one program, over memory, TCP and with histories that nobody keeps, do
 * undirected rounds of 1,000 numbers; what the program holds after garbage collection is read at a tenth of the way and at
 * the end. A leak of 10 bytes a round would be a megabyte. Options: --rounds R, --transport memory,tcp.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { freePorts, TcpTransport } from "@equitopo/node";
import { createTopology, type Rows } from "equitopo";
import { MemoryNetwork, runPeer, type Transport } from "equitopo/peer";
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
  for (const kind of (options["transport"] ?? "memory,tcp").split(",")) {
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
    const [early, late] = readings;
    const grown = late.heap + late.buffers - early.heap - early.buffers;
    report.figure({ name: `${rounds} rounds of ${n} peers over ${kind}`, value: seconds, unit: "s" });
    report.figure({ name: `what ${rounds} rounds over ${kind} leave in memory`, value: grown, unit: "MB" });
    console.log(
      `${kind.padEnd(7)} ${rounds} rounds of ${n} peers in ${seconds.toFixed(1)} s; objects ${early.heap.toFixed(2)} -> ` +
        `${late.heap.toFixed(2)} MB, buffers ${early.buffers.toFixed(2)} -> ${late.buffers.toFixed(2)} MB, ` +
        `resident ${early.rss.toFixed(0)} -> ${late.rss.toFixed(0)} MB`,
    );
    if (grown > allowed || peers.some(({ counts }) => counts.missed > 0)) process.exitCode = 1;
  }
}
