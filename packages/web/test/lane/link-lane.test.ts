import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conformance } from "../../../equitopo/test/peer/conformance.ts";
import { LinkTransport } from "../../src/lane/link-transport.ts";
import { byeMessage, creditMessage, pieceOf, tags } from "../../src/lane/message.ts";
import { backlogBytes, type Link } from "../../src/link/link.ts";
import { portLink } from "../../src/link/port-link.ts";
import { collect, settled, wire } from "../link/wire.ts";
import { type More, openLinks, type Pair } from "./open-links.ts";

const ports = (): Pair => {
  const { port1, port2 } = new MessageChannel();
  return [portLink(port1), portLink(port2)];
};

conformance("ports", (size, options) => openLinks(size, ports, options));

const from = (peer: number, length = 1) => ({ peer, length, type: "float64" as const });
const vector = (...values: number[]) => Float64Array.from(values);

/** Peer 0 of 2, with the other end of its link in the test's hands. */
function alone(more: More = {}): { peer: LinkTransport; other: Link; unlinked: string[] } {
  const unlinked: string[] = [];
  const onUnlinked = (_: number, reason: string) => unlinked.push(reason);
  const peer = new LinkTransport({ rank: 0, size: 2, spec: "a", onUnlinked, ...more });
  const [own, other] = wire();
  peer.attach(1, own);
  return { peer, other, unlinked };
}

describe("a text", () => {
  it("is refused where the link is full: it may be for others, and nobody is to fill it with those", () => {
    const sent: number[] = [];
    const full = { value: 0 };
    const peer = new LinkTransport({ rank: 0, size: 2, spec: "a" });
    peer.attach(1, {
      kind: "port",
      get backlog() {
        return full.value;
      },
      send: (piece) => void sent.push(piece[0]),
      listen: () => {},
      close: () => {},
    });
    expect(peer.tell(1, "a")).toBe(true);
    full.value = backlogBytes;
    expect(peer.tell(1, "b")).toBe(false);
    expect(sent).toEqual([tags.credit, tags.text]);
  });
});

describe("a closed link", () => {
  it("is missed at once, now and in every later round, until its peer is heard of over a new one", async () => {
    const { peer, other, unlinked } = alone({ timeout: 20_000 });
    const start = performance.now();
    const waiting = peer.exchange({ round: 0, send: [], receive: [from(1)] });
    other.close();
    expect((await waiting).arrived).toEqual([undefined]);
    for (let round = 1; round < 100; round++) {
      const outcome = await peer.exchange({ round, send: [{ peer: 1, data: vector(1) }], receive: [from(1)] });
      expect([outcome.arrived, outcome.kept]).toEqual([[undefined], []]);
    }
    expect(performance.now() - start).toBeLessThan(2000);
    expect([peer.counts.missed, peer.counts.unsent, unlinked]).toEqual([100, 99, ["lost"]]);

    const second = new LinkTransport({ rank: 1, size: 2, spec: "a" });
    const [own, far] = wire();
    peer.attach(1, own);
    second.attach(0, far);
    const exchange = (one: LinkTransport, to: number, round: number) =>
      one.exchange({ round, send: [{ peer: to, data: vector(to) }], receive: [from(to)] });
    // What it says of long ago, as one that has to find the others first, is no reason to wait for it.
    (await second.exchange({ round: 1, send: [{ peer: 0, data: vector(0) }], receive: [] })).release();
    await settled();
    expect((await exchange(peer, 1, 100)).arrived).toEqual([undefined]);
    expect(performance.now() - start).toBeLessThan(2000);
    // It comes too late for this round, but is there again.
    (await second.exchange({ round: 99, send: [{ peer: 0, data: vector(0) }], receive: [] })).release();
    await settled();
    const waited = exchange(peer, 1, 101);
    await settled();
    const [here] = await Promise.all([waited, exchange(second, 0, 101)]);
    expect([here.arrived[0]?.[0], peer.counts.reconnects]).toEqual([0, 1]);
  });

  it("does not take back what it has brought, and says whether its peer has left", async () => {
    const { peers, close } = await openLinks(2, () => wire());
    const [a, b] = peers;
    (await b.exchange({ round: 0, send: [{ peer: 0, data: vector(4) }], receive: [] })).release();
    await settled();
    await b.close();
    await settled();
    const outcome = await a.exchange({ round: 0, send: [], receive: [from(1)], timeout: 20_000 });
    expect(outcome.arrived[0]?.[0]).toBe(4);
    await close();
    const { other, unlinked } = alone();
    other.send(byeMessage());
    await settled();
    expect(unlinked).toEqual(["left"]);
  });

  it("is not missed where there never was one: its peer may still come", async () => {
    const peers = [0, 1].map((rank) => new LinkTransport({ rank, size: 2, spec: "a", timeout: 5000 }));
    const both = peers.map((peer, i) =>
      peer.exchange({ round: 0, send: [{ peer: 1 - i, data: vector(i) }], receive: [from(1 - i)] }),
    );
    await settled(20);
    wire().forEach((link, i) => {
      peers[i].attach(1 - i, link);
    });
    expect((await Promise.all(both)).map(({ arrived }) => arrived[0]?.[0])).toEqual([1, 0]);
  });

  it("gives its place to a newer one, on which a vector that was under way begins again", async () => {
    const { peer: a, other } = alone();
    const b = new LinkTransport({ rank: 1, size: 2, spec: "a" });
    const data = new Float64Array(50_000).fill(3);
    const sent = a.exchange({ round: 0, send: [{ peer: 1, data }], receive: [] });
    const old = collect(other);
    await settled();
    const [own, far] = wire();
    a.attach(1, own);
    b.attach(0, far);
    const outcome = await b.exchange({ round: 0, send: [], receive: [from(0, 50_000)] });
    expect(outcome.arrived[0]?.[49_999]).toBe(3);
    await sent;
    expect([old.closed, a.counts.missed]).toEqual([true, 0]);
  });
});

describe("credit", () => {
  it("holds a fast sender back in place of having it refused", async () => {
    const { peers, close } = await openLinks(2, () => wire(), { earlyBytes: 100_000, timeout: 60_000 });
    const [fast, slow] = peers;
    let reached = -1;
    const rounds = 60;
    const running = (async () => {
      for (let round = 0; round < rounds; round++) {
        const send = [{ peer: 1, data: new Float64Array(1000).fill(round) }];
        (await fast.exchange({ round, send, receive: [] })).release();
        reached = round;
      }
    })();
    await settled(50);
    // 12,096 of 100,000 for each letter.
    expect(reached).toBe(8);
    for (let round = 0; round < rounds; round++) {
      const outcome = await slow.exchange({ round, send: [], receive: [from(0, 1000)] });
      expect(outcome.arrived[0]?.[0]).toBe(round);
      outcome.release();
    }
    await running;
    expect([slow.counts.missed, slow.counts.refused.size, fast.counts.unsent]).toEqual([0, 0, 0]);
    await close();
  });

  it("holds nobody back twice for a peer that has stopped", async () => {
    const { peer, other } = alone();
    other.send(creditMessage(1));
    await settled();
    const send = [{ peer: 1, data: vector(1) }];
    (await peer.exchange({ round: 0, send, receive: [] })).release();
    const waited = await peer.exchange({ round: 1, send, receive: [], timeout: 30 });
    expect([waited.kept, peer.counts.unsent]).toEqual([send.map(({ data }) => data), 1]);
    const start = performance.now();
    await peer.exchange({ round: 2, send, receive: [], timeout: 20_000 });
    expect(performance.now() - start).toBeLessThan(5000);
    const got = collect(other);
    other.send(creditMessage(1e6));
    await settled();
    await peer.exchange({ round: 3, send, receive: [] });
    await settled();
    expect(got.messages.map((bytes) => bytes[0])).toEqual([tags.credit, tags.piece, tags.piece]);
  });

  it("is not to be overdrawn, nor taken back", async () => {
    const { peer, other, unlinked } = alone({ earlyBytes: 5000 });
    const sender = new LinkTransport({ rank: 1, size: 2, spec: "a" });
    const [own, far] = wire();
    sender.attach(0, own);
    far.send(creditMessage(1e9));
    far.listen({ message: (bytes) => other.send(bytes), drained: () => {}, closed: () => {} });
    for (let round = 0; round < 3; round++) {
      await sender.exchange({ round, send: [{ peer: 0, data: vector(1) }], receive: [] });
    }
    await settled();
    expect([unlinked, peer.counts.refused.get("credit")]).toEqual([["credit"], 1]);

    const { other: liar, unlinked: ended } = alone();
    liar.send(creditMessage(100));
    liar.send(creditMessage(99));
    await settled();
    expect(ended).toEqual(["garbage"]);
  });
});

describe("what peers say besides letters", () => {
  it("goes to and fro as texts, also in the middle of a large vector", async () => {
    const told: [number, string][] = [];
    const { peers, close } = await openLinks(2, ports, { onTold: (peer, text) => told.push([peer, text]) });
    const length = 400_000;
    const sent = peers[0].exchange({ round: 0, send: [{ peer: 1, data: new Float64Array(length) }], receive: [] });
    expect(peers[0].tell(1, '{"signal":"ä"}')).toBe(true);
    expect(peers[0].tell(1, "x".repeat(65_536))).toBe(false);
    const outcome = await peers[1].exchange({ round: 0, send: [], receive: [from(0, length)] });
    expect([outcome.arrived[0]?.length, told]).toEqual([length, [[0, '{"signal":"ä"}']]]);
    await sent;
    await close();
    expect(peers[0].tell(1, "gone")).toBe(false);
  });
});

describe("whatever comes is distrusted", () => {
  it("closes the link at the first wrong message, and counts it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        fc.pre(![tags.text, tags.credit, tags.bye].includes(bytes[0] as 1));
        const { peer, other, unlinked } = alone();
        other.send(bytes.slice());
        // A piece of a stream may be too short to be judged.
        other.send(pieceOf(new Uint8Array(48), new Uint8Array(0), 0));
        await settled(0);
        expect(unlinked.length).toBe(1);
        expect(peer.counts.refused.size).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["credit that is no number", creditMessage(Number.NaN)],
    ["credit of half a byte", creditMessage(0.5)],
    ["text that is none", Uint8Array.of(tags.text, 0xff, 0xfe)],
    ["a farewell with more to say", Uint8Array.of(tags.bye, 1)],
    ["an empty message", new Uint8Array(0)],
    ["a message longer than any", new Uint8Array(65_537)],
  ])("refuses %s", async (_, bytes) => {
    const { other, unlinked } = alone();
    other.send(bytes);
    await settled(0);
    expect(unlinked).toEqual(["garbage"]);
  });

  it("refuses a vector longer than the spec's at its header, and one in another's name", async () => {
    for (const [rank, length, reason] of [
      [1, 101, "oversize"],
      [2, 100, "sender"],
    ] as const) {
      const unlinked: string[] = [];
      const peer = new LinkTransport({
        ...{ rank: 0, size: 3, spec: "a", maxBytes: 800 },
        onUnlinked: (_, why) => unlinked.push(why),
      });
      const sender = new LinkTransport({ rank, size: 3, spec: "a" });
      const [own, far] = wire();
      peer.attach(1, own);
      sender.attach(0, far);
      await sender.exchange({ round: 0, send: [{ peer: 0, data: new Float64Array(length) }], receive: [] });
      await settled();
      expect(unlinked).toEqual([reason]);
    }
  });
});
