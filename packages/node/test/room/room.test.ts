/** Members of a room over real sockets: the simulator's bits, whatever carries them, and whatever becomes of the server. */

import { describe, expect, it } from "vitest";
import { document, openRoom, simulated, sit } from "./rooms.ts";

describe("a room", () => {
  it("trains by relay where there is nothing else: the simulator's bits, and all of it counted", async () => {
    const { runs, room, invite, hash } = await openRoom();
    const members = await Promise.all(Array.from({ length: 4 }, () => sit(invite)));
    expect(members.map(({ member }) => member.rank).sort()).toEqual([0, 1, 2, 3]);
    const summaries = await Promise.all(members.map(({ done }) => done));
    expect(summaries.map(({ done }) => done)).toEqual([30, 30, 30, 30]);
    expect(hash()).toBe(simulated(runs));
    expect(room.started).toBe(true);
    expect(room.relayed).toHaveLength(6);
    for (const { messages, bytes } of room.relayed) expect(messages * 8).toBeLessThan(bytes);
    for (const { transport } of members) expect(transport.carried.relay).toBeGreaterThan(0);
    expect(document.rounds).toBe(30);
  });
});
