/** Seats that take connections and say nothing delay nobody else, nor does a refusal. */

import net from "node:net";
import { afterEach, expect, it } from "vitest";
import { Counts } from "../../../equitopo/src/peer/exchange/transport.ts";
import { TcpLane } from "../../src/tcp/tcp-lane.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const closed: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
});

/** The port of a program that accepts and never says a word. */
async function silent(): Promise<number> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => sockets.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closed.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as net.AddressInfo).port;
}

/** A lane with nobody above it, and what comes for it. */
async function open(rank: number, addresses: { host: string; port: number }[], incarnation = 1) {
  const lane = new TcpLane({
    ...{ rank, size: addresses.length, addresses, listen: loopback, spec: "a", log: () => {}, incarnation },
    ...{ handshakeTimeout: 3_600_000, startRounds: 0, answerGrace: 300 },
  });
  const heard = new Map<number, number>();
  const gone = new Set<number>();
  lane.open({
    ...{ counts: new Counts(), refuse: () => {}, end: () => {}, at: () => {}, awaits: () => true, busy: false },
    deliver: (peer, letter) => heard.set(peer, letter.round),
    gone: (peer) => gone.add(peer),
  });
  await lane.listen();
  closed.push(() => lane.close());
  addresses[rank] = { ...loopback, port: lane.port };
  return { lane, heard, gone };
}

it("the others are met beside them, though nothing is urgent; and nobody waits for the silent ones", async () => {
  const size = 9;
  const addresses = Array.from({ length: size }, () => loopback);
  const newcomer = await open(0, addresses);
  const other = await open(size - 1, addresses);
  for (let seat = 1; seat < size - 1; seat++) addresses[seat] = { ...loopback, port: await silent() };
  newcomer.lane.leave(0);
  newcomer.lane.prepare([1, 2, 3, 4, 5, 6, 7, 8]);
  other.lane.send(0, { kind: "vector", round: 3, sequence: 0, data: Float64Array.of(1) });
  // Each silent one holds its dial for an hour.
  await expect.poll(() => newcomer.heard.get(size - 1), { timeout: 30_000 }).toBe(3);
  await expect.poll(() => newcomer.gone.size, { timeout: 30_000 }).toBe(size - 2);
}, 70_000);

it("a process whose clock has gone back is refused and dials again at once, though no round waits for it", async () => {
  const addresses = [loopback, loopback];
  const sender = await open(0, addresses);
  const say = (round: number) => sender.lane.send(1, { kind: "vector", round, sequence: 0, data: Float64Array.of(1) });
  const older = await open(1, addresses, 2 ** 50);
  older.lane.prepare([0]);
  say(1);
  await expect.poll(() => older.heard.get(0), { timeout: 30_000 }).toBe(1);
  await older.lane.close();
  const newer = await open(1, addresses, 7);
  newer.lane.prepare([0]);
  // What was not read would be noticed by the deadline of the handshake only.
  const heard = () => {
    void say(2);
    return newer.heard.get(0);
  };
  await expect.poll(heard, { timeout: 20_000 }).toBe(2);
}, 70_000);
