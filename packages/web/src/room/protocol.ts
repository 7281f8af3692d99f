/**
 * What a member and the room's server say to each other: JSON texts over one WebSocket. Everything that comes is checked
 * field by field and bounded in size before anybody looks at it, on both sides, for neither trusts the other.
 *
 *     member -> room   join      the proof that it has the key; which seat it wants back, where it had one
 *                      announce  it can be linked with from now on, and where it listens: the others are told
 *                      signal    a text for another seat of a given epoch: forwarded and forgotten
 *                      ready     all its links stand
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
 * Binary messages are the relay's (relay.ts).
 */

import { sameBytes } from "equitopo/number";
import { isSafeAddress } from "../link/loopback.ts";

/** Members and servers of different versions refuse each other. */
export const protocolVersion = 2;

/** The longest message of either kind, so that a server never holds more of a stranger. */
export const messageBytes = 128 * 1024;

/** Characters of one signalling text, and of one piece of a report. */
export const [signalLength, pieceLength] = [32 * 1024, 32 * 1024];

/** Characters of the runs that a seat is given. */
export const runsLength = 4 * 1024 * 1024;

/** Ranks and epochs travel in 16 bits each (relay.ts). */
export const mostSeats = 65_535;

/** Where a Node peer can be reached without the server's help. */
export interface Listening {
  readonly websocket?: string;
  readonly tcp?: { readonly host: string; readonly port: number };
}

/** Who sits in a seat: a tab that takes over a seat has a greater epoch than the one before it. */
export interface Occupant {
  readonly rank: number;
  readonly epoch: number;
  readonly runtime: "browser" | "node";
  /** Whether it can make WebRTC connections. */
  readonly rtc: boolean;
  /** Whether it can seal what goes through a relay (crypto.subtle). */
  readonly seal: boolean;
  readonly listening: Listening;
}

/** A seat that one had before, with the secret that proves it; with the epoch, one's links still stand. */
export interface Wanted {
  readonly rank: number;
  readonly secret?: string;
  readonly epoch?: number;
}

/** What is known of a guest before it has a seat. */
export type Guest = Omit<Occupant, "rank" | "epoch" | "listening">;

export interface Join extends Guest {
  readonly kind: "join";
  readonly version: number;
  readonly room: string;
  readonly proof: string;
  readonly want?: Wanted;
}

export interface Seat {
  readonly kind: "seat";
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  /** Gives the seat back to whoever has it. */
  readonly secret: string;
  /** As encodeRuns wrote them (handed-runs.ts). */
  readonly runs: string;
  /** Milliseconds for one exchange; the same for all. */
  readonly timeout: number;
  readonly started: boolean;
  readonly here: readonly Occupant[];
}

export type Refusal = "version" | "key" | "full" | "taken" | "replaced" | "malformed" | "crowd" | "over";

export type ToRoom =
  | Join
  | { readonly kind: "announce"; readonly listening: Listening }
  | { readonly kind: "signal"; readonly to: number; readonly epoch: number; readonly text: string }
  | { readonly kind: "ready" | "waiting" }
  | { readonly kind: "report"; readonly text: string; readonly more: boolean }
  | { readonly kind: "leave" };

export type FromRoom =
  | Seat
  | { readonly kind: "here"; readonly occupant: Occupant }
  | { readonly kind: "gone"; readonly rank: number; readonly epoch: number }
  | { readonly kind: "signal"; readonly from: number; readonly epoch: number; readonly text: string }
  | { readonly kind: "start" }
  | { readonly kind: "refused"; readonly reason: Refusal };

/** Whether two secrets are the same, in a time that does not say how much of a guess was right. */
export function sameSecret(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => new TextEncoder().encode(text));
  return sameBytes(one, other);
}

type Fields = Readonly<Record<string, unknown>>;

/** Thrown inside the readers below, and nowhere else. */
class Malformed extends Error {}

function need(holds: boolean): asserts holds {
  if (!holds) throw new Malformed();
}

function text(value: unknown, most: number): string {
  need(typeof value === "string" && value.length <= most);
  return value;
}

function whole(value: unknown, least: number, most: number): number {
  need(typeof value === "number" && Number.isInteger(value) && value >= least && value <= most);
  return value;
}

function flag(value: unknown): boolean {
  need(typeof value === "boolean");
  return value;
}

function fields(value: unknown): Fields {
  need(typeof value === "object" && value !== null && !Array.isArray(value));
  return value as Fields;
}

const rank = (value: unknown) => whole(value, 0, mostSeats - 1);
const epoch = (value: unknown) => whole(value, 1, 0xffff);
const secret = (value: unknown) => text(value, 64);

function listening(value: unknown): Listening {
  const { websocket, tcp } = fields(value);
  const address = tcp === undefined ? undefined : fields(tcp);
  if (websocket !== undefined) need(isSafeAddress(text(websocket, 300)));
  return {
    ...(websocket === undefined ? {} : { websocket: websocket as string }),
    ...(address === undefined
      ? {}
      : { tcp: { host: text(address["host"], 253), port: whole(address["port"], 1, 65_535) } }),
  };
}

function guest(value: Fields): Guest {
  const { runtime, rtc, seal } = value;
  need(runtime === "browser" || runtime === "node");
  return { runtime, rtc: flag(rtc), seal: flag(seal) };
}

function occupant(value: unknown): Occupant {
  const all = fields(value);
  return { rank: rank(all["rank"]), epoch: epoch(all["epoch"]), ...guest(all), listening: listening(all["listening"]) };
}

function wanted(value: unknown): Wanted {
  const all = fields(value);
  return {
    rank: rank(all["rank"]),
    ...(all["secret"] === undefined ? {} : { secret: secret(all["secret"]) }),
    ...(all["epoch"] === undefined ? {} : { epoch: epoch(all["epoch"]) }),
  };
}

function toRoom(all: Fields): ToRoom {
  switch (all["kind"]) {
    case "join": {
      const version = whole(all["version"], 0, 1e9);
      // Another version's fields are its own business; the answer to it is the same whatever they are.
      if (version !== protocolVersion) {
        return { kind: "join", version, room: "", proof: "", runtime: "browser", rtc: false, seal: false };
      }
      return {
        ...{ kind: "join", version, room: text(all["room"], 64), proof: text(all["proof"], 64), ...guest(all) },
        ...(all["want"] === undefined ? {} : { want: wanted(all["want"]) }),
      };
    }
    case "announce":
      return { kind: "announce", listening: listening(all["listening"]) };
    case "signal":
      return { kind: "signal", to: rank(all["to"]), epoch: epoch(all["epoch"]), text: text(all["text"], signalLength) };
    case "report":
      return { kind: "report", text: text(all["text"], pieceLength), more: flag(all["more"]) };
    case "ready":
    case "waiting":
    case "leave":
      return { kind: all["kind"] };
  }
  throw new Malformed();
}

const refusals: readonly Refusal[] = ["version", "key", "full", "taken", "replaced", "malformed", "crowd", "over"];

function fromRoom(all: Fields): FromRoom {
  switch (all["kind"]) {
    case "seat": {
      const size = whole(all["size"], 2, mostSeats);
      const here = all["here"];
      need(Array.isArray(here) && here.length <= size);
      return {
        ...{ kind: "seat", size, rank: whole(all["rank"], 0, size - 1), epoch: epoch(all["epoch"]) },
        ...{ secret: secret(all["secret"]), runs: text(all["runs"], runsLength) },
        ...{ timeout: whole(all["timeout"], 1, 2 ** 31 - 1), started: flag(all["started"]), here: here.map(occupant) },
      };
    }
    case "here":
      return { kind: "here", occupant: occupant(all["occupant"]) };
    case "gone":
      return { kind: "gone", rank: rank(all["rank"]), epoch: epoch(all["epoch"]) };
    case "signal": {
      const from = rank(all["from"]);
      return { kind: "signal", from, epoch: epoch(all["epoch"]), text: text(all["text"], signalLength) };
    }
    case "start":
      return { kind: "start" };
    case "refused": {
      const reason = all["reason"] as Refusal;
      need(refusals.includes(reason));
      return { kind: "refused", reason };
    }
  }
  throw new Malformed();
}

function read<T>(message: string, most: number, reader: (all: Fields) => T): T | undefined {
  if (message.length > most) return undefined;
  try {
    return reader(fields(JSON.parse(message)));
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a member says; undefined where it is malformed. */
export const readToRoom = (message: string): ToRoom | undefined => read(message, messageBytes, toRoom);

/** What the server says; undefined where it is malformed. */
export const readFromRoom = (message: string): FromRoom | undefined =>
  read(message, runsLength + messageBytes + 400 * mostSeats, fromRoom);
