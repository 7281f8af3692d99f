/** One peer of `hierarchy`: it listens, is given the addresses of the others, gossips, and reports how long that took. */

import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { type Board, HostTransport } from "@equitopo/node";
import { createTopology, type Rows, type Running, type TopologySpec } from "equitopo";
import { gather, gatherSteps, runPeer, type Transport } from "equitopo/peer";

export interface HierarchyPeerData {
  readonly rank: number;
  readonly ranks: readonly number[];
  readonly board: Board;
  readonly spec: TopologySpec;
  readonly rounds: number;
  readonly d: number;
}

export interface HierarchyPeerReport {
  /** Milliseconds of all rounds. */
  readonly time: number;
  /** Bytes sent to peers that are not on this one's board. */
  readonly far: number;
}

const { rank, ranks, board, spec, rounds, d } = workerData as HierarchyPeerData;
const { n } = spec;
const listen = { host: "127.0.0.1", port: 0 };
const addresses = Array.from({ length: n }, () => listen);
const transport = await HostTransport.listen({
  ...{ rank, size: n, ranks, board, addresses, listen, spec: "bench", maxBytes: 8 * d },
});
parentPort?.postMessage(transport.port);
const [ports] = (await once(parentPort as NonNullable<typeof parentPort>, "message")) as [number[]];
ports.forEach((port, peer) => {
  addresses[peer] = { ...listen, port };
});

let far = 0;
const shifted = (first: number): Transport => ({
  ...{ name: transport.name, rank, size: n, counts: transport.counts, reached: -1 },
  exchange(request) {
    for (const { peer, data } of request.send) if (!ranks.includes(peer)) far += data.byteLength;
    return transport.exchange({ ...request, round: request.round + first });
  },
  prepare: (peers) => transport.prepare(peers),
  close: async () => {},
});

const state = { x: new Float32Array(d).fill(rank) as Rows };
const running: Running = {
  state,
  *iterate() {
    [state.x] = yield { vectors: [state.x] };
  },
};
const topology = createTopology(spec);
const go = (first: number) => runPeer({ transport: shifted(first), topology, running, rounds, timeout: 60_000 });
// Once to open the connections, then a meeting, then the rounds that count; an exchange has four numbers at most.
await go(0);
await gather(transport, { first: 4 * rounds, timeout: 60_000 });
far = 0;
const begun = performance.now();
await go(4 * rounds + gatherSteps(n));
const report: HierarchyPeerReport = { time: performance.now() - begun, far };
parentPort?.postMessage(report);
