/** Connections that never show who they are: they neither live for ever, nor keep a peer out, nor a worker from ending. */

import net from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAuthority, createCertificate } from "../../src/tcp/certificate.ts";
import { openDoor } from "../../src/tcp/door.ts";
import { type TcpOptions, TcpTransport } from "../../src/tcp/tcp.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const validity = { from: new Date(Date.now() - 3_600_000), days: 1 };
const authority = createAuthority({ name: "CA", ...validity });
const tls = { ca: authority.cert, ...createCertificate(authority, "CA", { name: "any", ...validity }) };
const sockets: net.Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection on which nothing is said. */
function silent(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("connect", () => resolve(socket)));
}

const open = (rank: number, addresses: { host: string; port: number }[], more: Partial<TcpOptions> = {}) =>
  TcpTransport.listen({ rank, size: 2, addresses, listen: loopback, spec: "a", tls, log: () => {}, ...more });

describe("strangers before TLS", () => {
  it("have a deadline that a trickle of bytes does not prolong", async () => {
    const peer = await open(0, [loopback, loopback], { handshakeTimeout: 300 });
    const socket = await silent(peer.port);
    // A TLS record that goes on and on.
    const begun = performance.now();
    socket.write(Uint8Array.of(22, 3, 1, 2, 0));
    const trickle = setInterval(() => socket.write(Uint8Array.of(1)), 50);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(trickle);
    expect(performance.now() - begun).toBeGreaterThan(200);
    expect(peer.counts.refused.get("handshake")).toBe(1);
    await peer.close();
  });

  it("do not keep a peer from ending", async () => {
    const peer = await open(0, [loopback, loopback], { handshakeTimeout: 3_600_000 });
    const crowd = await Promise.all(Array.from({ length: 5 }, () => silent(peer.port)));
    const ended = crowd.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    // It would wait for them for as long as they like.
    await peer.close();
    await Promise.all(ended);
  });

  it("do not lock out a peer that comes back, be they ninety", async () => {
    const addresses = [loopback, loopback];
    const a = await open(0, addresses, { handshakeTimeout: 3_600_000 });
    await Promise.all(Array.from({ length: 90 }, () => silent(a.port)));
    const b = await open(1, addresses);
    addresses[0] = { ...loopback, port: a.port };
    addresses[1] = { ...loopback, port: b.port };
    const [, got] = await Promise.all([
      a.exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(6) }], receive: [] }),
      b.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] }),
    ]);
    expect(got.arrived[0]?.[0]).toBe(6);
    expect(a.counts.refused.get("crowd")).toBeGreaterThan(0);
    await Promise.all([a.close(), b.close()]);
  });
});

describe("the door", () => {
  /** As much of a socket as a door needs. */
  function visitor(address: string, port: number) {
    const socket = new net.Socket();
    Object.defineProperty(socket, "remoteAddress", { value: address });
    Object.defineProperty(socket, "remotePort", { value: port });
    return socket;
  }

  it("sends away the oldest of the address that has most strangers", async () => {
    const refused: string[] = [];
    const door = openDoor({
      limit: 3,
      patience: 10_000,
      onRefused: (reason, from) => refused.push(`${reason} ${from}`),
    });
    const crowd = [1, 2, 3].map((port) => visitor("10.0.0.9", port));
    for (const socket of crowd) door.enter(socket);
    const peer = visitor("10.0.0.1", 1);
    door.enter(peer);
    expect(refused).toEqual(["crowd 10.0.0.9"]);
    expect(crowd.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(door.admit(peer)).toBe(true);
    expect(door.admit(peer)).toBe(false);
    // One that is known does not count as a stranger any more.
    door.enter(visitor("10.0.0.2", 1));
    expect(refused).toHaveLength(1);
    door.close();
    await vi.waitFor(() => expect(crowd.every(({ destroyed }) => destroyed) && peer.destroyed).toBe(true));
  });
});
