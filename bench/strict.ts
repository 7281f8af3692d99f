/**
 * Claim: to look through every vector for numbers that are not finite costs a small part of an exchange. Two peers in one
 * program exchange vectors of 10^6 numbers and do nothing else, with the look (the default) and without, in turn.
 */

import { MemoryNetwork, type Transport } from "equitopo/peer";
import type { Options, Report } from "./bench.ts";
import { milliseconds } from "./measure.ts";

const d = 1e6;

async function pair(peers: readonly Transport[], round: number, data: Float32Array | Float64Array): Promise<number> {
  const begun = performance.now();
  const type = data instanceof Float32Array ? "float32" : "float64";
  const outcomes = await Promise.all(
    peers.map((peer) =>
      peer.exchange({
        ...{ round, send: [{ peer: 1 - peer.rank, data }], mutual: true },
        receive: [{ peer: 1 - peer.rank, length: d, type }],
      }),
    ),
  );
  for (const outcome of outcomes) outcome.release();
  return performance.now() - begun;
}

export default async function strict(_: Options, report: Report): Promise<void> {
  console.log(`One vector of ${d} numbers, received by each of two peers (best of 60, per vector):`);
  for (const data of [new Float32Array(d).fill(0.5), new Float64Array(d).fill(0.5)]) {
    const ways = [true, false].map((looks) => {
      const network = new MemoryNetwork(2);
      return { peers: [0, 1].map((rank) => network.join(rank, { strict: looks })), least: Number.POSITIVE_INFINITY };
    });
    for (let round = 0; round < 60; round++) {
      for (const way of ways) way.least = Math.min(way.least, (await pair(way.peers, round, data)) / 2);
    }
    const [looked, trusted] = ways.map(({ least }) => least);
    report.figure({
      ...{ name: `a vector of ${d} numbers, looked through, ${data.constructor.name}`, value: looked, unit: "ms" },
      beside: { what: "not looked through", value: trusted },
    });
    console.log(
      `${data.constructor.name.padEnd(13)} strict ${milliseconds(looked)}   not ${milliseconds(trusted)}` +
        `   the look ${milliseconds(looked - trusted)}`,
    );
  }
}
