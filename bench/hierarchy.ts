/**
 * What groups save: bytes between machines and time per round, of od-equidyn and ou-equidyn over single peers and between
 * groups, once on a modelled network and once for real on loopback.
 *
 * The model, on a clock of its own, so that its figures are the same everywhere: a machine's network card sends and receives
 * one message at a time at 1 Gbit/s and 100 us; inside a machine any number at once, at 10 GB/s and 2 us. Vectors of 4 MB.
 * For real: one thread a peer, shared memory inside a group and TCP between groups; `--d` float32 numbers (default 250000),
 * `--rounds` (default 20).
 */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createBoard } from "@equitopo/node";
import { createTopology, type Rows, type Running, type TopologySpec } from "equitopo";
import { MemoryNetwork, runPeer } from "equitopo/peer";
import { groupNodes } from "equitopo/topology";
import type { Options, Report } from "./bench.ts";
import type { HierarchyPeerData, HierarchyPeerReport } from "./hierarchy-peer.ts";

const vectorBytes = 4e6;
const card = { latency: 0.1, perByte: 8e-6 };
const memory = { latency: 0.002, perByte: 1e-7 };

/** Milliseconds; what is carried is small, what is modelled is not. */
class Machines extends MemoryNetwork {
  readonly sent: Float64Array;
  readonly #machine: Int32Array;
  readonly #out: Float64Array;
  readonly #in: Float64Array;

  constructor(machine: Int32Array, count: number) {
    super(machine.length);
    this.#machine = machine;
    [this.sent, this.#out, this.#in] = [0, 1, 2].map(() => new Float64Array(count));
  }

  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    const bytes = letter.kind === "vector" ? vectorBytes : 64;
    const [a, b] = [this.#machine[from], this.#machine[to]];
    let arrival = this.time + memory.latency + memory.perByte * bytes;
    if (a !== b) {
      if (letter.kind === "vector") this.sent[a] += bytes;
      this.#out[a] = Math.max(this.time, this.#out[a]) + card.perByte * bytes;
      this.#in[b] = Math.max(this.#out[a], this.#in[b] + card.perByte * bytes);
      arrival = this.#in[b] + card.latency;
    }
    this.after(arrival - this.time, () => super.carry(from, to, letter));
  }
}

/** Milliseconds and bytes of the busiest machine, for a round. */
async function modelled(spec: TopologySpec, sizes: readonly number[], rounds: number) {
  const topology = createTopology(spec);
  const network = new Machines(groupNodes(spec.n, sizes).of, sizes.length);
  const gossip = (rank: number): Running => {
    const state = { x: Float64Array.of(rank) as Rows };
    return {
      state,
      *iterate() {
        [state.x] = yield { vectors: [state.x] };
      },
    };
  };
  await Promise.all(
    Array.from({ length: spec.n }, (_, rank) =>
      runPeer({ transport: network.join(rank), topology, running: gossip(rank), rounds, timeout: 1e6 }),
    ),
  );
  return { time: network.time / rounds, bytes: Math.max(...network.sent) / rounds };
}

/** The same for real: threads on a board for each group, TCP between them. */
async function real(spec: TopologySpec, sizes: readonly number[], rounds: number, d: number) {
  const { n } = spec;
  const { of } = groupNodes(n, sizes);
  const boards = sizes.map((size) => createBoard({ size, bytes: 4 * d, vectors: 1 }));
  const workers = Array.from({ length: n }, (_, rank) => {
    const ranks = Array.from({ length: n }, (_, peer) => peer).filter((peer) => of[peer] === of[rank]);
    const workerData: HierarchyPeerData = { rank, ranks, board: boards[of[rank]], spec, rounds, d };
    return new Worker(new URL("./hierarchy-peer.js", import.meta.url), { workerData });
  });
  const heard = <T>() => Promise.all(workers.map(async (worker) => (await once(worker, "message"))[0] as T));
  const ports = await heard<number>();
  const reports = heard<HierarchyPeerReport>();
  for (const worker of workers) worker.postMessage(ports);
  const all = await reports;
  const sent = new Float64Array(sizes.length);
  all.forEach(({ far }, rank) => {
    sent[of[rank]] += far;
  });
  await Promise.all(workers.map((worker) => worker.terminate()));
  return { time: Math.max(...all.map(({ time }) => time)) / rounds, bytes: Math.max(...sent) / rounds };
}

function row(name: string, rate: number, { time, bytes }: { time: number; bytes: number }): string {
  const rounds = Math.ceil(Math.log(1e-3) / Math.log(rate));
  const cells = [
    (bytes / 1e6).toFixed(2),
    time.toFixed(time < 10 ? 2 : 1),
    rate.toFixed(4),
    `${rounds}`,
    ((rounds * time) / 1e3).toFixed(3),
    ((rounds * bytes) / 1e6).toFixed(1),
  ];
  return [name.padEnd(30), ...cells.map((cell) => cell.padStart(11))].join(" ");
}

export default async function hierarchy(options: Options, report: Report): Promise<void> {
  const rounds = Number(options["rounds"] ?? 20);
  const d = Number(options["d"] ?? 250_000);
  const head = ["MB/round", "ms/round", "rate", "rounds*", "seconds*", "MB*"].map((title) => title.padStart(11));
  const shapes: [sizes: readonly number[], run: typeof modelled, title: string][] = [
    [new Array(8).fill(8), modelled, "Modelled: 8 machines of 8 peers, 4 MB a vector"],
    [[5, 5, 4, 3], modelled, "Modelled: machines of 5, 5, 4 and 3 peers, 4 MB a vector"],
    [
      [4, 4, 4, 4],
      (...given) => real(...given, d),
      `On loopback: 4 groups of 4 threads, TCP between, ${4 * d} bytes a vector`,
    ],
  ];
  for (const [sizes, run, title] of shapes) {
    const n = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`\n${title}`);
    console.log(["bytes leave the busiest machine".padEnd(30), ...head].join(" "));
    for (const name of ["od-equidyn", "ou-equidyn"]) {
      const flat = { name, n, seed: 1 };
      const grouped = { name: "hierarchy", n, groups: sizes, between: { name, seed: 1 } };
      for (const [label, spec] of [
        [name, flat],
        [`${name} between groups`, grouped],
      ] as const) {
        const found = await run(spec, sizes, rounds);
        report.figure({ name: `a round of ${label}. ${title}`, value: found.time, unit: "ms" });
        console.log(row(label, createTopology(spec).rate().rate, found));
      }
    }
  }
  console.log("\n* until the disagreement has shrunk to a thousandth, by the exact rate.");
}
