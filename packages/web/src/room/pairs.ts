/**
 * All pairs of one member at work: pair.ts decides, here are the clocks, the ends that are being opened (opening.ts) and the
 * lane that their links are attached to. Who is here, and how texts reach the others, is said from outside (member.ts).
 */

import type { Link, LinkKind } from "../link/link.ts";
import type { Relay } from "../link/relay-link.ts";
import type { Socket } from "../link/socket-link.ts";
import {
  awaitDialled,
  type Introduction,
  type Opening,
  openRelay,
  openRtc,
  openWebSocket,
  type RtcEnd,
} from "./opening.ts";
import { Pair, type PairAction, type PairEvent, type PairText, type Patience, usualPatience, waysOf } from "./pair.ts";
import type { Occupant } from "./protocol.ts";
import { relayAddress } from "./relay.ts";

/** What pairs need of the lane over links: LinkTransport has it. */
export interface Links {
  attach(peer: number, link: Link): void;
  /** Ends its link, if any; it is missed at once from then on. */
  detach(peer: number): void;
  /** Where members that both listen for TCP are reached without links: from now on it is found there. */
  reach?(peer: number, address: { readonly host: string; readonly port: number }): void;
}

export interface PairsOptions {
  readonly self: Occupant;
  readonly size: number;
  readonly spec: Uint8Array;
  readonly key: Uint8Array;
  readonly links: Links;
  readonly socket: (url: string) => Socket;
  readonly rtc?: (() => RtcEnd | Promise<RtcEnd>) | undefined;
  readonly patience?: Partial<Patience> | undefined;
  /** The relay, while there is a line to the server. */
  readonly relay: () => Relay | undefined;
  readonly say: (to: Occupant, text: PairText, linkedBefore: boolean) => void;
  readonly onChange: () => void;
}

/** How a pair stands. */
export type PairView = LinkKind | "tcp" | "connecting" | "absent" | "failed";

interface Entry {
  readonly other: Occupant;
  readonly pair: Pair;
  view: PairView;
  linkedBefore: boolean;
  /** Being opened, and in use. */
  opening: Opening | undefined;
  current: Opening | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Pairs {
  readonly #options: PairsOptions;
  readonly #entries = new Map<number, Entry>();

  constructor(options: PairsOptions) {
    this.#options = options;
  }

  /** How the pair with that seat stands. */
  view(rank: number): PairView {
    return this.#entries.get(rank)?.view ?? "absent";
  }

  /** Somebody sits there now: another one than before, if the epoch is another. */
  here(other: Occupant): void {
    const { self, links, patience } = this.#options;
    const known = this.#entries.get(other.rank);
    if (known !== undefined) {
      if (known.other.epoch > other.epoch) return;
      if (known.other.epoch === other.epoch) {
        this.#take(known, { kind: known.view === "absent" ? "present" : "hurry" });
        return;
      }
      this.#forget(known);
      links.detach(other.rank);
    }
    const pair = new Pair(self.rank < other.rank, waysOf(self, other), { ...usualPatience, ...patience });
    const entry: Entry = {
      ...{ other, pair, view: "connecting", linkedBefore: false },
      ...{ opening: undefined, current: undefined, timer: undefined },
    };
    this.#entries.set(other.rank, entry);
    const { tcp } = other.listening;
    if (tcp !== undefined && self.listening.tcp !== undefined && links.reach !== undefined) {
      links.reach(other.rank, tcp);
      entry.view = "tcp";
      this.#options.onChange();
    } else this.#take(entry, { kind: "present" });
  }

  /** The seat is said to be free: believed where no link of its own says otherwise. */
  gone(rank: number, epoch: number): void {
    const entry = this.#entries.get(rank);
    if (entry?.other.epoch !== epoch) return;
    // What is relayed goes through whoever says so; of TCP nothing is known here.
    if (entry.view === "relay" || entry.view === "tcp") this.#options.links.detach(rank);
    else if (entry.pair.state === "linked") return;
    entry.view = "absent";
    if (entry.pair.state !== "absent") this.#take(entry, { kind: "absent" });
    this.#options.onChange();
  }

  /** A text from that seat, of that epoch. */
  heard(rank: number, epoch: number, text: PairText): void {
    const entry = this.#entries.get(rank);
    if (entry === undefined || entry.other.epoch !== epoch) return;
    if (text.say !== "rtc") this.#take(entry, { kind: "text", text });
    else if (text.attempt === entry.pair.attempt) entry.opening?.signal(text.text);
  }

  /** The lane has a link to that peer. */
  linked(rank: number, kind: LinkKind): void {
    const entry = this.#entries.get(rank);
    if (entry === undefined) return;
    entry.view = kind;
    entry.linkedBefore = true;
    this.#take(entry, { kind: "linked" });
    this.#options.onChange();
  }

  /** Its link has ended. */
  unlinked(rank: number, reason: string): void {
    const entry = this.#entries.get(rank);
    if (entry === undefined) return;
    entry.current?.close();
    entry.current = undefined;
    entry.view = reason === "left" ? "absent" : "connecting";
    this.#take(entry, { kind: "unlinked", left: reason === "left" });
    this.#options.onChange();
  }

  close(): void {
    for (const entry of this.#entries.values()) this.#forget(entry);
    this.#entries.clear();
  }

  #forget(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.opening?.close();
    entry.current?.close();
  }

  #take(entry: Entry, event: PairEvent): void {
    for (const action of entry.pair.take(event)) this.#do(entry, action);
  }

  #do(entry: Entry, action: PairAction): void {
    switch (action.kind) {
      case "say":
        this.#options.say(entry.other, action.text, entry.linkedBefore);
        break;
      case "drop":
        this.#drop(entry);
        break;
      case "open":
        this.#open(entry, action);
        break;
      case "alarm":
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => this.#take(entry, { kind: "alarm", alarm: action.alarm }), action.after);
        break;
      case "give up":
        if (entry.view === "connecting") {
          entry.view = "failed";
          this.#options.onChange();
        }
    }
  }

  /** A relay has one link to each member, so the old one must have ended before there is a new one. */
  #drop(entry: Entry): void {
    entry.opening?.close();
    entry.opening = undefined;
    if (entry.view === "relay") entry.current?.close();
  }

  #open(entry: Entry, { way, attempt }: Extract<PairAction, { kind: "open" }>): void {
    this.#drop(entry);
    const opening = this.#make(entry, way, attempt);
    entry.opening = opening;
    if (entry.view === "failed") entry.view = "connecting";
    opening.link.then(
      (link) => {
        if (entry.opening !== opening) {
          opening.close();
          return;
        }
        entry.opening = undefined;
        const before = entry.current;
        entry.current = opening;
        this.#options.links.attach(entry.other.rank, link);
        before?.close();
      },
      () => {
        if (entry.opening === opening) this.#take(entry, { kind: "failed", attempt });
      },
    );
  }

  #make({ other }: Entry, way: "websocket" | "rtc" | "relay", attempt: number): Opening {
    const { self, size, spec, key, socket, rtc, relay } = this.#options;
    const leads = self.rank < other.rank;
    const introduction = (dials: boolean): Introduction => {
      return { role: dials ? "dialler" : "listener", rank: self.rank, size, spec, peer: other.rank, key };
    };
    const refused = (): Opening => ({ ...awaitDialled(), link: Promise.reject(new Error(`no ${way} here`)) });
    switch (way) {
      case "websocket": {
        const url = other.listening.websocket;
        // Where both can be dialled, the leader dials.
        if (url === undefined || (!leads && self.listening.websocket !== undefined)) return awaitDialled();
        return openWebSocket(socket, url, introduction(true));
      }
      case "rtc": {
        if (rtc === undefined) return refused();
        const say = (text: string) => this.#options.say(other, { say: "rtc", attempt, text }, false);
        return openRtc(rtc, introduction(leads), say);
      }
      case "relay": {
        const link = relay()?.link(relayAddress(other));
        return link === undefined ? refused() : openRelay(link, introduction(leads));
      }
    }
  }
}
