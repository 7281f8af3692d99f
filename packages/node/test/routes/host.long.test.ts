/** Threads inside a machine, TCP between machines: the laws of every transport, and the simulator's bits in groups. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { conformance } from "../../../equitopo/test/peer/conformance.ts";
import { grouped, type Spec, simulateAll, topologies } from "../../../equitopo/test/peer/program.mjs";
import { createBoard } from "../../src/threads/board.ts";
import { openHosts } from "./open-hosts.ts";

conformance("threads and tcp", async (size, options) => {
  const peers = await openHosts(size, options?.timeout);
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
});

/** The specs, one after the other, by 17 threads on four boards that are strangers to each other. */
async function runHosts(specs: readonly Spec[]): Promise<number[][]> {
  const groups = [5, 5, 4, 3];
  const workers: Worker[] = [];
  for (const count of groups) {
    const ranks = Array.from({ length: count }, (_, k) => workers.length + k);
    const board = createBoard({ size: count, bytes: 8 * 100 });
    for (const rank of ranks) {
      const workerData = { rank, size: 17, ranks, board, specs };
      workers.push(new Worker(new URL("./host-worker.mjs", import.meta.url), { workerData }));
    }
  }
  const heard = () => Promise.all(workers.map(async (worker) => (await once(worker, "message"))[0]));
  const ports = await heard();
  const told = heard();
  for (const worker of workers) worker.postMessage(ports);
  const rows = await told;
  const ended = workers.map((worker) => once(worker, "exit"));
  for (const worker of workers) worker.postMessage("all are done");
  await Promise.all(ended);
  return specs.map((_, k) => rows.flatMap((row) => row[k]));
}

describe("17 peers on four machines of one", () => {
  it("equal the simulator bit by bit, in groups and flat", async () => {
    const specs: Spec[] = [...grouped, topologies[0], topologies[1]].flatMap((topology) => [
      { topology, algorithm: "dsgt", rounds: 60 },
      { topology, algorithm: "two-vectors", rounds: 10, type: "float32" },
    ]);
    const rows = await runHosts(specs);
    specs.forEach((spec, k) => {
      expect(rows[k], `${spec.topology.name} ${spec.algorithm}`).toEqual([...simulateAll(spec)]);
    });
  }, 240_000);
});
