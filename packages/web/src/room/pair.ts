/**
 * How two members come to be linked, as a machine without clocks and sockets: it is called with what happened, and calls
 * what is to be done. The one of the lower rank leads, so that both never start at once; it tries the ways that both have,
 * best first:
 *
 *     websocket   where one of them can be dialled (a Node peer)
 *     rtc         a data channel from one to the other
 *     relay       through the server, sealed: the last resort, since then a server is in the round
 *
 *     leader                         follower
 *     try(attempt, way)      ->      gets its end ready
 *     opens its end          <-      ready(attempt)
 *     next way, next attempt <-      failed(attempt), where its end failed; so does the leader's own failure
 *                            <-      again: the link is lost, please lead once more
 *
 * A leader that hears no answer, or has no way left, gives up for now: the pair counts as missed, and is tried again after
 * a pause that doubles from time to time. Texts of older attempts are dropped.
 */

import type { Occupant } from "./protocol.ts";
import type { PairText } from "./routes.ts";

export type Way = "websocket" | "rtc" | "relay";

/** What a pair has its runtime do. */
export interface PairEffects {
  say(text: PairText): void;
  /** Open this side's end. What was being opened before is over. */
  open(way: Way, attempt: number): void;
  drop(): void;
  /** Call `rang` after so many milliseconds; only the last alarm that was set counts. */
  alarm(after: number): void;
  /** For now it cannot be linked. */
  giveUp(): void;
}

/** The ways that two members have, best first. */
export function waysOf(a: Occupant, b: Occupant): Way[] {
  const dialled = a.listening.websocket !== undefined || b.listening.websocket !== undefined;
  return [
    ...(dialled ? (["websocket"] as const) : []),
    ...(a.rtc && b.rtc ? (["rtc"] as const) : []),
    ...(a.seal && b.seal ? (["relay"] as const) : []),
  ];
}

/** Milliseconds: for an answer, for a way to open, and the shortest and longest pause. */
export interface Patience {
  readonly answer: number;
  readonly open: number;
  readonly pause: number;
  readonly longestPause: number;
}

export const usualPatience: Patience = { answer: 5000, open: 6000, pause: 250, longestPause: 30_000 };

/** How far attempts may be ahead of those that the other has heard of: texts get lost, but not so many. */
const furthest = 2 ** 20;

type State = "absent" | "paused" | "asking" | "opening" | "linked" | "left";

export type Pair = ReturnType<typeof pairOf>;

export function pairOf(leads: boolean, ways: readonly Way[], effects: PairEffects, patience: Patience = usualPatience) {
  let state: State = "absent";
  let attempt = 0;
  /** Which way is being tried. */
  let tried = 0;
  let { pause } = patience;

  /** Pauses, twice as long each time. */
  function longer(least = 0): void {
    effects.alarm(Math.max(least, pause));
    pause = Math.min(2 * pause, patience.longestPause);
  }

  function giveUp(): void {
    state = "paused";
    effects.drop();
    effects.giveUp();
    longer();
  }

  /** The leader asks; a follower waits to be asked, and reminds the leader when it hears nothing. */
  function lead(way = 0) {
    if (ways.length === 0) return giveUp();
    state = leads ? "asking" : "paused";
    if (leads) effects.drop();
    effects.alarm(patience.answer);
    if (!leads) return;
    tried = way;
    effects.say({ say: "try", attempt: ++attempt, way: ways[way] });
  }

  function open(way: Way): void {
    state = "opening";
    effects.open(way, attempt);
    effects.alarm(patience.open);
  }

  /** What was being opened failed. */
  function next() {
    if (leads && tried + 1 < ways.length) return lead(tried + 1);
    if (leads) return giveUp();
    state = "paused";
    effects.drop();
    effects.alarm(patience.answer);
    effects.say({ say: "failed", attempt });
  }

  return {
    get state() {
      return state;
    },
    /** The attempt under way: texts of another are not listened to. */
    get attempt() {
      return attempt;
    },
    /** The other member sits in its seat, now or again. */
    present: () => lead(),
    absent(): void {
      state = "absent";
      effects.drop();
      effects.giveUp();
    },
    /** Texts get through again: whatever this side waits for is asked for again. */
    hurry(): void {
      if (state !== "asking" && state !== "paused") return;
      if (leads) lead();
      else effects.say({ say: "again", attempt });
    },
    linked(): void {
      state = "linked";
      pause = patience.pause;
    },
    /** Its link has ended; `left` where the other said goodbye. */
    unlinked(left: boolean): void {
      if (state !== "linked") return;
      state = left ? "left" : "paused";
      if (!left) longer();
    },
    /** What was opened for that attempt failed. */
    failed(of: number): void {
      if (of === attempt && state === "opening") next();
    },
    heard(text: Exclude<PairText, { say: "rtc" }>): void {
      if (text.say === "try") {
        const isNext = text.attempt > attempt && text.attempt <= attempt + furthest;
        if (leads || !isNext || !ways.includes(text.way)) return;
        attempt = text.attempt;
        open(text.way);
        effects.say({ say: "ready", attempt });
        return;
      }
      if (!leads) return;
      const busy = state === "asking" || state === "opening";
      if (text.say === "again") {
        if (busy && text.attempt <= attempt) return;
        // The follower may have received a forged attempt number: the leader counts on from the higher one.
        attempt = Math.max(attempt, Math.min(text.attempt, attempt + furthest));
        lead();
      } else if (text.attempt !== attempt || !busy) return;
      else if (text.say === "failed") next();
      else if (state === "asking") open(ways[tried]);
    },
    rang(): void {
      if (state === "asking") giveUp();
      else if (state === "opening") next();
      else if (state === "paused" && leads) lead();
      else if (state === "paused") {
        // A leader that is silent for so long counts as missed, but may still come.
        effects.giveUp();
        longer(patience.answer);
        effects.say({ say: "again", attempt });
      }
    },
  };
}
