/**
 * Runs all pairs of one member: pair.ts decides; this file has the clocks, the links being opened (link-attempt.ts) and the
 * lane that they are attached to. member.ts says which members are here, and carries texts to the others.
 */

import type { RunSpec } from "equitopo";
import type { RtcEnd } from "../link/connection.ts";
import type { Link, LinkKind } from "../link/link.ts";
import { Relay, relayAddress } from "../link/relay-link.ts";
import type { Socket } from "../link/socket-link.ts";
import type { Line } from "./line.ts";
import { type Introduction, type LinkAttempt, openRelay, openRtc, openWebSocket } from "./link-attempt.ts";
import { type Pair, type PairEffects, type Patience, pairOf, usualPatience, type Way, waysOf } from "./pair.ts";
import type { Occupant } from "./protocol.ts";
import { type PairText, type RoutesOptions, routes } from "./routes.ts";

/** What pairs need of the lane over links: LinkTransport has it. */
export interface Links {
  attach(peer: number, link: Link): void;
  /** Ends the peer's link, if any; the peer is missed at once from then on. */
  detach(peer: number): void;
  /** For members that both listen for TCP, and need no link: gives the address at which the peer is reached. */
  reach?(peer: number, address: { readonly host: string; readonly port: number }): void;
}

export interface PairsOptions {
  readonly self: Occupant;
  readonly size: number;
  readonly spec: Uint8Array;
  readonly key: Uint8Array;
  readonly runs: readonly RunSpec[];
  readonly links: Links & Pick<RoutesOptions, "tell">;
  readonly line: Line;
  readonly socket: (url: string) => Socket;
  readonly rtc?: (() => RtcEnd | Promise<RtcEnd>) | undefined;
  readonly patience?: Partial<Patience> | undefined;
  readonly onChange: () => void;
}

/** The state of a pair, as it is shown. */
export type PairView = LinkKind | "tcp" | "connecting" | "absent" | "failed";

export const isLinked = (view: PairView): view is LinkKind => ["rtc", "websocket", "port", "relay"].includes(view);

interface Entry {
  readonly other: Occupant;
  readonly pair: Pair;
  view: PairView;
  linkedBefore: boolean;
  /** The link that is being opened, and the one in use. */
  opening: LinkAttempt | undefined;
  current: LinkAttempt | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export type Pairs = ReturnType<typeof pairsOf>;

export function pairsOf(options: PairsOptions) {
  const { self, size, runs, spec, key, links, line, socket, rtc, patience, onChange } = options;
  const entries = new Map<number, Entry>();
  const view = (rank: number): PairView => entries.get(rank)?.view ?? "absent";
  const { say, received, signalled } = routes({
    ...{ self, size, runs, line, heard, isLinked: (peer) => isLinked(view(peer)) },
    tell: (peer, text) => links.tell(peer, text),
  });
  let relay: Relay | undefined;

  /** A text from that seat, of that epoch. */
  function heard(rank: number, epoch: number, text: PairText): void {
    const entry = entries.get(rank);
    if (entry?.other.epoch !== epoch) return;
    if (text.say !== "rtc") entry.pair.heard(text);
    else if (text.attempt === entry.pair.attempt) entry.opening?.signal?.(text.text);
  }

  function forget(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.opening?.close();
    // Its result is dropped if it still comes.
    entry.opening = undefined;
    entry.current?.close();
  }

  const effectsOf = (entry: () => Entry): PairEffects => ({
    say: (text) => say(entry().other, text, entry().linkedBefore),
    drop: () => drop(entry()),
    open: (way, attempt) => open(entry(), way, attempt),
    alarm: (after) => {
      clearTimeout(entry().timer);
      entry().timer = setTimeout(() => entry().pair.rang(), after);
    },
    giveUp: () => {
      if (entry().view !== "connecting") return;
      entry().view = "failed";
      onChange();
    },
  });

  /** A relay has one link to each member, so the old one must have ended before there is a new one. */
  function drop(entry: Entry): void {
    entry.opening?.close();
    entry.opening = undefined;
    if (entry.view === "relay") entry.current?.close();
  }

  function open(entry: Entry, way: Way, attempt: number) {
    drop(entry);
    const opening = make(entry, way, attempt);
    entry.opening = opening;
    if (entry.view === "failed") entry.view = "connecting";
    opening.link.then(
      (link) => {
        if (entry.opening !== opening) return opening.close();
        entry.opening = undefined;
        const before = entry.current;
        entry.current = opening;
        links.attach(entry.other.rank, link);
        before?.close();
      },
      () => {
        if (entry.opening === opening) entry.pair.failed(attempt);
      },
    );
  }

  function make({ other }: Entry, way: Way, attempt: number): LinkAttempt {
    const leads = self.rank < other.rank;
    const role = leads ? "dialler" : "listener";
    const introduction: Introduction = { role, rank: self.rank, size, spec, peer: other.rank, key };
    const close = () => {};
    if (way === "websocket") {
      const url = other.listening.websocket;
      // Where both can be dialled, the leader dials; the other only waits.
      if (url === undefined || (!leads && self.listening.websocket !== undefined)) {
        return { link: new Promise(() => {}), close };
      }
      return openWebSocket(socket, url, { ...introduction, role: "dialler" });
    }
    if (way === "rtc" && rtc !== undefined) {
      return openRtc(rtc, introduction, (text) => say(other, { say: "rtc", attempt, text }, false));
    }
    const { carrier } = line;
    if (way === "relay" && carrier !== undefined) {
      if (relay?.carrier !== carrier) relay = new Relay(carrier, relayAddress(self));
      return openRelay(relay.link(relayAddress(other)), introduction);
    }
    return { link: Promise.reject(new Error(`no ${way} here`)), close };
  }
  return {
    ...{ view, received, signalled },
    /** A member has that seat now: another one than before, if the epoch has changed. */
    here(other: Occupant): void {
      const known = entries.get(other.rank);
      if (known !== undefined) {
        if (known.other.epoch > other.epoch) return;
        if (known.other.epoch === other.epoch) {
          if (known.view === "absent") known.pair.present();
          else known.pair.hurry();
          return;
        }
        forget(known);
        links.detach(other.rank);
      }
      const effects = effectsOf(() => entry);
      const pair = pairOf(self.rank < other.rank, waysOf(self, other), effects, { ...usualPatience, ...patience });
      const entry: Entry = {
        ...{ other, pair, view: "connecting", linkedBefore: false },
        ...{ opening: undefined, current: undefined, timer: undefined },
      };
      entries.set(other.rank, entry);
      const { tcp } = other.listening;
      if (tcp !== undefined && self.listening.tcp !== undefined && links.reach !== undefined) {
        links.reach(other.rank, tcp);
        entry.view = "tcp";
        onChange();
      } else pair.present();
    },
    /** The server says that the seat is free, which is believed unless a working link shows otherwise. */
    gone(rank: number, epoch: number): void {
      const entry = entries.get(rank);
      if (entry?.other.epoch !== epoch) return;
      // The server carries relayed links itself, so it knows that they ended; nothing is known here of TCP.
      if (entry.view === "relay" || entry.view === "tcp") links.detach(rank);
      else if (entry.pair.state === "linked") return;
      entry.view = "absent";
      if (entry.pair.state !== "absent") entry.pair.absent();
      onChange();
    },
    /** The lane has a link to that peer. */
    linked(rank: number, kind: LinkKind): void {
      const entry = entries.get(rank);
      if (entry === undefined) return;
      Object.assign(entry, { view: kind, linkedBefore: true });
      entry.pair.linked();
      onChange();
    },
    /** Its link has ended. */
    unlinked(rank: number, reason: string): void {
      const entry = entries.get(rank);
      if (entry === undefined) return;
      entry.current?.close();
      entry.current = undefined;
      entry.view = reason === "left" ? "absent" : "connecting";
      entry.pair.unlinked(reason === "left");
      onChange();
    },
    close(): void {
      for (const entry of entries.values()) forget(entry);
      entries.clear();
    },
  };
}
