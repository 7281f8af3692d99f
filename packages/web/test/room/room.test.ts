/** The server's machine: who gets what, by events alone. */

import { describe, expect, it } from "vitest";
import { relayAddress } from "../../src/link/relay-link.ts";
import { type FromRoom, type Join, protocolVersion } from "../../src/room/protocol.ts";
import { Room, type RoomAction } from "../../src/room/room.ts";

function make(size = 3) {
  let secrets = 0;
  return new Room({
    ...{ room: "room", proof: "proof", size, runs: "the runs", timeout: 1000, reportLength: 100 },
    secret: () => `secret ${secrets++}`,
  });
}

const join: Join = {
  ...{ kind: "join", version: protocolVersion, room: "room", proof: "proof" },
  ...{ runtime: "browser", rtc: true, seal: true },
};
const announce = { kind: "announce", listening: {} } as const;

/** What is sent to a socket. */
const sent = (actions: readonly RoomAction[], socket: number): FromRoom[] =>
  actions.flatMap((action) => (action.kind === "send" && action.socket === socket ? [action.message] : []));
const kindsOf = (actions: readonly RoomAction[]) => actions.map(({ kind }) => kind);

/** A room in which sockets 0, 1, ... have seats 0, 1, ... and are announced. */
function filled(size = 3): Room {
  const room = make(size);
  for (let socket = 0; socket < size; socket++) {
    room.heard(socket, join);
    room.heard(socket, announce);
  }
  return room;
}

describe("a room", () => {
  it("gives seats in order and says who is here, to those that have one", () => {
    const room = make();
    const first = room.heard(7, join);
    expect(sent(first, 7)).toMatchObject([
      { kind: "seat", rank: 0, epoch: 1, size: 3, runs: "the runs", secret: "secret 0", started: false, here: [] },
    ]);
    expect(sent(room.heard(7, announce), 7)).toEqual([]);
    const [seat] = sent(room.heard(8, join), 8);
    expect(seat).toMatchObject({ rank: 1, here: [{ rank: 0, epoch: 1 }] });
    expect(sent(room.heard(8, announce), 7)).toMatchObject([{ kind: "here", occupant: { rank: 1 } }]);
  });

  it.each([
    ["another version", { ...join, version: protocolVersion + 1 }, "version"],
    ["another room", { ...join, room: "rooms" }, "key"],
    ["another key", { ...join, proof: "proo" }, "key"],
    ["a seat that is none", { ...join, want: { rank: 3 } }, "taken"],
  ])("refuses %s and says nothing else", (_, message, reason) => {
    const room = make();
    const actions = room.heard(5, message);
    expect(actions).toEqual([
      { kind: "send", socket: 5, message: { kind: "refused", reason } },
      { kind: "close", socket: 5, reason },
    ]);
    expect(room.seats.every(({ state }) => state === "free")).toBe(true);
  });

  it("closes on what it does not understand, on a stranger that does not join, and on a second join", () => {
    const room = make();
    for (const message of [undefined, { kind: "ready" }, announce] as const) {
      expect(kindsOf(room.heard(4, message))).toEqual(["send", "close"]);
    }
    room.heard(4, join);
    expect(kindsOf(room.heard(4, join))).toEqual(["send", "close"]);
  });

  it("starts once, when all seats are taken and ready", () => {
    const room = filled();
    room.heard(0, { kind: "ready" });
    room.heard(1, { kind: "ready" });
    expect(room.started).toBe(false);
    // One who is away holds the others up until it is back.
    room.closed(0);
    expect(sent(room.heard(2, { kind: "ready" }), 1)).toEqual([]);
    const back = room.heard(9, { ...join, want: { rank: 0, secret: "secret 0", epoch: 1 } });
    for (const socket of [9, 1, 2]) expect(sent(back, socket).at(-1)).toEqual({ kind: "start" });
    expect(sent(room.heard(2, { kind: "ready" }), 1)).toEqual([]);
  });

  it("does not start while one that was ready waits again", () => {
    const room = filled();
    for (const socket of [0, 1]) room.heard(socket, { kind: "ready" });
    room.heard(0, { kind: "waiting" });
    room.heard(2, { kind: "ready" });
    expect(room.started).toBe(false);
    room.heard(0, { kind: "ready" });
    expect(room.started).toBe(true);
  });

  it("forwards texts to the epoch they are meant for, and says who sent them", () => {
    const room = filled();
    const signal = { kind: "signal", to: 2, epoch: 1, text: "hello" } as const;
    expect(room.heard(0, signal)).toEqual([
      { kind: "send", socket: 2, message: { kind: "signal", from: 0, epoch: 1, text: "hello" } },
    ]);
    expect(room.heard(0, { ...signal, epoch: 2 })).toEqual([]);
    expect(room.heard(0, { ...signal, to: 60_000 })).toEqual([]);
    room.heard(2, { kind: "leave" });
    expect(room.heard(0, signal)).toEqual([]);
  });

  it("keeps a seat for a while, then says that it is free, and gives it with the next epoch", () => {
    const room = filled();
    expect(room.closed(1)).toContainEqual({ kind: "away", rank: 1, epoch: 1 });
    expect(sent(room.heard(5, join), 5)).toEqual([{ kind: "refused", reason: "full" }]);
    expect(sent(room.lapse(1, 1), 0)).toEqual([{ kind: "gone", rank: 1, epoch: 1 }]);
    expect(room.lapse(1, 1)).toEqual([]);
    expect(sent(room.heard(5, join), 5)).toMatchObject([{ kind: "seat", rank: 1, epoch: 2 }]);
    // The one before comes back too late.
    expect(sent(room.heard(6, { ...join, want: { rank: 1, secret: "secret 1", epoch: 1 } }), 6)).toEqual([
      { kind: "refused", reason: "taken" },
    ]);
    expect(room.lapse(1, 2)).toEqual([]);
  });

  it("closes the older of two windows in one seat", () => {
    const room = filled();
    const actions = room.heard(5, { ...join, want: { rank: 1, secret: "secret 1" } });
    expect(sent(actions, 1)).toEqual([{ kind: "refused", reason: "replaced" }]);
    expect(sent(actions, 5)).toMatchObject([{ kind: "seat", rank: 1, epoch: 2, secret: "secret 1" }]);
    // The closing of the older one takes nothing from the newer.
    expect(room.closed(1)).toEqual([]);
    expect(room.seats[1].state).toBe("taken");
  });

  it("relays between seats of the right epochs, whoever a message says it is from, and counts", () => {
    const room = filled();
    const message = (to: number, epoch: number, from: number, length = 20) => {
      const bytes = new Uint8Array(length);
      const view = new DataView(bytes.buffer);
      view.setUint32(0, relayAddress({ rank: to, epoch }), true);
      view.setUint32(4, relayAddress({ rank: from, epoch: 1 }), true);
      return bytes;
    };
    const forged = message(2, 1, 1);
    expect(room.relay(0, forged)).toBe(2);
    expect(new DataView(forged.buffer).getUint32(4, true)).toBe(relayAddress({ rank: 0, epoch: 1 }));
    expect(room.relay(2, message(0, 1, 2, 30))).toBe(0);
    expect(room.relayed).toEqual([{ pair: [0, 2], messages: 2, bytes: 50 }]);
    for (const [socket, bytes] of [
      [0, message(2, 2, 0)],
      [0, message(0, 1, 0)],
      [0, message(9, 1, 0)],
      [0, new Uint8Array(7)],
      [8, message(2, 1, 0)],
    ] as const) {
      expect(room.relay(socket, bytes)).toBeUndefined();
    }
  });

  it("puts reports together within bounds", () => {
    const room = filled();
    const piece = (text: string, more: boolean) => room.heard(1, { kind: "report", text, more });
    expect(piece("ab", true)).toEqual([]);
    expect(piece("cd", false)).toEqual([{ kind: "report", rank: 1, text: "abcd" }]);
    piece("x".repeat(60), true);
    expect(kindsOf(piece("x".repeat(60), true))).toEqual(["send", "close"]);
  });
});
