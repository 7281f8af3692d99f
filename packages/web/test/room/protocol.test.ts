/** Everything that a member or a server may say, and what becomes of everything else. */

import { describe, expect, it } from "vitest";
import { readFromRoom, readToRoom, type Seat, type ToRoom } from "../../src/room/protocol.ts";
import { readEnvelope, readPairText } from "../../src/room/routes.ts";

const occupant = { rank: 3, epoch: 2, runtime: "node", rtc: true, seal: true, listening: {} } as const;
const join = {
  ...{ kind: "join", version: 2, room: "r", proof: "p", runtime: "browser", rtc: true, seal: false },
  want: { rank: 1, secret: "s", epoch: 4 },
};
const seat: Seat = {
  ...{ kind: "seat", rank: 1, size: 5, epoch: 1, secret: "s", runs: "{}", timeout: 1000, started: false },
  here: [occupant],
};
const listening = { websocket: "ws://127.0.0.1:80/", tcp: { host: "10.0.0.1", port: 7117 } };

describe("what a member says", () => {
  const said: readonly unknown[] = [
    join,
    { kind: "announce", listening },
    { kind: "signal", to: 2, epoch: 1, text: "x" },
    { kind: "ready" },
    { kind: "waiting" },
    { kind: "report", text: "x", more: true },
    { kind: "leave" },
  ];

  it.each(said)("is read: %j", (message) => {
    expect(readToRoom(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["another kind", { kind: "dance" }],
    ["a join without a proof", { ...join, proof: undefined }],
    ["a proof that is too long", { ...join, proof: "x".repeat(65) }],
    ["another runtime", { ...join, runtime: "toaster" }],
    ["a word in place of yes or no", { ...join, rtc: "yes" }],
    ["a wanted seat of no epoch", { ...join, want: { rank: 1, epoch: 0 } }],
    ["a wanted seat that is none", { ...join, want: { rank: 65_535 } }],
    ["an address of plain WebSocket elsewhere", { kind: "announce", listening: { websocket: "ws://10.0.0.1/" } }],
    ["an address of another kind", { kind: "announce", listening: { websocket: "javascript:alert(1)" } }],
    ["a port of none", { kind: "announce", listening: { tcp: { host: "a", port: 0 } } }],
    ["a seat in words", { kind: "signal", to: "2", epoch: 1, text: "x" }],
    ["half a seat", { kind: "signal", to: 1.5, epoch: 1, text: "x" }],
    ["a text that is too long", { kind: "signal", to: 2, epoch: 1, text: "x".repeat(40_000) }],
    ["a piece that is too long", { kind: "report", text: "x".repeat(40_000), more: false }],
    ["a message that is too long", JSON.stringify({ kind: "leave", more: "x".repeat(200_000) })],
  ])("is not believed: %s", (_, message) => {
    expect(readToRoom(typeof message === "string" ? message : JSON.stringify(message))).toBeUndefined();
  });

  it("of another version is told from what is malformed, and nothing else of it is read", () => {
    const read = readToRoom(JSON.stringify({ kind: "join", version: 9, proof: 7 })) as Extract<
      ToRoom,
      { kind: "join" }
    >;
    expect([read.kind, read.version, read.proof]).toEqual(["join", 9, ""]);
  });

  it("has no fields that nobody asked for", () => {
    expect(readToRoom(JSON.stringify({ kind: "ready", __proto__: { a: 1 }, more: 1 }))).toEqual({ kind: "ready" });
  });
});

describe("what a server says", () => {
  it.each([
    seat,
    { kind: "here", occupant: { ...occupant, listening } },
    { kind: "gone", rank: 1, epoch: 2 },
    { kind: "signal", from: 1, epoch: 2, text: "x" },
    { kind: "start" },
    { kind: "refused", reason: "key" },
  ])("is read: %j", (message) => {
    expect(readFromRoom(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    { ...seat, rank: 5 },
    { ...seat, size: 1 },
    { ...seat, here: Array(6).fill(occupant) },
    { ...seat, here: [{ ...occupant, epoch: 70_000 }] },
    { ...seat, timeout: 0 },
    { kind: "refused", reason: "because" },
    { kind: "signal", from: -1, epoch: 2, text: "x" },
  ])("is not believed: %j", (message) => {
    expect(readFromRoom(JSON.stringify(message))).toBeUndefined();
  });
});

describe("what members say to each other", () => {
  it.each([
    { say: "try", attempt: 1, way: "relay" },
    { say: "ready", attempt: 1 },
    { say: "again", attempt: 0 },
    { say: "rtc", attempt: 2, text: "{}" },
  ])("is read: %j", (text) => {
    expect(readPairText(JSON.stringify(text))).toEqual(text);
    const envelope = { to: { rank: 1, epoch: 1 }, from: { rank: 2, epoch: 3 }, text: JSON.stringify(text) };
    expect(readEnvelope(JSON.stringify(envelope))).toEqual(envelope);
  });

  it.each([
    "",
    "7",
    "{}",
    '{"say":"try","attempt":1,"way":"pigeon"}',
    '{"say":"ready","attempt":-1}',
    '{"say":"rtc","attempt":1}',
  ])("is not believed: %s", (text) => {
    expect(readPairText(text)).toBeUndefined();
  });

  it.each([
    "",
    "null",
    '{"to":{"rank":1,"epoch":0},"from":{"rank":1,"epoch":1},"text":""}',
    '{"to":1,"from":2,"text":""}',
  ])("has no envelope: %s", (text) => {
    expect(readEnvelope(text)).toBeUndefined();
  });
});
