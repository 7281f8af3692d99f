/**
 * One lane between all seats carries two things: messages about membership, and the vectors of the current epoch, whose members
 * have a lane of their own (Hub.open) as nodes 0 .. m - 1. On the shared lane the round of a letter says which of the two it is:
 *
 *   epoch * 2^32 + round    a letter of that epoch's lane
 *   2^52 + count            about membership: a message (sequence 0) or a state (sequence 1)
 *
 * Letters of an epoch that this peer has not begun wait for it in bounded memory; letters of an epoch that is over are late.
 */

import { earlyLetters } from "../exchange/early-letters.ts";
import { type Ears, type Lane, type Letter, wordRounds } from "../exchange/lane.ts";
import { type Counts, newCounts, type Vector } from "../exchange/transport.ts";
import type { Epoch } from "./epoch.ts";

const epochRounds = 2 ** 32;
const control = wordRounds;
/** The most bytes that are kept of a seat for later epochs, and the size below which a letter counts as small. */
const earlyBytes = 64 * 1024 * 1024;
const small = 2 ** 20;

/** Something came from a seat; the connection to it is closed; this peer has no place in the network any more (`end`). */
export interface HubEvents extends Pick<Ears, "gone" | "end"> {
  /** Whether no exchange of that epoch is to wait for that seat. */
  isAway(epoch: Epoch, seat: number): boolean;
  message(seat: number, bytes: Uint8Array): void;
  state(bytes: Uint8Array): void;
  heard(seat: number): void;
}

export type Hub = ReturnType<typeof hubOn>;

export function hubOn(lane: Lane, events: HubEvents) {
  /** What happened to letters that belong to no exchange. */
  const counts: Counts = newCounts();
  /** Bytes of the last letter from each seat: after a small one the lane goes on reading from that seat, awaited or not. */
  const last = new Map<number, number>();
  let open: EpochLane | undefined;
  let present = -1;
  const early = earlyLetters(earlyBytes);
  let said = 0;

  function refuse(reason: string): void {
    counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
  }

  function recycle(data: Vector | undefined): void {
    if (data !== undefined) lane.recycle?.(data);
  }

  function deliver(seat: number, letter: Letter): void {
    const { data, round, sequence } = letter;
    last.set(seat, data?.byteLength ?? 0);
    events.heard(seat);
    if (round < control) {
      sort(seat, letter);
      return;
    }
    const bytes = data?.slice();
    recycle(data);
    if (!(bytes instanceof Uint8Array) || sequence > 1) refuse("message");
    else if (sequence === 0) events.message(seat, bytes);
    else events.state(bytes);
  }

  function sort(seat: number, letter: Letter): void {
    const epoch = Math.floor(letter.round / epochRounds);
    const round = letter.round % epochRounds;
    if (epoch === present && open !== undefined) {
      if (!open.tell(seat, (ears, node) => ears.deliver(node, { ...letter, round }))) refuse("stranger");
    } else if (epoch > present) {
      if (!early.hold(seat, letter)) {
        refuse("too far ahead");
        recycle(letter.data);
      }
      if (lane.ordered) isAt(seat, epoch, round);
    } else {
      if (letter.kind === "vector") counts.late++;
      recycle(letter.data);
    }
  }

  /** A peer that is in a later epoch has sent all of its letters of this one. */
  function isAt(seat: number, epoch: number, round: number): void {
    const reached = epoch === present ? round : Number.POSITIVE_INFINITY;
    if (epoch >= present) open?.tell(seat, (ears, node) => ears.at(node, reached));
  }

  lane.open({
    counts,
    deliver,
    gone(seat) {
      events.gone(seat);
      open?.tell(seat, (ears, node) => ears.gone(node));
    },
    at: (seat, round) => isAt(seat, Math.floor(round / epochRounds), round % epochRounds),
    refuse,
    end(reason) {
      events.end(reason);
      open?.ears()?.end(reason);
    },
    awaits: (seat) => open?.awaits(seat) === true || (last.get(seat) ?? 0) < small,
    get busy() {
      return open?.ears()?.busy ?? false;
    },
  });

  return {
    refuse,

    say(seat: number, bytes: Uint8Array, kind: "message" | "state" = "message"): void {
      const round = control + (said++ % epochRounds);
      lane.send(seat, { kind: "vector", round, sequence: kind === "message" ? 0 : 1, data: bytes });
    },

    /** The lane of an epoch, for the exchange of one of its members; the one before is closed. */
    open(epoch: Epoch): Lane {
      present = epoch.number;
      const made = epochLane(lane, epoch, {
        isAway: (seat) => events.isAway(epoch, seat),
        /** Delivers letters that came too early for that lane. */
        opened() {
          const last = (present + 1) * epochRounds - 1;
          for (const [seat, letter] of early.take(last)) sort(seat, letter);
          if (lane.ordered) for (const seat of early.peers()) isAt(seat, present + 1, 0);
        },
        closed() {
          if (open === made) open = undefined;
        },
      });
      open = made;
      return made;
    },

    /** The exchange under way no longer waits for those that are away now. */
    miss(): void {
      open?.miss();
    },
  };
}

/** The lane of one epoch, and what the hub asks of it. */
interface EpochLane extends Lane {
  readonly ears: () => Ears | undefined;
  /** Says something about the node in that seat; false if no member has the seat. */
  tell(seat: number, tell: (ears: Ears, node: number) => void): boolean;
  awaits(seat: number): boolean;
  miss(): void;
}

/** What the lane of one epoch asks of the hub: it has ears now, and it is closed. */
interface EpochEvents {
  isAway(seat: number): boolean;
  opened(): void;
  closed(): void;
}

/** The members of one epoch as a network of their own. It lends no memory: a lane lends it to one network only. */
function epochLane(lane: Lane, { number, members }: Epoch, events: EpochEvents): EpochLane {
  const base = number * epochRounds;
  const seats = members.map(({ seat }) => seat);
  const nodes = new Map(members.map(({ seat }, node) => [seat, node]));
  let ears: Ears | undefined;
  /** Nodes that the exchange under way waits for. */
  let expected: number[] = [];
  return {
    name: lane.name,
    ordered: lane.ordered,
    ears: () => ears,
    open(heard) {
      ears = heard;
      events.opened();
    },
    tell(seat, tell) {
      const node = nodes.get(seat);
      if (node !== undefined && ears !== undefined) tell(ears, node);
      return node !== undefined;
    },
    awaits(seat) {
      const node = nodes.get(seat);
      return node !== undefined && ears?.awaits(node) === true;
    },
    send: (peer, letter) => lane.send(seats[peer], { ...letter, round: base + letter.round }),
    now: () => lane.now(),
    after: (milliseconds, run) => lane.after(milliseconds, run),
    expects(peer) {
      expected.push(peer);
      lane.expects?.(seats[peer]);
    },
    // Not in `expects`: what a member sent before it was missed is used first.
    wait() {
      lane.wait?.();
      for (const peer of expected.splice(0)) if (events.isAway(seats[peer])) ears?.gone(peer);
    },
    miss() {
      for (const [node, seat] of seats.entries()) if (events.isAway(seat)) ears?.gone(node);
    },
    abandon: (round) => lane.abandon?.(base + round),
    recycle: (data) => lane.recycle?.(data),
    refused: (peer, reason) => lane.refused?.(seats[peer], reason),
    leave(round, read) {
      expected = [];
      return lane.leave?.(base + round, read) ?? [];
    },
    keeps: (data) => lane.keeps?.(data) ?? false,
    prepare: (peers) => lane.prepare?.(peers.map((peer) => seats[peer])),
    overhear: () => lane.prepare?.(seats),
    close: async () => events.closed(),
  };
}
