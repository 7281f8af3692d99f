/** Two processes with one number: the newer one is the peer, and the older one ends. */

import { expect, it, vi } from "vitest";
import { settling } from "../../../equitopo/src/peer/exchange/incarnation.ts";
import { type TcpOptions, TcpTransport } from "../../src/tcp/tcp.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const key = new Uint8Array(32).fill(9);
const addresses = [loopback, loopback, loopback];

async function open(rank: number, more: Partial<TcpOptions> = {}): Promise<TcpTransport> {
  const options = { rank, size: 3, addresses, listen: loopback, spec: "a", key, log: () => {}, timeout: 2000 };
  const peer = await TcpTransport.listen({ ...options, ...more });
  addresses[rank] = { ...loopback, port: peer.port };
  return peer;
}

const receive = (peer: number) => [{ peer, length: 1, type: "float64" as const }];
const send = (peer: number, value: number) => [{ peer, data: Float64Array.of(value) }];

/** Rounds of a and b with each other until both hear each other; rejects as soon as one of them does. */
async function untilMet(a: TcpTransport, b: TcpTransport, from: number): Promise<number> {
  for (let round = from; round < from + 100; round++) {
    const [left, right] = await Promise.all([
      a.exchange({ round, send: send(b.rank, round), receive: receive(b.rank), timeout: 100 }),
      b.exchange({ round, send: send(a.rank, round), receive: receive(a.rank), timeout: 100 }),
    ]);
    if (left.arrived[0] !== undefined && right.arrived[0] !== undefined) return round + 1;
  }
  throw new Error("they never met");
}

/** Lets the other meet the newer process when the older one has long taken part; answers how the older one ended. */
async function replaced(other: TcpTransport, older: TcpTransport, newer: TcpTransport, from: number) {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 2 * settling);
  const end = (async () => {
    for (let round = 1000; round < 1500; round++) {
      await older.exchange({ round, send: [], receive: receive(0), timeout: 50 });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  try {
    const [next, reason] = await Promise.all([
      untilMet(other, newer, from),
      end.catch((error: Error) => error.message),
    ]);
    return { next, reason };
  } finally {
    clock.mockRestore();
  }
}

it("the older of two is told so and ends; the newer one goes on", async () => {
  const other = await open(0);
  const older = await open(1);
  const round = await untilMet(other, older, 0);
  const newer = await open(1);
  const { next, reason } = await replaced(other, older, newer, round);
  expect(reason).toBe("peer 1 was started again elsewhere: this process, the older one, ends");
  await untilMet(other, newer, next);
  await Promise.all([other, older, newer].map((peer) => peer.close()));
});

it("a restart whose clock has gone back is the newer one all the same", async () => {
  const other = await open(0);
  const older = await open(1, { incarnation: 2 ** 50 });
  const round = await untilMet(other, older, 0);
  const newer = await open(1, { incarnation: 7 });
  const { next, reason } = await replaced(other, older, newer, round);
  expect(reason).toMatch(/started again elsewhere/);
  await untilMet(other, newer, next);
  await Promise.all([other, older, newer].map((peer) => peer.close()));
});

it("a second process at an address that nobody was told of does not end the one that is there", async () => {
  const other = await open(0);
  const healthy = await open(1);
  let round = await untilMet(other, healthy, 0);
  const there = addresses[1];
  const second = await open(1, { incarnation: 2 ** 50 });
  addresses[1] = there;
  await Promise.all([
    second.exchange({ round, send: send(0, 1), receive: receive(0), timeout: 1500 }),
    other.exchange({ round, send: [], receive: [], timeout: 1500 }),
  ]);
  // All the same the two that met go on.
  round = await untilMet(other, healthy, round + 1);
  expect(other.counts.refused.get("address")).toBeGreaterThan(0);
  await Promise.all([other, healthy, second].map((peer) => peer.close()));
});
