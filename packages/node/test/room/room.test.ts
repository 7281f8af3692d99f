/** Members of a room over real sockets: the simulator's bits, whatever carries them, and whatever becomes of the server. */

import type { RtcEnd } from "@equitopo/web";
import { afterAll, describe, expect, it } from "vitest";
import { closeRtc, nodeRtc } from "../../../rtc/src/index.ts";
import { allSeated, document, ended, openRoom, simulated, sit, sitAsNode } from "./rooms.ts";

afterAll(() => closeRtc());

const long = { ...document, rounds: 200, every: 200 };

/** An end of a data channel that never comes to anything. */
async function deadRtc(): Promise<RtcEnd> {
  const { engine } = await nodeRtc();
  return { engine: { ...engine, add: async () => {} }, link: new Promise(() => {}) };
}

describe("a room's links", () => {
  it("are the best that both sides have: TCP, WebSocket, data channels, and no relay", async () => {
    const { runs, room, invite, hash } = await openRoom();
    const nodes = [await sitAsNode(invite), await sitAsNode(invite)];
    const tabs = [await sit(invite, { rtc: nodeRtc }), await sit(invite, { rtc: nodeRtc })];
    await ended([...nodes, ...tabs]);
    expect(hash()).toBe(simulated(runs));
    expect(room.relayed).toEqual([]);
    for (const { transport } of tabs) {
      expect(transport.carried.rtc).toBeGreaterThan(0);
      expect(transport.carried.websocket).toBeGreaterThan(0);
    }
    for (const { transport } of nodes) expect(transport.carried.rtc).toBe(0);
  });

  it("are relayed where data channels come to nothing: the simulator's bits, sealed and counted", async () => {
    const { runs, room, invite, hash } = await openRoom();
    const members = await allSeated(invite, 4, { rtc: deadRtc, patience: { open: 200 } });
    expect(members.map(({ member }) => member.rank)).toEqual([0, 1, 2, 3]);
    expect((await ended(members)).map(({ done }) => done)).toEqual([30, 30, 30, 30]);
    expect(hash()).toBe(simulated(runs));
    expect(room.relayed.map(({ pair }) => pair.join())).toHaveLength(6);
    for (const { messages, bytes } of room.relayed) expect(bytes).toBeGreaterThan(100 * messages);
    for (const { transport } of members) expect(transport.carried.relay).toBeGreaterThan(0);
  });
});

describe("a room without its server", () => {
  it("goes on where it was killed before the first round", async () => {
    const { runs, server, invite, hash, events } = await openRoom();
    const linked = new Set<number>();
    let closing: Promise<void> | undefined;
    const members = await allSeated(invite, 4, {
      rtc: nodeRtc,
      onView: (k, { pairs }) => {
        if (pairs.size === 3 && [...pairs.values()].every((kind) => kind === "rtc")) linked.add(k);
        // The last link of all stands, and nobody has been told to start.
        if (linked.size === 4) closing ??= server.close();
      },
      onEvent: (event) => events.push(event),
    });
    await ended(members);
    expect(closing).toBeDefined();
    expect(members.map(({ member }) => [member.view.server, member.view.started])).toEqual(
      Array(4).fill(["gone", false]),
    );
    expect(hash()).toBe(simulated(runs));
  });

  it("mends a link that breaks, by way of a member that both are linked with", async () => {
    const { server, invite } = await openRoom(long);
    let broken: Promise<void> | undefined;
    let mended = false;
    const members = await allSeated(invite, 4, {
      ...{ rtc: nodeRtc, patience: { pause: 20 } },
      onView: (k, { pairs }) => {
        mended ||= broken !== undefined && k === 0 && pairs.get(1) === "rtc";
      },
      onEvent: (event) => {
        if (event.kind !== "round" || event.rank !== 0 || broken !== undefined) return;
        broken = server.close().then(() => members[0].transport.detach(1));
        mended = false;
      },
    });
    await ended(members);
    expect(mended).toBe(true);
    expect(members[0].transport.counts.reconnects).toBe(1);
  });

  it("counts relayed pairs as missed from then on, at once", async () => {
    const { server, invite } = await openRoom({ ...long, rounds: 3000 });
    let closed = false;
    const members = await allSeated(invite, 4, {
      alone: true,
      onEvent: (event) => {
        if (event.kind !== "round" || closed) return;
        closed = true;
        void server.close();
      },
    });
    const begun = performance.now();
    const summaries = await ended(members);
    // 3,000 rounds of a peer that is alone; one timeout alone would take five seconds.
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(summaries.every(({ done, skipped }) => done + skipped === 3000)).toBe(true);
    for (const { transport } of members) expect(transport.counts.missed).toBeGreaterThan(100);
  });
});
