/**
 * What a member and the room's server say to each other: JSON texts over one WebSocket. Everything that comes is checked
 * field by field and bounded in size before anybody looks at it, on both sides, for neither trusts the other.
 *
 *     member -> room   join      the proof that it has the key; which seat it wants back, where it had one
 *                      announce  it can be linked with from now on, and where it listens: the others are notified
 *                      signal    a text for another seat of a given epoch: forwarded and forgotten
 *                      ready     all its links are open
 *                      waiting   one of them was lost again before the start
 *                      report    what it has to tell (peer events), in pieces
 *                      leave     its seat is free
 *     room -> member   seat      its rank and epoch, the runs, and who is here
 *                      here      somebody took a seat, or came back to it
 *                      gone      a seat is free: a hint, never believed against a link that still works
 *                      signal    a text from another seat
 *                      start     everybody is ready: the runs begin
 *                      refused   why there is no seat; the socket is closed
 *
 * Binary messages are the relay's (link/relay-link.ts).
 */

import { shape } from "equitopo/input";
import { sameBytes } from "equitopo/internal/number";
import { isSafeAddress } from "../link/binding.ts";

const { byWord, fields, flag, list, oneOf, optional, readJson, text, when, whole } = shape;

/** Members and servers of different versions refuse each other. */
export const protocolVersion = 2;

/** The longest message of either kind, so that a server never holds more of a stranger. */
export const messageBytes = 128 * 1024;

/** Characters of one signalling text, and of one piece of a report. */
export const [signalLength, pieceLength] = [32 * 1024, 32 * 1024];

/** Characters of the runs that a seat is given. */
export const runsLength = 4 * 1024 * 1024;

/** Ranks and epochs travel in 16 bits each (link/relay-link.ts). */
export const mostSeats = 65_535;

/** Why a member has no seat, in words that a person can be shown. */
const refusals = {
  version: "this room speaks another version of equitopo; use the same one as whoever serves it",
  key: "there is no such room, or the link is not complete; copy the whole invite link",
  full: "every seat is taken; wait until somebody leaves",
  taken: "somebody else sits in that seat now",
  replaced: "this seat was taken up again in another window",
  malformed: "the room did not understand what was said, and closed the door",
  crowd: "too much came at once from this address, and the room closed the door",
  over: "the runs of this room are over",
} as const;

export type Refusal = keyof typeof refusals;

/** The room refused a seat, or took it back. */
export class RoomRefused extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(refusals[reason]);
    this.name = "RoomRefused";
    this.reason = reason;
  }
}

/** There is no server, and without it nobody gets a seat. */
export class ServerGone extends Error {
  constructor() {
    super("the room's server cannot be reached, and seats were still free; ask for a new invite");
    this.name = "ServerGone";
  }
}

/** Whether two secrets are the same, in a time that does not say how much of a guess was right. */
export function sameSecret(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => new TextEncoder().encode(text));
  return sameBytes(one, other);
}

export const rank = whole(0, mostSeats - 1);
export const epoch = whole(1, 0xffff);
const secret = text(64);

/** Where a Node peer can be reached without the server's help. */
export interface Listening extends shape.Of<typeof listening> {}
const listening = fields({
  websocket: optional(text(300, isSafeAddress)),
  tcp: optional(fields({ host: text(253), port: whole(1, 65_535) })),
});

/** A seat and its epoch, which goes up by one whenever somebody takes the seat: which occupant is meant. */
export interface Sitter extends shape.Fields<typeof sitter> {}
export const sitter = { rank, epoch };

/** What is known of a guest before it has a seat. */
export interface Guest extends shape.Fields<typeof guest> {}
const guest = {
  runtime: oneOf("browser", "node"),
  /** Whether it can make WebRTC connections. */
  rtc: flag,
  /** Whether it can seal what goes through a relay (crypto.subtle). */
  seal: flag,
};

/** Who sits in a seat. */
export interface Occupant extends shape.Of<typeof occupant> {}
const occupant = fields({ ...sitter, ...guest, listening });

/** A seat that a member had before, with the secret that proves it; with the epoch where its links are still open. */
export interface FormerSeat extends shape.Of<typeof wanted> {}
const wanted = fields({ rank, secret: optional(secret), epoch: optional(epoch) });

const version = whole(0, 1e9);
const join = fields({ version, room: text(64), proof: text(64), ...guest, want: optional(wanted) });
const seat = fields({
  ...sitter,
  size: whole(2, mostSeats),
  /** Gives the seat back to whoever has it. */
  secret,
  /** As encodeRuns wrote them (runs-document.ts). */
  runs: text(runsLength),
  /** Milliseconds for one exchange; the same for all. */
  timeout: whole(1, 2 ** 31 - 1),
  started: flag,
  here: list(occupant, mostSeats),
});
const alone = fields({});

export type ToRoom = shape.Of<typeof toRoom>;
const toRoom = byWord("kind", {
  join(value): shape.Of<typeof join> {
    const said = fields({ version })(value);
    // Another version's fields are its own business; the answer to it is the same whatever they are.
    if (said.version === protocolVersion) return join(value);
    return { ...said, room: "", proof: "", runtime: "browser", rtc: false, seal: false };
  },
  announce: fields({ listening }),
  signal: fields({ to: rank, epoch, text: text(signalLength) }),
  report: fields({ text: text(pieceLength), more: flag }),
  ...{ ready: alone, waiting: alone, leave: alone },
});
export type Join = Extract<ToRoom, { readonly kind: "join" }>;

export type FromRoom = shape.Of<typeof fromRoom>;
const fromRoom = byWord("kind", {
  seat(value): shape.Of<typeof seat> {
    const one = seat(value);
    return when<typeof one>(() => one.rank < one.size && one.here.length <= one.size)(one);
  },
  here: fields({ occupant }),
  gone: fields(sitter),
  signal: fields({ from: rank, epoch, text: text(signalLength) }),
  start: alone,
  refused: fields({ reason: oneOf(...(Object.keys(refusals) as Refusal[])) }),
});
export type Seat = Extract<FromRoom, { readonly kind: "seat" }>;

/** What a member says; undefined where it is malformed. */
export const readToRoom = (message: string): ToRoom | undefined => readJson(message, messageBytes, toRoom);

/** What the server says; undefined where it is malformed. */
export const readFromRoom = (message: string): FromRoom | undefined =>
  readJson(message, runsLength + messageBytes + 400 * mostSeats, fromRoom);
