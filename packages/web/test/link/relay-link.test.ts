import { expect, test } from "vitest";
import { conformance } from "../../../equitopo/test/peer/conformance.ts";
import { introduce } from "../../src/link/introduce.ts";
import type { Link } from "../../src/link/link.ts";
import { Relay, relayHeader } from "../../src/link/relay-link.ts";
import { type More, openLinks } from "../lane/open-links.ts";
import { collect, settled, wire } from "./wire.ts";

/** A relay as a server is one: forwards by the first word of each message, and knows nothing else. */
function relays(size: number, watch: (bytes: Uint8Array) => void = () => {}): { relays: Relay[]; carriers: Link[] } {
  const ends = Array.from({ length: size }, () => wire(undefined, "websocket"));
  for (const [, server] of ends) {
    server.listen({
      message: (bytes) => {
        watch(bytes);
        const to = relayHeader(bytes)?.to ?? size;
        ends[to]?.[1].send(bytes);
      },
      drained: () => {},
      closed: () => {},
    });
  }
  return { relays: ends.map(([own], rank) => new Relay(own, rank)), carriers: ends.map(([, server]) => server) };
}

const network = { mode: "key", spec: new Uint8Array(32).fill(1), key: new Uint8Array(32).fill(7) } as const;

async function openRelayed(size: number, more: More = {}, watch?: (bytes: Uint8Array) => void) {
  const { relays: members } = relays(size, watch);
  return openLinks(
    size,
    async (i, j) => {
      const [here, there] = await Promise.all([
        introduce(members[i].link(j), { ...network, size, role: "dialler", rank: i, peer: j }),
        introduce(members[j].link(i), { ...network, size, role: "listener", rank: j, peer: i }),
      ]);
      return [here.link, there.link];
    },
    more,
  );
}

conformance("relay", (size, options) => openRelayed(size, options));

test("the relay never sees what it carries", async () => {
  let clear = 0;
  const secret = Float64Array.from({ length: 100 }, () => Math.PI);
  const pattern = Buffer.from(secret.buffer, 0, 16);
  const { peers, close } = await openRelayed(2, {}, (bytes) => {
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(pattern)) clear++;
  });
  const [, outcome] = await Promise.all([
    peers[0].exchange({ round: 0, send: [{ peer: 1, data: secret }], receive: [] }),
    peers[1].exchange({ round: 0, send: [], receive: [{ peer: 0, length: 100, type: "float64" }] }),
  ]);
  expect([outcome.arrived[0]?.[99], clear]).toEqual([Math.PI, 0]);
  expect(peers[0].linkOf(1)).toBe("relay");
  expect(peers[0].carried.relay).toBeGreaterThan(800);
  await close();
});

test("a link ends when the other end closes it, and all end with the way to the server", async () => {
  const { relays: members, carriers } = relays(3);
  const got = collect(members[1].link(0));
  const last = collect(members[1].link(2));
  const near = members[0].link(1);
  near.send(Uint8Array.of(5));
  near.close();
  await settled();
  expect(got).toEqual({ messages: [[5]], closed: true });
  const next = collect(members[1].link(0));
  members[0].link(1).send(Uint8Array.of(6));
  await settled();
  expect(next).toEqual({ messages: [[6]], closed: false });
  carriers[1].close();
  await settled();
  expect([next.closed, last.closed]).toEqual([true, true]);
});

test("what comes from somebody that was never asked for is not kept", async () => {
  const { relays: members, carriers } = relays(2);
  const strangers = 50;
  for (let from = 1; from <= strangers; from++) {
    const bytes = new Uint8Array(16);
    new DataView(bytes.buffer).setUint32(4, from, true);
    carriers[0].send(bytes);
  }
  await settled();
  const waiting = Array.from({ length: strangers }, (_, k) => collect(members[0].link(k + 1)).messages.length);
  expect(waiting).toEqual(new Array(strangers).fill(0));
});
