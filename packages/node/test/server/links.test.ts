/** Links that Node peers make: WebSockets, and TCP and links side by side. */

import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { conformance, type Opened } from "../../../equitopo/test/peer/conformance.ts";
import type { Link } from "../../../web/src/link/link.ts";
import { portLink } from "../../../web/src/link/port-link.ts";
import { type More, openLinks } from "../../../web/test/lane/open-links.ts";
import { RoutedTransport } from "../../src/routes/route.ts";
import type { Address } from "../../src/server/address.ts";
import { dialLink, LinkServer, type LinkServerOptions } from "../../src/server/link-server.ts";
import { createAuthority, createCertificate } from "../../src/tcp/certificate.ts";

const key = new Uint8Array(32).fill(7);
const spec = new Uint8Array(32).fill(1);
const listen = { host: "127.0.0.1", port: 0 };
const dates = { from: new Date(Date.now() - 86_400_000), days: 30 };
const authority = createAuthority({ name: "authority", ...dates });
const tls = createCertificate(authority, "authority", { name: "peer", hosts: ["localhost"], ...dates });

/** Peers of one program, each with a listener; the lower of a pair dials. */
async function openSockets(size: number, more: More = {}, secure = false): Promise<Opened> {
  const waiting = new Map<string, (link: Link) => void>();
  const servers = await Promise.all(
    Array.from({ length: size }, (_, rank) =>
      LinkServer.listen({
        ...{ listen, rank, size, spec, key, ...(secure ? { tls } : {}) },
        onLink: (peer, link) => waiting.get(`${peer} ${rank}`)?.(link),
      }),
    ),
  );
  const opened = await openLinks(
    size,
    async (i, j) => {
      const accepted = new Promise<Link>((resolve) => {
        waiting.set(`${i} ${j}`, resolve);
      });
      const address = secure ? `wss://localhost:${servers[j].port}` : `ws://127.0.0.1:${servers[j].port}`;
      const { link } = await dialLink(address, { rank: i, size, peer: j, spec, key, ca: authority.cert });
      return [link, await accepted];
    },
    more,
  );
  const close = async () => {
    await opened.close();
    await Promise.all(servers.map((server) => server.close()));
  };
  return { ...opened, close };
}

conformance("WebSockets", (size, options) => openSockets(size, options));
conformance("WebSockets through TLS", (size, options) => openSockets(size, options, true));

/** The first half Node peers, with TCP among them; the second half as browsers would be, with links to everyone. */
async function openRouted(size: number, more: More = {}): Promise<Opened & { peers: RoutedTransport[] }> {
  const half = Math.ceil(size / 2);
  const addresses: (Address | undefined)[] = Array.from({ length: size }, (_, i) => (i < half ? listen : undefined));
  const peers: RoutedTransport[] = [];
  for (let rank = 0; rank < size; rank++) {
    peers.push(await RoutedTransport.listen({ rank, size, addresses, listen, spec: "a", key, log: () => {}, ...more }));
    if (rank < half) addresses[rank] = { ...listen, port: peers[rank].port };
  }
  for (const { rank: j } of peers.slice(half)) {
    for (let i = 0; i < j; i++) {
      const { port1, port2 } = new MessageChannel();
      peers[i].attach(j, portLink(port1));
      peers[j].attach(i, portLink(port2));
    }
  }
  for (const peer of peers) peer.prepare([...peers.keys()].filter((rank) => rank !== peer.rank));
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
}

conformance("TCP and links", openRouted);

describe("a peer with TCP and links", () => {
  it("goes to each peer by its own way, and by the link where a browser has taken a Node peer's place", async () => {
    const { peers, close } = await openRouted(4, { timeout: 2000 });
    const everyone = async (round: number) => {
      const outcomes = await Promise.all(
        peers.map((peer, i) => {
          const others = peers.filter((_, j) => j !== i);
          return peer.exchange({
            round,
            send: others.map(({ rank }) => ({ peer: rank, data: Float32Array.of(10 * round + i) })),
            receive: others.map(({ rank }) => ({ peer: rank, length: 1, type: "float32" })),
          });
        }),
      );
      return outcomes.map(({ arrived, release }) => {
        const values = arrived.map((vector) => vector?.[0]);
        release();
        return values;
      });
    };
    expect(await everyone(0)).toEqual([
      [1, 2, 3],
      [0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
    ]);
    expect(peers[0].linkOf(1)).toBeUndefined();
    expect(peers[0].linkOf(2)).toBe("port");
    const { port1, port2 } = new MessageChannel();
    peers[0].attach(1, portLink(port1));
    peers[1].attach(0, portLink(port2));
    const before = peers[0].carried.port;
    expect((await everyone(1))[0]).toEqual([11, 12, 13]);
    expect(peers[0].carried.port - before).toBeGreaterThan(3 * 48);
    await close();
  });
});

describe("the listener for WebSockets", () => {
  async function refusal(dial: Partial<Parameters<typeof dialLink>[1]>, more: Partial<LinkServerOptions> = {}) {
    const refused: string[] = [];
    let taken = 0;
    const server = await LinkServer.listen({
      ...{ listen, rank: 1, size: 3, spec, key, timeout: 200, ...more },
      onLink: () => taken++,
      onRefused: (reason) => refused.push(reason),
    });
    const address = `ws://127.0.0.1:${server.port}`;
    const outcome = await dialLink(address, { rank: 0, size: 3, peer: 1, spec, key, timeout: 1000, ...dial }).then(
      () => "taken",
      (error: { reason?: string }) => error.reason,
    );
    await vi.waitFor(() => expect(taken + refused.length).toBe(1));
    await server.close();
    return { outcome, refused, taken };
  }

  it("takes who knows the key and nobody else", async () => {
    expect(await refusal({})).toEqual({ outcome: "taken", refused: [], taken: 1 });
    expect(await refusal({ key: new Uint8Array(32) })).toEqual({ outcome: "key", refused: ["closed"], taken: 0 });
    expect(await refusal({ spec: new Uint8Array(32) })).toEqual({ outcome: "closed", refused: ["spec"], taken: 0 });
    expect(await refusal({ peer: 2 })).toEqual({ outcome: "closed", refused: ["rank"], taken: 0 });
  });

  it("refuses who was sent to another address first, by a server that passes all bytes on", async () => {
    const refused: string[] = [];
    const server = await LinkServer.listen({
      ...{ listen, rank: 1, size: 2, spec, key, onLink: () => {} },
      onRefused: (reason) => refused.push(reason),
    });
    // Whatever name the one in the middle gives: his own is not the listener's, and the listener's is not the dialler's.
    const middle = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
    let said: Record<string, string> = {};
    middle.on("connection", (near) => {
      const far = new WebSocket(`ws://127.0.0.1:${server.port}`, { headers: said });
      const early: Buffer[] = [];
      near.on("message", (data: Buffer) => (far.readyState === far.OPEN ? far.send(data) : early.push(data)));
      far.on("open", () => {
        for (const data of early) far.send(data);
      });
      far.on("message", (data) => near.send(data));
      far.on("close", () => near.close());
      near.on("close", () => far.close());
    });
    await once(middle, "listening");
    const host = `127.0.0.1:${(middle.address() as AddressInfo).port}`;
    const dial = () => dialLink(`ws://${host}`, { rank: 0, size: 2, peer: 1, spec, key, timeout: 2000 });
    await expect(dial()).rejects.toThrow(/refused: key/);
    await vi.waitFor(() => expect(refused).toEqual(["closed"]));
    said = { host };
    await expect(dial()).rejects.toThrow(/refused: closed/);
    await vi.waitFor(() => expect(refused).toEqual(["closed", "address"]));
    middle.close();
    await server.close();
  });

  it("is not kept from ending by a stranger that connects and says nothing", async () => {
    const server = await LinkServer.listen({ listen, rank: 1, size: 2, spec, key, onLink: () => {} });
    const silent = connect(server.port, "127.0.0.1");
    silent.on("error", () => {});
    await once(silent, "connect");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const begun = performance.now();
    await server.close();
    expect(performance.now() - begun).toBeLessThan(2000);
    silent.destroy();
  });

  it("is there through TLS or on this machine only", async () => {
    // The second is anybody's name that only begins like an address of this machine.
    for (const host of ["0.0.0.0", "127.0.0.1.example.org"]) {
      const options = { listen: { host, port: 0 }, rank: 0, size: 2, spec, key, onLink: () => {} };
      await expect(LinkServer.listen(options)).rejects.toThrow(/through TLS, or stays on this machine/);
    }
    await expect(dialLink("ws://192.0.2.1:1", { rank: 0, size: 2, peer: 1, spec, key })).rejects.toThrow(/through TLS/);
  });
});
