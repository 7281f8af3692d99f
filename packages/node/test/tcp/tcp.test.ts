import { X509Certificate } from "node:crypto";
import net from "node:net";
import tls from "node:tls";
import { describe, expect, it, vi } from "vitest";
import { conformance, type Open, type Opened } from "../../../equitopo/test/peer/conformance.ts";
import { createAuthority, createCertificate } from "../../src/tcp/certificate.ts";
import { TcpTransport } from "../../src/tcp/tcp.ts";

const loopback = { host: "127.0.0.1", port: 0 };
const quiet = () => {};
type More = Partial<Parameters<typeof TcpTransport.listen>[0]>;

async function openTcp(
  size: number,
  more: More | ((rank: number) => More) = {},
): Promise<Omit<Opened, "peers"> & { peers: TcpTransport[] }> {
  const addresses = Array.from({ length: size }, () => loopback);
  const peers: TcpTransport[] = [];
  for (let rank = 0; rank < size; rank++) {
    const options = typeof more === "function" ? more(rank) : more;
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
  (more: (rank: number) => More): Open =>
  async (size, options) => {
    const opened = await openTcp(size, (rank) => ({ ...options, ...more(rank) }));
    // Connections are made on demand; the suite's short timeouts are not meant for them.
    const everyone = [...opened.peers.keys()];
    await Promise.all(
      opened.peers.map(async (peer) => {
        const others = everyone.filter((rank) => rank !== peer.rank);
        const outcome = await peer.exchange({
          round: 0,
          send: others.map((rank) => ({ peer: rank, data: Float64Array.of(0) })),
          receive: others.map((rank) => ({ peer: rank, length: 1, type: "float64" })),
          timeout: 60_000,
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

conformance(
  "tcp",
  connected(() => ({})),
);
conformance(
  "tcp with a key",
  connected(() => ({ key })),
);

const validity = { from: new Date(Date.now() - 3_600_000), days: 30 };
const authority = createAuthority({ name: "test CA", ...validity });
const nameOf = (rank: number) => `peer ${rank}`;
const filesOf = (rank: number, ca = authority) => ({
  tls: { ca: ca.cert, ...createCertificate(ca, "test CA", { name: nameOf(rank), ...validity }), nameOf },
});

conformance(
  "tcp with certificates",
  connected((rank) => filesOf(rank)),
);

describe("certificates", () => {
  it("are what they say, and signed by the authority", () => {
    const ca = new X509Certificate(authority.cert);
    const hosts = ["node7.example", "10.1.2.3", "fe80::1:2"];
    const leaf = createCertificate(authority, "test CA", { name: "peer 7", hosts, ...validity });
    const cert = new X509Certificate(leaf.cert);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(cert.ca).toBe(false);
    expect(cert.verify(ca.publicKey)).toBe(true);
    expect(cert.checkIssued(ca)).toBe(true);
    expect(cert.subject).toBe("CN=peer 7");
    expect(cert.checkHost("node7.example")).toBe("node7.example");
    expect(cert.checkIP("10.1.2.3")).toBe("10.1.2.3");
    expect(cert.subjectAltName).toContain("FE80:0:0:0:0:0:1:2");
    expect(new Date(cert.validTo).getTime() - new Date(cert.validFrom).getTime()).toBe(30 * 86_400_000);
    const late = createAuthority({ name: "x", from: new Date("2051-01-01T00:00:00Z"), days: 1 });
    expect(new X509Certificate(late.cert).validFrom).toContain("2051");
  });

  it("of another authority, or of another peer, are refused", async () => {
    const { peers, close } = await openTcp(3, (rank) => filesOf(rank));
    const stranger = createAuthority({ name: "test CA", ...validity });
    const dial = async (more: More, refusedBy: (other: TcpTransport) => number | undefined) => {
      const addresses = [{ host: "127.0.0.1", port: peers[0].port }, loopback, loopback];
      const other = await TcpTransport.listen({
        ...{ rank: 2, size: 3, addresses, listen: loopback, spec: "a", log: quiet },
        ...more,
      });
      const outcome = await other.exchange({ round: 0, send: [], receive: receive(0), timeout: 200 });
      expect(outcome.arrived).toEqual([undefined]);
      // Handshakes take as long as the machine is busy; it is dialled again until then.
      await vi.waitFor(() => expect(refusedBy(other)).toBeGreaterThan(0), 20_000);
      await other.close();
    };
    await dial(filesOf(2, stranger), ({ counts }) => counts.refused.get("certificate"));
    await dial(filesOf(1), () => peers[0].counts.refused.get("name"));
    // One that trusts everybody gets no further.
    const { cert, key: secret } = filesOf(2, stranger).tls;
    const socket = tls.connect({
      port: peers[0].port,
      host: "127.0.0.1",
      cert,
      key: secret,
      rejectUnauthorized: false,
    });
    socket.on("error", quiet);
    await vi.waitFor(() => expect(peers[0].counts.refused.get("certificate")).toBe(1), 20_000);
    socket.destroy();
    await close();
  });
});

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
    await new Promise((resolve) => setTimeout(resolve, 150));
    // Nothing was connected again: nobody is there.
    expect(a.counts.reconnects).toBe(0);
    const again = await TcpTransport.listen({
      rank: 1,
      size: 2,
      addresses: [{ host: "127.0.0.1", port: a.port }, loopback],
      listen: { host: "127.0.0.1", port },
      spec: "a",
    });
    const met = async (t: number) => {
      const [left, right] = await Promise.all([
        a.exchange({ round: t, send: [{ peer: 1, data: Float64Array.of(5) }], receive: receive(1) }),
        again.exchange({ round: t, send: [{ peer: 0, data: Float64Array.of(6) }], receive: receive(0), timeout: 100 }),
      ]);
      return left.arrived[0]?.[0] === 6 && right.arrived[0]?.[0] === 5;
    };
    // Nobody waits for one that is known to be gone, so it takes a few rounds until both have found each other.
    let t = 1;
    while (!(await met(t++))) expect(t).toBeLessThan(50);
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
    const spec = lines.filter((line) => line.includes(": spec"));
    expect(spec).toEqual([
      expect.stringMatching(/^peer 0: refused peer 3 at \S+: spec \(.*give all peers the same\)$/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/refused peer 3 at \S+: mode \(.*start all peers alike\)$/));
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
    // The peer itself may be sent away once, and comes again.
    expect(refused).toBeGreaterThanOrEqual(60);
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

  it("loses nothing where many small messages go out before any is reported so", async () => {
    const { peers, close } = await openTcp(2);
    const [a, b] = peers;
    const both = peers.map((peer) =>
      peer.exchange({
        round: 0,
        send: [{ peer: 1 - peer.rank, data: Float64Array.of(0) }],
        receive: [{ peer: 1 - peer.rank, length: 1, type: "float64" }],
      }),
    );
    for (const outcome of await Promise.all(both)) outcome.release();
    for (let round = 1; round <= 100; round++) {
      // Resolved at once: the event loop, which would tell of finished writes, never gets its turn.
      (await a.exchange({ round, send: [{ peer: 1, data: Float64Array.of(round) }], receive: [] })).release();
    }
    for (let round = 1; round <= 100; round++) {
      const outcome = await b.exchange({ round, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
      expect(outcome.arrived[0]?.[0]).toBe(round);
      outcome.release();
    }
    expect([a.counts.unsent, b.counts.reconnects]).toEqual([0, 0]);
    await close();
  });

  it("refuses what is not finite where it is strict", async () => {
    const { peers, close } = await openTcp(2, { strict: true, timeout: 300 });
    const [a, b] = peers;
    const [, got] = await Promise.all([
      a.exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(Number.NaN) }], receive: [] }),
      b.exchange({ round: 0, send: [], receive: receive(0) }),
    ]);
    expect(got.arrived).toEqual([undefined]);
    expect(b.counts.refused.get("not finite")).toBe(1);
    await close();
  });

  it("goes on with many vectors in a round, and without a peer that never reads", async () => {
    const { peers, close } = await openTcp(2, { timeout: 3000 });
    const [a, b] = peers;
    const length = 3000;
    const data = Array.from({ length: 12 }, (_, k) => new Float64Array(length).fill(k));
    const [, got] = await Promise.all([
      a.exchange({ round: 0, send: data.map((one) => ({ peer: 1, data: one })), receive: [] }),
      b.exchange({ round: 0, send: [], receive: data.map(() => ({ peer: 0, length, type: "float64" })) }),
    ]);
    expect(got.arrived.map((one) => one?.[length - 1])).toEqual(data.map((_, k) => k));
    got.release();
    const large = new Float64Array(4_000_000);
    for (let round = 1; round < 8; round++) {
      const { kept } = await a.exchange({ round, send: [{ peer: 1, data: large }], receive: [], timeout: 20 });
      expect(kept.length).toBeLessThanOrEqual(1);
    }
    expect(a.counts.unsent).toBeGreaterThan(0);
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
