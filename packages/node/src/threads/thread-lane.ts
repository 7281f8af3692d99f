/**
 * Peers in worker threads of one program: a vector is written once into a slot of shared memory and read there by
 * every peer it was sent to, without a copy. A peer that sends from memory that `lend` gave makes no copy at all.
 *
 * A slot is written anew only when every peer it was sent to has left that round (its floor is higher) or is gone. So a
 * sender is at most two rounds ahead of its slowest reader, and that is all the memory there is. A sender that has waited
 * for its timeout takes the slot all the same, and does not wait for that reader again until it moves; the reader finds
 * out by the slot's generation.
 *
 * No one is notified that a thread has died unless its launcher calls announceGone. A peer that was waited for in vain, and in
 * all that time neither moved nor waited itself, is therefore taken for gone until it shows a sign of life: otherwise its
 * neighbours would be late for their own neighbours in every round, and no two of the remaining peers would meet.
 *
 * Waiting blocks the thread (Atomics.wait) in slices, between which the event loop runs; in the main thread, where
 * blocking is not allowed, and where several peers share a thread, it polls instead.
 */

import { isMainThread } from "node:worker_threads";
import type { Ears, ElementType, ExchangeOptions, Lane, Letter, Vector } from "equitopo/internal/peer";
import { Exchange, runtimeClock, typeOf } from "equitopo/internal/peer";
import { announceGone, anybody, type Board, controlOf, joinBoard } from "./board.ts";
import { mailboxesOf, type Note } from "./mailbox.ts";
import { slotsOf } from "./slots.ts";

export interface ThreadOptions extends Pick<ExchangeOptions, "rank" | "timeout"> {
  /** Default: block in a worker, poll in the main thread. Asked again and again where it is a function. */
  readonly wait?: "block" | "poll" | (() => "block" | "poll");
  /** Milliseconds that it blocks before the event loop gets its turn. Default 20. */
  readonly slice?: number;
}

/** Of letters that nobody waits for: how many a peer may leave unread, and how many queue up behind them. */
const unreadLetters = 2;
const queuedLetters = 32;

export class ThreadTransport extends Exchange {
  constructor(board: Board, options: ThreadOptions) {
    // The slots limit how much can come early.
    super(threadLane(board, options), { ...options, size: board.size, earlyBytes: Number.POSITIVE_INFINITY });
  }
}

/**
 * The lane of a ThreadTransport, for a peer that has another lane beside it: `ranks`, ascending, are those of the board's
 * peers in a network that has others, too.
 */
export function threadLane(
  board: Board,
  { rank, wait, slice = 20 }: ThreadOptions,
  ranks: readonly number[] = Array.from({ length: board.size }, (_, place) => place),
) {
  /** Inside, peers go by their places on the board; outside, by their ranks in the network. */
  const places: number[] = [];
  for (const [place, one] of ranks.entries()) places[one] = place;
  const own = ranks.indexOf(rank);
  joinBoard(board, own);
  const control = controlOf(board);
  const words = control.all;
  const usual = typeof wait === "string" ? wait : isMainThread ? "poll" : "block";
  const boxes = mailboxesOf(control, own, (peer) => isGone(peer));
  const slots = slotsOf(board, control, own, ({ peer, letter }, round) =>
    letter === undefined ? hasLeft(peer, round) : isGone(peer) || boxes.isRead(letter),
  );
  /** Letters for which there is no slot or no room yet, by peer. */
  const queues = new Map<number, { readonly letter: Letter; readonly done: () => void }[]>();
  /** Floors of peers that were waited for in vain: they are waited for again once they have moved. */
  const stuck = new Map<number, number>();
  /** Signs of life of the expected peers when the exchange began; and of those that gave none while they were waited for. */
  const expected = new Map<number, number>();
  const silent = new Map<number, number>();
  /** Whose slots this peer may still read, with the last round of which. */
  const readFrom = new Map<number, number>();
  let timer: { readonly time: number; readonly run: () => void } | undefined;
  let ears: Ears | undefined;
  let looking = false;
  let streaming = false;
  let overhearing = false;
  // A peer that takes over a rank is no longer gone.
  Atomics.store(words, control.gone(own), 0);

  const now = () => performance.now();
  const floorOf = (peer: number) => Atomics.load(words, control.floor(peer));
  /** A number that changes whenever the peer moves or waits: both only go up. */
  const lifeOf = (peer: number) => (floorOf(peer) + Atomics.load(words, control.beat(peer))) | 0;
  /** Whether it was waited for in vain, and has not moved since. */
  const isStuck = (peer: number) => stuck.get(peer) === floorOf(peer);
  /** Whether it is known to be gone, or silent. */
  const isGone = (peer: number) =>
    Atomics.load(words, control.gone(peer)) === 1 || (silent.has(peer) && silent.get(peer) === lifeOf(peer));
  /** Whether no one has to wait any more until `peer` has read what it was sent in that round. */
  const hasLeft = (peer: number, round: number) => floorOf(peer) > round || isGone(peer) || isStuck(peer);
  const isAwaited = (peer: number) => ears?.awaits(ranks[peer]) === true;
  const hasRoom = (peer: number) => !streaming || boxes.unread(peer) < unreadLetters;

  /** Says which round a peer has been through. */
  function overhear(peer: number): void {
    const round = floorOf(peer) - 1;
    if (round >= 0 && peer !== own) ears?.reached?.(ranks[peer], round);
  }

  function overhearAll(): void {
    for (let peer = 0; peer < board.size; peer++) overhear(peer);
  }

  function unsent(): void {
    if (ears !== undefined) ears.counts.unsent++;
  }

  /** Brings a letter to a peer; false where there is no slot for its vector, or no room. */
  function put(peer: number, { kind, round, sequence, data }: Letter, force: boolean): boolean {
    if (data === undefined) {
      return boxes.put(peer, { kind, round, sequence, slot: -1, generation: 0, length: 0, type: "uint8" }) > 0;
    }
    const place = slots.place(data, round, force);
    if (place === undefined) return false;
    for (const reader of place.overtaken) stuck.set(reader, floorOf(reader));
    const { slot, generation } = place;
    const note = { kind, round, sequence, slot, generation, length: data.length, type: typeOf(data) };
    const letter = boxes.put(peer, note);
    if (letter === 0) return false;
    slots.sent(slot, streaming ? { peer, letter } : { peer });
    return true;
  }

  function deliver(peer: number, note: Note): void {
    const { kind, round, sequence } = note;
    if (note.slot >= 0) readFrom.set(peer, Math.max(round, readFrom.get(peer) ?? round));
    // If the vector has been overwritten already, only the letter is delivered: it is late, or of no use.
    const data = kind === "vector" ? slots.view(peer, note) : undefined;
    ears?.deliver(ranks[peer], { kind, round, sequence, data });
  }

  /** Takes what has come and sends what can be sent now. Returns whether there was anything. */
  function look(): boolean {
    let some = false;
    if (overhearing) overhearAll();
    // Asked before the letters are read, so that the last letters of a peer that goes are still taken.
    const gone: number[] = [];
    for (const peer of expected.keys()) if (isGone(peer)) gone.push(peer);
    if (boxes.receive(deliver)) some = true;
    for (const peer of gone) {
      if (!isAwaited(peer)) continue;
      some = true;
      ears?.gone(ranks[peer]);
    }
    for (const [peer, queue] of queues) {
      while (queue.length > 0 && (isGone(peer) || (hasRoom(peer) && put(peer, queue[0].letter, false)))) {
        some = true;
        if (isGone(peer)) unsent();
        queue.shift()?.done();
      }
      if (queue.length === 0) queues.delete(peer);
    }
    return some;
  }

  /** A deadline: a peer that is given up, and gave no sign of life, counts as silent. */
  function timeUp(): void {
    const awaited = [...expected].filter(([peer]) => isAwaited(peer));
    const run = timer?.run;
    timer = undefined;
    run?.();
    for (const [peer, life] of awaited) {
      if (!isAwaited(peer) && lifeOf(peer) === life) silent.set(peer, life);
    }
  }

  /** The peer that is to ring, as the board codes it: one that the exchange waits for, or any that may free a slot. */
  function ringer(): number {
    if (queues.size > 0) return anybody;
    for (const peer of expected.keys()) if (isAwaited(peer)) return peer + 1;
    return 0;
  }

  async function lookOut(): Promise<void> {
    const [bell, awaited] = [control.bell(own), control.awaited(own)];
    for (let turns = 0; ears?.busy; turns++) {
      Atomics.add(words, control.beat(own), 1);
      const rung = Atomics.load(words, bell);
      Atomics.store(words, awaited, ringer());
      if (look()) {
        // Promises report what was sent or came: until they run, the exchange seems unfinished, and the thread would sleep.
        await undefined;
        continue;
      }
      const left = (timer?.time ?? Number.POSITIVE_INFINITY) - now();
      if (left <= 0) timeUp();
      else if ((typeof wait === "function" ? wait() : usual) === "block") {
        // A slice without the event loop is the fast way; after that the loop gets its turn.
        if (Atomics.wait(words, bell, rung, Math.min(left, slice)) !== "timed-out") continue;
        await new Promise((resolve) => setImmediate(resolve));
      } else if (turns < 200) await new Promise((resolve) => setImmediate(resolve));
      else await new Promise((resolve) => setTimeout(resolve, 1));
    }
    Atomics.store(words, awaited, 0);
    looking = false;
  }

  return {
    ...{ name: "threads", ordered: true, now },

    /** A peer that takes over a rank finds out here where the others are. */
    open(given: Ears): void {
      ears = given;
      overhearAll();
    },

    overhear(): void {
      overhearing = true;
      overhearAll();
    },

    after(milliseconds: number, run: () => void): () => void {
      // The look-out keeps the time of an exchange; where there is none, nobody would.
      if (ears?.busy !== true) return runtimeClock.after(milliseconds, run);
      const set = { time: now() + milliseconds, run };
      timer = set;
      return () => {
        if (timer === set) timer = undefined;
      };
    },

    lend: (_index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean) =>
      slots.lend(type, length, taken),

    keeps: (data: Vector) => slots.slotOf(data) !== undefined,

    expects(peer: number): void {
      expected.set(places[peer], lifeOf(places[peer]));
    },

    /** Raises the floor, and wakes those that wait for their slots. */
    leave(round: number, read: readonly Vector[]): readonly Vector[] {
      const torn = slots.torn(read);
      for (const peer of expected.keys()) overhear(peer);
      expected.clear();
      overhearing = false;
      if (floorOf(own) < round) {
        Atomics.store(words, control.floor(own), round);
        for (const [peer, last] of readFrom) {
          control.ringFreed(peer);
          if (last < round) readFrom.delete(peer);
        }
        for (const peer of boxes.senders()) control.ringFreed(peer);
      }
      return torn;
    },

    recycle: slots.forget,

    stream(on: boolean): void {
      streaming = on;
    },

    look(): void {
      look();
    },

    /** While streaming no one waits, and a peer that does not read occupies few slots: the rest of its letters queue up. */
    send(to: number, letter: Letter): Promise<void> | undefined {
      const peer = places[to];
      const queue = queues.get(peer);
      const gone = isGone(peer);
      if (!gone && queue === undefined && hasRoom(peer) && put(peer, letter, false)) return undefined;
      if (gone || (streaming ? (queue?.length ?? 0) >= queuedLetters : isStuck(peer))) {
        if (letter.kind === "vector") unsent();
        return undefined;
      }
      return new Promise((done) => {
        if (queue === undefined) queues.set(peer, [{ letter, done }]);
        else queue.push({ letter, done });
      });
    },

    /** Deals with what could not be sent in time: takes a slot by force; where too many letters are unread, drops this one. */
    abandon(): void {
      for (const [peer, queue] of queues) {
        for (const { letter, done } of queue) {
          if (!put(peer, letter, true)) {
            unsent();
            stuck.set(peer, floorOf(peer));
          }
          done();
        }
      }
      queues.clear();
    },

    /** Begins in the next microtask, so that a caller that sends while it computes goes on computing first. */
    wait(): void {
      if (looking) return;
      looking = true;
      queueMicrotask(() => void lookOut());
    },

    gone: (peer: number) => isGone(places[peer]),

    async close(): Promise<void> {
      announceGone(board, own);
    },
  } satisfies Lane;
}
