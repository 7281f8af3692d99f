/**
 * How two members come to be linked, as a machine without clocks and sockets: what happened goes in, what to do comes out.
 * The one of the lower rank leads, so that both never start at once; it tries the ways that both have, best first:
 *
 *     websocket   where one of them can be dialled (a Node peer)
 *     rtc         a data channel from one to the other
 *     relay       through the server, sealed: the last resort, since then a server is in the round
 *
 *     leader                         follower
 *     try(attempt, way)      ->      gets its end ready
 *     opens its end          <-      ready(attempt)
 *     next way, next attempt <-      failed(attempt), where its end came to nothing; so does the leader's own failure
 *                            <-      again: the link is lost, please lead once more
 *
 * A leader that hears no answer, or has no way left, gives up for now: the pair counts as missed, and is tried again after
 * a pause that doubles from time to time. Texts of older attempts are dropped.
 */

import type { Occupant } from "./protocol.ts";

export type Way = "websocket" | "rtc" | "relay";

/** What the two say to each other; texts of connections travel beside (rtc). */
export type PairText =
  | { readonly say: "try"; readonly attempt: number; readonly way: Way }
  | { readonly say: "ready" | "failed" | "again"; readonly attempt: number }
  | { readonly say: "rtc"; readonly attempt: number; readonly text: string };

export type PairEvent =
  /** The other sits in its seat, now or anew. */
  | { readonly kind: "present" }
  | { readonly kind: "absent" }
  /** Texts get through again: whatever was waited for is asked for anew. */
  | { readonly kind: "hurry" }
  | { readonly kind: "text"; readonly text: Exclude<PairText, { say: "rtc" }> }
  /** A link was attached, or ended; `left` where the other said goodbye. */
  | { readonly kind: "linked" }
  | { readonly kind: "unlinked"; readonly left: boolean }
  /** What was opened for that attempt came to nothing. */
  | { readonly kind: "failed"; readonly attempt: number }
  | { readonly kind: "alarm"; readonly alarm: number };

export type PairAction =
  | { readonly kind: "say"; readonly text: PairText }
  /** Open this side's end. What was being opened before is over. */
  | { readonly kind: "open"; readonly way: Way; readonly attempt: number }
  /** Whatever is being opened is over. */
  | { readonly kind: "drop" }
  /** Ring after so many milliseconds; only the last one set counts. */
  | { readonly kind: "alarm"; readonly alarm: number; readonly after: number }
  /** For now it cannot be linked. */
  | { readonly kind: "give up" };

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

export class Pair {
  readonly #leads: boolean;
  readonly #ways: readonly Way[];
  readonly #patience: Patience;
  #state: State = "absent";
  #attempt = 0;
  /** Which way is being tried. */
  #place = 0;
  #pause: number;
  #alarm = 0;

  constructor(leads: boolean, ways: readonly Way[], patience: Patience = usualPatience) {
    this.#leads = leads;
    this.#ways = ways;
    this.#patience = patience;
    this.#pause = patience.pause;
  }

  get state(): State {
    return this.#state;
  }

  /** The attempt under way: texts of another are not listened to. */
  get attempt(): number {
    return this.#attempt;
  }

  take(event: PairEvent): PairAction[] {
    switch (event.kind) {
      case "present":
        return this.#lead(0);
      case "hurry":
        if (this.#state !== "asking" && this.#state !== "paused") return [];
        return this.#leads ? this.#lead(0) : [this.#again()];
      case "absent":
        this.#state = "absent";
        return [{ kind: "drop" }, { kind: "give up" }];
      case "linked":
        this.#state = "linked";
        this.#pause = this.#patience.pause;
        return [];
      case "unlinked":
        return this.#unlinked(event.left);
      case "failed":
        return event.attempt === this.#attempt && this.#state === "opening" ? this.#next() : [];
      case "text":
        return this.#heard(event.text);
      case "alarm":
        return event.alarm === this.#alarm ? this.#rang() : [];
    }
  }

  /** The leader asks; a follower waits to be asked, and reminds the leader when it hears nothing. */
  #lead(place: number): PairAction[] {
    if (this.#ways.length === 0) return this.#giveUp();
    if (!this.#leads) {
      this.#state = "paused";
      return [this.#after(this.#patience.answer)];
    }
    this.#place = place;
    this.#attempt++;
    this.#state = "asking";
    const text: PairText = { say: "try", attempt: this.#attempt, way: this.#ways[place] };
    return [{ kind: "drop" }, { kind: "say", text }, this.#after(this.#patience.answer)];
  }

  #heard(text: Exclude<PairText, { say: "rtc" }>): PairAction[] {
    const { say, attempt } = text;
    if (say === "try") {
      const next = attempt > this.#attempt && attempt <= this.#attempt + furthest;
      if (this.#leads || !next || !this.#ways.includes(text.way)) return [];
      this.#attempt = attempt;
      return [...this.#open(text.way), { kind: "say", text: { say: "ready", attempt } }];
    }
    if (!this.#leads) return [];
    if (say === "again") {
      const busy = this.#state === "asking" || this.#state === "opening";
      if (busy && attempt <= this.#attempt) return [];
      // Somebody may have told the follower of attempts that never were: it counts on from where it is.
      this.#attempt = Math.max(this.#attempt, Math.min(attempt, this.#attempt + furthest));
      return this.#lead(0);
    }
    if (attempt !== this.#attempt) return [];
    if (say === "ready") return this.#state === "asking" ? this.#open(this.#ways[this.#place]) : [];
    return this.#state === "opening" || this.#state === "asking" ? this.#next() : [];
  }

  #open(way: Way): PairAction[] {
    this.#state = "opening";
    return [{ kind: "open", way, attempt: this.#attempt }, this.#after(this.#patience.open)];
  }

  /** What was being opened came to nothing. */
  #next(): PairAction[] {
    if (this.#leads) return this.#place + 1 < this.#ways.length ? this.#lead(this.#place + 1) : this.#giveUp();
    this.#state = "paused";
    const text: PairText = { say: "failed", attempt: this.#attempt };
    return [{ kind: "drop" }, { kind: "say", text }, this.#after(this.#patience.answer)];
  }

  #giveUp(): PairAction[] {
    this.#state = "paused";
    return [{ kind: "drop" }, { kind: "give up" }, this.#longer()];
  }

  #unlinked(left: boolean): PairAction[] {
    if (this.#state !== "linked") return [];
    this.#state = left ? "left" : "paused";
    return left ? [] : [this.#longer()];
  }

  #rang(): PairAction[] {
    switch (this.#state) {
      case "paused":
        if (this.#leads) return this.#lead(0);
        // A leader that is silent for so long counts as missed, but may still come.
        return [{ kind: "give up" }, this.#again(), this.#longer(this.#patience.answer)];
      case "asking":
        return this.#giveUp();
      case "opening":
        return this.#next();
      default:
        return [];
    }
  }

  #again(): PairAction {
    return { kind: "say", text: { say: "again", attempt: this.#attempt } };
  }

  #longer(least = 0): PairAction {
    const after = Math.max(least, this.#pause);
    this.#pause = Math.min(2 * this.#pause, this.#patience.longestPause);
    return this.#after(after);
  }

  #after(after: number): PairAction {
    return { kind: "alarm", alarm: ++this.#alarm, after };
  }
}
