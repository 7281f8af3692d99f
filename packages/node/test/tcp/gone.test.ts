/** What a peer's end costs the others: nothing but its place, however long the timeout is. */

import { describe, expect, it } from "vitest";
import { type TcpOptions, TcpTransport } from "../../src/tcp/tcp.ts";

const loopback = { host: "127.0.0.1", port: 0 };
type Addresses = { host: string; port: number }[];

async function open(rank: number, addresses: Addresses, more: Partial<TcpOptions> = {}): Promise<TcpTransport> {
  const size = addresses.length;
  const options = { rank, size, addresses, listen: loopback, spec: "a", log: () => {}, timeout: 60_000 };
  const peer = await TcpTransport.listen({ ...options, ...more });
  addresses[rank] = { ...loopback, port: peer.port };
  return peer;
}

/** Who is heard by each in a round in which everybody talks to everybody, all or nothing. */
async function round(t: number, peers: readonly TcpTransport[], size: number, timeout?: number): Promise<string[]> {
  return Promise.all(
    peers.map(async (peer) => {
      const others = Array.from({ length: size }, (_, rank) => rank).filter((rank) => rank !== peer.rank);
      const { arrived, release } = await peer.exchange({
        ...{ round: t, mutual: true, ...(timeout === undefined ? {} : { timeout }) },
        send: others.map((rank) => ({ peer: rank, data: Float64Array.of(peer.rank) })),
        receive: others.map((rank) => ({ peer: rank, length: 1, type: "float64" })),
      });
      const heard = arrived.map((data) => data?.[0] ?? "-").join("");
      release();
      return heard;
    }),
  );
}

describe("a peer that ends", () => {
  it("is missed at once by all, in the round under way and in later ones, and met again soon after it returns", async () => {
    const addresses: Addresses = [loopback, loopback, loopback];
    const peers = [await open(0, addresses), await open(1, addresses), await open(2, addresses)];
    const [a, b, c] = peers;
    let t = 0;
    for (; t < 3; t++) expect(await round(t, peers, 3)).toEqual(["12", "02", "01"]);
    const begun = performance.now();
    // The others are in the middle of a round when it goes; each has 60 s to wait for it.
    const under = round(t++, [a, b], 3);
    await c.close();
    expect(await under).toEqual(["1-", "0-"]);
    for (let k = 0; k < 30; k++) expect(await round(t++, [a, b], 3)).toEqual(["1-", "0-"]);
    expect(performance.now() - begun).toBeLessThan(10_000);
    const again = await open(2, addresses, { listen: addresses[2] });
    let heard: string[] = [];
    for (let k = 0; k < 200 && heard.join() !== "12,02,01"; k++) heard = await round(t++, [a, b, again], 3, 200);
    expect(heard).toEqual(["12", "02", "01"]);
    await Promise.all([a, b, again].map((peer) => peer.close()));
  });

  it("does not hold up one that only sends to it", async () => {
    const addresses: Addresses = [loopback, loopback];
    const [a, b] = [await open(0, addresses), await open(1, addresses)];
    const send = (t: number) => a.exchange({ round: t, send: [{ peer: 1, data: Float64Array.of(t) }], receive: [] });
    const hear = (t: number) => b.exchange({ round: t, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
    for (let t = 0; t < 3; t++) await Promise.all([send(t), hear(t)]);
    await b.close();
    const begun = performance.now();
    for (let t = 3; t < 40; t++) {
      await send(t);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(a.counts.unsent).toBeGreaterThan(0);
    await a.close();
  });

  it("and comes back is not kept waiting for what the others said while it was away", async () => {
    const addresses: Addresses = [loopback, loopback, loopback];
    const peers = [await open(0, addresses), await open(1, addresses), await open(2, addresses)];
    const [a, b, c] = peers;
    let t = 0;
    for (; t < 10; t++) await round(t, peers, 3);
    await c.close();
    const missed = t;
    for (; t < missed + 4; t++) expect(await round(t, [a, b], 3)).toEqual(["1-", "0-"]);
    // It believes to be where it was; what the others sent it in that round was given up long ago.
    const again = await open(2, addresses, { listen: addresses[2] });
    const begun = performance.now();
    expect(await round(missed, [again], 3)).toEqual(["--"]);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await Promise.all([a, b, again].map((peer) => peer.close()));
  });

  it("that nobody has met yet is waited for at the start", async () => {
    const addresses: Addresses = [loopback, loopback];
    const a = await open(0, addresses);
    // Where nobody listens.
    const gone = await open(1, addresses);
    await gone.close();
    const late = new Promise<TcpTransport>((resolve) => {
      setTimeout(() => resolve(open(1, addresses, { listen: addresses[1] })), 200);
    });
    const first = round(0, [a], 2);
    const b = await late;
    expect(await Promise.all([first, round(0, [b], 2)])).toEqual([["1"], ["0"]]);
    await Promise.all([a.close(), b.close()]);
  });
});

it("a peer that has moved is found where the addresses, read again, say", async () => {
  const addresses: Addresses = [loopback, loopback];
  const hosts: Addresses = [loopback, loopback];
  const refresh = () => hosts.splice(0, 2, ...addresses);
  const [a, b] = [await open(0, addresses, { addresses: hosts, refresh }), await open(1, addresses)];
  refresh();
  expect(await round(0, [a, b], 2)).toEqual(["1", "0"]);
  await b.close();
  // At another port, and a is not told.
  const moved = await open(1, addresses);
  expect(hosts[1].port).not.toBe(moved.port);
  let heard: string[] = [];
  for (let t = 1; t < 200 && heard.join() !== "1,0"; t++) heard = await round(t, [a, moved], 2, 200);
  expect(heard).toEqual(["1", "0"]);
  await Promise.all([a.close(), moved.close()]);
});
