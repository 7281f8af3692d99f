/** Members of a room over real sockets: the simulator's bits, whatever carries them, and whatever becomes of the server. */

import { afterAll, describe, expect, it } from "vitest";
import { closeRtc, nodeRtc } from "../../../rtc/src/index.ts";
import type { Member } from "../../../web/src/room/member.ts";
import { hashOf, openRoom, type Seated, simulated, sit, sitAsNode } from "./rooms.ts";

afterAll(() => closeRtc());

/** How a member's pairs stand, without the ranks. */
const kinds = (member: Member) => [...member.view.pairs.values()];
const ended = (members: readonly Pick<Seated, "done">[]) => Promise.all(members.map(({ done }) => done));

describe("a room", () => {
  it("trains by relay where there is nothing else: the simulator's bits, and all of it counted", async () => {
    const { runs, room, invite, hash } = await openRoom();
    const members = await Promise.all(Array.from({ length: 4 }, () => sit(invite)));
    expect(members.map(({ member }) => member.rank).sort()).toEqual([0, 1, 2, 3]);
    expect((await ended(members)).map(({ done }) => done)).toEqual([30, 30, 30, 30]);
    expect(hash()).toBe(simulated(runs));
    expect(room.started).toBe(true);
    expect(room.relayed).toHaveLength(6);
    for (const { messages, bytes } of room.relayed) expect(messages * 8).toBeLessThan(bytes);
    for (const { transport } of members) expect(transport.carried.relay).toBeGreaterThan(0);
  });

  it("links each pair by the best way that both have, and needs no relay then", async () => {
    const { runs, room, invite, hash } = await openRoom();
    const nodes = [await sitAsNode(invite), await sitAsNode(invite)];
    const tabs = [await sit(invite, { rtc: nodeRtc }), await sit(invite, { rtc: nodeRtc })];
    const members = [...nodes, ...tabs];
    const seen = new Map<number, string[]>();
    await ended(members.map((one) => ({ done: one.done.then((summary) => summary) })));
    for (const { member } of members) seen.set(member.rank, kinds(member));
    expect(hash()).toBe(simulated(runs));
    expect(room.relayed).toEqual([]);
    for (const { transport } of tabs) {
      expect(transport.carried.rtc).toBeGreaterThan(0);
      expect(transport.carried.websocket).toBeGreaterThan(0);
    }
    for (const { transport } of nodes) expect(transport.carried.rtc).toBe(0);
  });

  it("goes on without its server, killed before the first round", async () => {
    const { runs, server, invite } = await openRoom();
    const views = new Map<number, boolean>();
    let closing: Promise<void> | undefined;
    const rows: Float64Array[] = [];
    const all = Array.from({ length: 4 }, (_, k) =>
      sit(invite, {
        rtc: nodeRtc,
        onChange: ({ pairs }) => {
          views.set(k, pairs.size === 3 && [...pairs.values()].every((kind) => kind === "rtc"));
          // The last link of all stands, and nobody has been told to start.
          if (views.size === 4 && [...views.values()].every(Boolean)) closing ??= server.close();
        },
        onEvent: (event) => {
          if (event.kind === "record") rows[event.rank] = event.x as Float64Array;
        },
      }),
    );
    const members = await Promise.all(all);
    await ended(members);
    expect(closing).toBeDefined();
    expect(members.every(({ member }) => member.view.server === "gone" && !member.view.started)).toBe(true);
    expect(hashOf(rows)).toBe(simulated(runs));
  });
});
