import net from "node:net";
import { describe, expect, it } from "vitest";
import { TcpTransport } from "../src/peer/tcp.ts";
import { conformance, type Open, type Opened } from "./peer-conformance.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const quiet = () => {};
type More = Partial<Parameters<typeof TcpTransport.listen>[0]>;

async function openTcp(size: number, options: More = {}): Promise<Omit<Opened, "peers"> & { peers: TcpTransport[] }> {
  const addresses = Array.from({ length: size }, () => loopback);
  const peers: TcpTransport[] = [];
  for (let rank = 0; rank < size; rank++) {
    peers.push(
      await TcpTransport.listen({ rank, size, addresses, listen: loopback, spec: "a", log: quiet, ...options }),
    );
    addresses[rank] = { host: "127.0.0.1", port: peers[rank].port };
  }
  for (const peer of peers) peer.prepare(peers.map(({ rank }) => rank).filter((rank) => rank !== peer.rank));
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
}

const key = new Uint8Array(32).fill(7);
const connected =
  (more: More): Open =>
  async (size, options) => {
    const opened = await openTcp(size, { ...options, ...more });
    // Connections are made on demand; the suite's short timeouts are not meant for them.
    const everyone = [...opened.peers.keys()];
    await Promise.all(
      opened.peers.map(async (peer) => {
        const others = everyone.filter((rank) => rank !== peer.rank);
        const outcome = await peer.exchange({
          round: 0,
          send: others.map((rank) => ({ peer: rank, data: Float64Array.of(0) })),
          receive: others.map((rank) => ({ peer: rank, length: 1, type: "float64" })),
          timeout: 10_000,
        });
        outcome.release();
        Object.assign(peer.counts, { sentMessages: 0, sentBytes: 0, receivedMessages: 0, receivedBytes: 0 });
      }),
    );
    return { ...opened, peers: opened.peers.map((peer) => shifted(peer)) };
  };

/** The same transport with round 0 taken as round 1, after the round that made the connections. */
function shifted(peer: TcpTransport): TcpTransport {
  return new Proxy(peer, {
    get: (target, name) => {
      if (name === "exchange") {
        return (request: Parameters<TcpTransport["exchange"]>[0]) =>
          target.exchange({ ...request, round: request.round + 1 });
      }
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

conformance("tcp", connected({}));
conformance("tcp with a key", connected({ key }));

const receive = (peer: number) => [{ peer, length: 1, type: "float64" as const }];

describe("tcp", () => {
  it("makes its connections by itself, and makes them again", async () => {
    const { peers, close } = await openTcp(2);
    const [a, b] = peers;
    const round = (t: number) =>
      Promise.all([
        a.exchange({ round: t, send: [{ peer: 1, data: Float64Array.of(t) }], receive: receive(1) }),
        b.exchange({ round: t, send: [{ peer: 0, data: Float64Array.of(-t) }], receive: receive(0) }),
      ]);
    expect((await round(0))[1].arrived[0]?.[0]).toBe(0);
    const port = b.port;
    await b.close();
    // What is written before the break is noticed is lost; TCP cannot say what was read.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = await TcpTransport.listen({
      rank: 1,
      size: 2,
      addresses: [{ host: "127.0.0.1", port: a.port }, loopback],
      listen: { host: "127.0.0.1", port },
      spec: "a",
    });
    const [left, right] = await Promise.all([
      a.exchange({ round: 1, send: [{ peer: 1, data: Float64Array.of(5) }], receive: receive(1) }),
      again.exchange({ round: 1, send: [{ peer: 0, data: Float64Array.of(6) }], receive: receive(0) }),
    ]);
    expect([left.arrived[0]?.[0], right.arrived[0]?.[0]]).toEqual([6, 5]);
    expect(a.counts.reconnects).toBe(1);
    await again.close();
    await close();
  });

  it("refuses another spec, another key, another mode; counts and says it once", async () => {
    const lines: string[] = [];
    const { peers, close } = await openTcp(4, { key, log: (line) => lines.push(line) });
    const [victim] = peers;
    const dial = async (more: More, reason: string) => {
      const other = await TcpTransport.listen({
        rank: 3,
        size: 4,
        addresses: [{ host: "127.0.0.1", port: victim.port }, loopback, loopback, loopback],
        listen: loopback,
        spec: "a",
        key,
        log: quiet,
        ...more,
      });
      const outcome = await other.exchange({ round: 0, send: [], receive: receive(0), timeout: 120 });
      expect(outcome.arrived).toEqual([undefined]);
      await other.close();
      const mine = victim.counts.refused.get(reason) ?? 0;
      const theirs = other.counts.refused.get(reason) ?? 0;
      expect(mine + theirs).toBeGreaterThan(0);
    };
    await dial({ spec: "b" }, "spec");
    await dial({ key: new Uint8Array(32) }, "key");
    const { key: _, ...plain } = { key };
    await dial({ ...plain, key: undefined as never }, "mode");
    expect(lines.filter((line) => line.endsWith(": spec"))).toHaveLength(1);
    await close();
  });

  it("survives garbage, silence and crowds", async () => {
    const { peers, close } = await openTcp(2, { handshakeTimeout: 80 });
    const [a, b] = peers;
    const sockets = Array.from({ length: 60 }, (_, k) => {
      const socket = net.connect(a.port, "127.0.0.1");
      socket.on("error", () => {});
      if (k % 2 === 0) socket.write(Buffer.alloc(500, k));
      return new Promise((resolve) => socket.once("close", resolve));
    });
    const [left] = await Promise.all([
      a.exchange({ round: 0, send: [], receive: receive(1) }),
      b.exchange({ round: 0, send: [{ peer: 0, data: Float64Array.of(4) }], receive: [] }),
    ]);
    expect(left.arrived[0]?.[0]).toBe(4);
    await Promise.all(sockets);
    const refused = [...a.counts.refused.values()].reduce((sum, count) => sum + count, 0);
    expect(refused).toBe(60);
    expect(a.counts.refused.get("garbage")).toBeGreaterThan(0);
    await close();
  });

  it("stops reading from a peer that runs far ahead, and loses nothing", async () => {
    const { peers, close } = await openTcp(2, { earlyBytes: 100_000 });
    const [a, b] = peers;
    const length = 10_000;
    const ahead = (async () => {
      for (let round = 0; round < 60; round++) {
        const data = new Float64Array(length).fill(round);
        (await a.exchange({ round, send: [{ peer: 1, data }], receive: [] })).release();
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (let round = 0; round < 60; round++) {
      const outcome = await b.exchange({ round, send: [], receive: [{ peer: 0, length, type: "float64" }] });
      expect(outcome.arrived[0]?.[length - 1]).toBe(round);
      outcome.release();
    }
    await ahead;
    expect(b.counts.refused.size).toBe(0);
    await close();
  });

  it("is plain only on this machine", async () => {
    const address = { host: "0.0.0.0", port: 0 };
    const options = { rank: 0, size: 2, addresses: [address, address], spec: "a" };
    await expect(TcpTransport.listen(options)).rejects.toThrow(/plain TCP is for loopback/);
    await expect(TcpTransport.listen({ ...options, key: new Uint8Array(3) })).rejects.toThrow(/at least 16 bytes/);
    const open = await TcpTransport.listen({ ...options, insecure: true });
    await open.close();
  });
});
