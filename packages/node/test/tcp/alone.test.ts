/** A peer whose partners are all gone rests between its rounds, so that those that are started again catch up with it. */

import { expandSpec } from "equitopo";
import { runSpecPeer } from "equitopo/peer";
import { expect, it } from "vitest";
import { memoryStore } from "../../../equitopo/test/peer/store.ts";
import type { Address } from "../../src/server/address.ts";
import { TcpTransport } from "../../src/tcp/tcp.ts";

it("and meets a majority that begins again at its checkpoints", async () => {
  const n = 4;
  const runs = expandSpec({
    topologies: [{ name: "ring", n }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    ...{ problem: { name: "least-squares", K: 4, d: 2 }, rounds: 5000, every: 5000 },
  });
  const loopback = { host: "127.0.0.1", port: 0 };
  const addresses = Array.from({ length: n }, () => loopback);
  const open = async (rank: number, listen: Address) => {
    const options = { rank, size: n, addresses, listen, spec: "alone", log: () => {}, startGrace: 5000 };
    const peer = await TcpTransport.listen(options);
    addresses[rank] = { ...loopback, port: peer.port };
    return peer;
  };
  const stores = Array.from({ length: n }, memoryStore);
  /** Vectors missed at the end, and how far each peer is. */
  let missed = 0;
  const at = new Map<number, number>();
  const live = async (transport: TcpTransport, until = Number.POSITIVE_INFINITY): Promise<void> => {
    const { rank } = transport;
    const end = new AbortController();
    try {
      await runSpecPeer({
        ...{ transport, runs, timeout: 2000, startTimeout: 10_000, signal: end.signal },
        checkpoint: { store: stores[rank], every: 50 },
        onRound: (_run, { round, missing }) => {
          at.set(rank, round);
          if (round >= 4900) missed += missing.length;
          if (round === until) end.abort(new Error("killed"));
        },
      });
    } finally {
      await transport.close();
    }
  };
  const transports = await Promise.all(addresses.map((_, rank) => open(rank, loopback)));
  const lone = live(transports[0]);
  await Promise.allSettled(transports.slice(1).map((transport) => live(transport, 300)));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // At full speed it would be at its last round by now.
  expect(at.get(0)).toBeLessThan(1000);
  const again = await Promise.all(transports.slice(1).map(({ rank }) => open(rank, addresses[rank])));
  await Promise.all([lone, ...again.map((transport) => live(transport))]);
  expect([...at.values()]).toEqual([4999, 4999, 4999, 4999]);
  expect(missed).toBe(0);
}, 60_000);
