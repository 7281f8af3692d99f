/** Connections on which nothing comes any more, though nobody has closed them: a host without power, a cut wire. */

import { expect, it, vi } from "vitest";
import { type TcpOptions, TcpTransport } from "../../src/tcp/tcp.ts";
import { Wire } from "./wire.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const key = new Uint8Array(32).fill(3);

/** Two peers that reach each other through wires only. */
async function wired(more: Partial<TcpOptions>) {
  const addresses = [loopback, loopback];
  const open = (rank: number) =>
    TcpTransport.listen({
      ...{ rank, size: 2, addresses, listen: loopback, spec: "a", key, log: () => {}, timeout: 60_000 },
      ...more,
    });
  const peers = [await open(0), await open(1)];
  const wires = [await Wire.to(peers[0].port), await Wire.to(peers[1].port)];
  addresses[0] = wires[0].address;
  addresses[1] = wires[1].address;
  return { peers, wires, open };
}

/** Whether both hear each other in that round, at which each has `timeout` to come. */
async function meets(a: TcpTransport, b: TcpTransport, round: number, timeout: number): Promise<boolean> {
  const both = [a, b].map((peer) => {
    const other = 1 - peer.rank;
    return peer.exchange({
      ...{ round, timeout, send: [{ peer: other, data: Float64Array.of(round) }] },
      receive: [{ peer: other, length: 1, type: "float64" }],
    });
  });
  const outcomes = await Promise.all(both);
  return outcomes.every(({ arrived }) => arrived[0]?.[0] === round);
}

it("a wire that was cut in silence is noticed at both ends, and dialled around", async () => {
  const { peers, wires } = await wired({ beat: 40, silence: 200 });
  const [a, b] = peers;
  expect(await meets(a, b, 0, 10_000)).toBe(true);
  for (const wire of wires) wire.cut();
  // Nothing is sent meanwhile: only the missing beats can tell.
  await vi.waitFor(() => expect([a.counts.reconnects, b.counts.reconnects]).toEqual([1, 1]), 10_000);
  let round = 1;
  while (!(await meets(a, b, round, 300))) expect(++round).toBeLessThan(50);
  for (const peer of peers) await peer.close();
  for (const wire of wires) await wire.close();
});

it("a peer that lost power and is started again is met at once, long before anybody has noticed the silence", async () => {
  const { peers, wires, open } = await wired({ silence: 3_600_000 });
  const [a, b] = peers;
  expect(await meets(a, b, 0, 10_000)).toBe(true);
  for (const wire of wires) wire.cut();
  const again = await open(1);
  wires[1].target = again.port;
  const begun = performance.now();
  let round = 1;
  while (!(await meets(a, again, round, 300))) expect(++round).toBeLessThan(50);
  expect(performance.now() - begun).toBeLessThan(10_000);
  for (const peer of [a, b, again]) await peer.close();
  for (const wire of wires) await wire.close();
});

it("beats keep an idle connection as it is", async () => {
  const { peers, wires } = await wired({ beat: 20, silence: 300 });
  const [a, b] = peers;
  expect(await meets(a, b, 0, 10_000)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await meets(a, b, 1, 10_000)).toBe(true);
  expect([a.counts.reconnects, b.counts.reconnects, a.counts.refused.size]).toEqual([0, 0, 0]);
  for (const peer of peers) await peer.close();
  for (const wire of wires) await wire.close();
});
