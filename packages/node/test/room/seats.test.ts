/** Who may sit in a room: seats that are taken, given back, taken over, and refused. */

import { type Invite, Member, parseInvite, RoomRefused, ServerGone } from "@equitopo/web";
import { describe, expect, it } from "vitest";
import { allSeated, document, ended, nodeSocket, openRoom, sit } from "./rooms.ts";

const join = (invite: Invite, want?: Parameters<typeof Member.join>[0]["want"]) =>
  Member.join({ invite, runtime: "browser", socket: nodeSocket, ...(want === undefined ? {} : { want }) });

const until = async (holds: () => boolean) => {
  for (let looks = 0; looks < 500 && !holds(); looks++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
};

describe("a seat", () => {
  it("is given to whoever has the key, lowest first, until there is none left", async () => {
    const { invite, room } = await openRoom();
    const members = [await join(invite), await join(invite), await join(invite), await join(invite)];
    expect(members.map(({ rank }) => rank)).toEqual([0, 1, 2, 3]);
    expect(members[3].runs).toHaveLength(1);
    expect(members[3].partners).toEqual([0, 1, 2]);
    await expect(join(invite)).rejects.toThrow(/every seat is taken/);
    await members[2].leave();
    await until(() => room.seats[2].state === "free");
    const next = await join(invite);
    expect([next.rank, room.seats[2].epoch]).toEqual([2, 2]);
    for (const member of [...members, next]) member.close();
  });

  it("is not given without the key, in words that tell nothing", async () => {
    const { invite, room } = await openRoom();
    const key = invite.key.slice();
    key[31] ^= 1;
    const other = parseInvite(`${invite.origin}/join#room=AAAAAAAAAAAAAAAAAAAAAA&key=${"A".repeat(43)}`);
    for (const wrong of [{ ...invite, key }, { ...invite, room: other.room }, other]) {
      await expect(join(wrong)).rejects.toMatchObject({ name: "RoomRefused", reason: "key" });
    }
    expect(room.seats.every(({ state }) => state === "free")).toBe(true);
  });

  it("is kept for whoever has its secret: a reloaded tab comes back, with the next epoch", async () => {
    const { invite, room } = await openRoom(document, { grace: 10_000 });
    const first = await join(invite);
    const { wanted } = first;
    await expect(join(invite, { rank: 0 })).rejects.toThrow(RoomRefused);
    await expect(join(invite, { rank: 0, secret: "guess" })).rejects.toThrow(/somebody else sits/);
    first.close();
    await until(() => room.seats[0].state === "away");
    // It is not up for others yet.
    const second = await join(invite);
    expect(second.rank).toBe(1);
    await expect(join(invite, { rank: 0 })).rejects.toThrow(/somebody else sits/);
    const again = await join(invite, wanted);
    expect([again.rank, room.seats[0].epoch, room.seats[0].state]).toEqual([0, 2, "taken"]);
    for (const member of [second, again]) member.close();
  });

  it("can be taken up in another window, and the first one is told", async () => {
    const { invite } = await openRoom();
    let refused: RoomRefused | undefined;
    const options = { invite, runtime: "browser", socket: nodeSocket } as const;
    const first = await Member.join({ ...options, onRefused: (error) => (refused = error) });
    const second = await join(invite, first.wanted);
    await until(() => refused?.reason === "replaced");
    for (const member of [first, second]) member.close();
  });

  it("of a browser is not taken where it would need too many links, whatever the server says", async () => {
    const { invite } = await openRoom({
      ...document,
      topologies: [{ name: "od-equidyn", n: 400 }],
      algorithms: [{ name: "dsgd" }],
      rounds: 400,
    });
    await expect(join(invite)).rejects.toThrow(/at most 256 links/);
  });

  it("needs a server", async () => {
    const { invite, server } = await openRoom();
    await server.close();
    await expect(join(invite)).rejects.toThrow(ServerGone);
  });

  it("left free in the middle is taken over by the next, who finds the network's round", async () => {
    const { invite, room } = await openRoom({ ...document, rounds: 250, every: 250 });
    const leaving = new AbortController();
    const members = await allSeated(invite, 3);
    const fourth = await sit(invite, {
      signal: leaving.signal,
      onEvent: (event) => {
        if (event.kind === "round" && event.round > 60) leaving.abort(new Error("the tab was closed"));
      },
    });
    await expect(fourth.done).rejects.toThrow(/closed/);
    await until(() => room.seats[3].state === "free");
    const { member, done } = await sit(invite);
    expect([member.rank, member.view.started, room.seats[3].epoch]).toEqual([3, true, 2]);
    const summary = await done;
    expect(summary.rejoined).toBeGreaterThan(60);
    expect(summary.done).toBeGreaterThan(0);
    for (const one of await ended(members)) expect(one.done).toBe(250);
  });

  it("is held through a line that breaks: the same epoch, and links that come back", async () => {
    const { invite, room, server } = await openRoom();
    const members = await allSeated(invite, 3, { patience: { pause: 20 } });
    const relayed = () =>
      members.every(({ member }) => [...member.view.pairs.values()].join().match(/relay/g)?.length === 2);
    await until(relayed);
    server.cut();
    await until(() => !relayed());
    await until(relayed);
    expect(room.seats.map(({ epoch }) => epoch)).toEqual([1, 1, 1, 0]);
    // The last one comes, and all begin.
    await ended([...members, await sit(invite)]);
  });
});
