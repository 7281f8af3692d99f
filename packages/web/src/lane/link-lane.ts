/**
 * The lane over links: one link for each peer, whatever carries it. Letters are frames of frame.ts in pieces (message.ts),
 * held back by credit (credit.ts). A peer whose link has closed is missed at once, in the round under way and in every
 * later one until a new link is attached and a letter of a round near the current one has come over it: a page that was
 * reloaded must first learn which round the others are in, and must not hold them up meanwhile. A peer that never had a link
 * is waited for as long as a round lasts.
 *
 * Nothing that comes is trusted: the first wrong byte closes the link and is counted.
 */

import {
  type Ears,
  FrameError,
  FrameReader,
  type Lane,
  type Letter,
  runtimeClock,
  Spare,
  usualLag,
  type Vector,
} from "equitopo/internal/peer";
import { specHash } from "../link/introduce.ts";
import { backlogBytes, type Link, type LinkKind } from "../link/link.ts";
import { Credit, widestWindow } from "./credit.ts";
import { byeMessage, creditMessage, decodeMessage, textMessage } from "./message.ts";
import { Sender, type SenderOptions } from "./sender.ts";

export interface LinkLaneOptions {
  readonly rank: number;
  readonly size: number;
  /** What all peers must agree on: any text. */
  readonly spec: string;
  /** The largest vector that the spec has, in bytes: longer ones are refused at their header. Default 1 GiB. */
  readonly maxBytes?: number;
  /** How far a peer may be ahead of this one, in bytes of letters. Default, and at most, 16 MiB; always one letter. */
  readonly earlyBytes?: number;
  /** A text that a linked peer has sent with `tell`. */
  readonly onTold?: (peer: number, text: string) => void;
  readonly onLinked?: (peer: number, kind: LinkKind) => void;
  /** Its link has ended: "left" if the peer said so, "lost" if it did not, or a word for what was wrong with the link. */
  readonly onUnlinked?: (peer: number, reason: string) => void;
}

interface PeerState {
  /** It has the peer's link. */
  readonly sender: Sender;
  readonly credit: Credit;
  /** Whether it has a new link after an older one, and no letter of a round near this peer's has come over it yet. */
  returning: boolean;
}

export class LinkLane implements Lane {
  readonly now = runtimeClock.now;
  readonly after = runtimeClock.after;
  readonly name = "links";
  readonly ordered = true;
  /** Bytes sent over links of each kind. */
  readonly carried: Record<LinkKind, number> = { rtc: 0, websocket: 0, relay: 0, port: 0 };
  readonly #options: LinkLaneOptions;
  readonly #spec: Uint8Array;
  readonly #peers: readonly PeerState[];
  readonly #spare = new Spare();
  #ears: Ears | undefined;
  /** Those that the exchange under way waits for. */
  #expected: number[] = [];
  /** Those that have sent letters of rounds which are not over. */
  readonly #ahead = new Set<PeerState>();
  /** Rounds below are over. */
  #floor = 0;

  constructor(options: LinkLaneOptions) {
    this.#options = options;
    this.#spec = specHash(options.spec);
    const sending: SenderOptions = {
      ...{ rank: options.rank, spec: this.#spec },
      onUnsent: () => {
        if (this.#ears !== undefined) this.#ears.counts.unsent++;
      },
      onSent: (kind, bytes) => {
        this.carried[kind] += bytes;
      },
    };
    this.#peers = Array.from({ length: options.size }, () => {
      return { sender: new Sender(sending), credit: new Credit(windowOf(options)), returning: false };
    });
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  /** The kind of link that a peer has now, if any. */
  linkOf(peer: number): LinkKind | undefined {
    return this.#peers[peer].sender.link?.kind;
  }

  /** Takes a link whose other end has proved to be that peer. It replaces an older one. */
  attach(peer: number, link: Link): void {
    const state = this.#peers[peer];
    const { sender, credit } = state;
    const old = sender.link;
    if (sender.known && this.#ears !== undefined) this.#ears.counts.reconnects++;
    state.returning = sender.known;
    sender.attach(link);
    // Closed after its place is taken, so that its end does not count as the peer's.
    old?.close();
    const reader = this.#reader(peer, state);
    link.send(creditMessage(credit.open()));
    link.listen({
      message: (bytes) => this.#take(peer, link, reader, bytes),
      drained: () => {
        if (sender.link === link) sender.pump();
      },
      closed: () => this.#unlink(peer, link, "lost"),
    });
    if (sender.link === link) this.#options.onLinked?.(peer, link.kind);
  }

  /** For a peer that is known to be gone, or never had a link: it is missed at once until it has a new link. */
  detach(peer: number): void {
    const { sender } = this.#peers[peer];
    if (sender.link !== undefined) sender.link.close();
    else {
      sender.detach();
      this.#ears?.gone(peer);
    }
  }

  /**
   * Sends a text of at most 64 KiB to a peer, ahead of letters. False where there is no link, the text is longer, or the
   * link is full: texts are handed on for others, who must not be able to fill it.
   */
  tell(peer: number, text: string): boolean {
    const { link } = this.#peers[peer].sender;
    const message = textMessage(text);
    if (link === undefined || message === undefined || link.backlog >= backlogBytes) return false;
    link.send(message);
    return true;
  }

  #reader(peer: number, state: PeerState): FrameReader {
    return new FrameReader({
      spec: this.#spec,
      maxBytes: this.#options.maxBytes ?? 2 ** 30,
      sender: peer,
      // Every kind of link protects its bytes by itself.
      local: true,
      memory: (type, length) => this.#spare.take(type, length),
      onFrame: ({ kind, round, sequence, bytes }, data) => {
        if (!state.credit.take(round, bytes, round >= this.#floor)) throw new Wrong("credit");
        if (round >= this.#floor) this.#ahead.add(state);
        if (round > this.#floor - usualLag(this.#options.size)) state.returning = false;
        this.#ears?.deliver(peer, { kind, round, sequence, data });
        this.#grant(state);
      },
    });
  }

  #take(peer: number, link: Link, reader: FrameReader, bytes: Uint8Array): void {
    const { sender } = this.#peers[peer];
    if (sender.link !== link) return;
    const message = decodeMessage(bytes);
    try {
      if (message === undefined) throw new Wrong("garbage");
      if (message.tag === "piece") reader.push(message.bytes);
      else if (message.tag === "text") this.#options.onTold?.(peer, message.text);
      else if (message.tag === "bye") this.#unlink(peer, link, "left");
      else if (!sender.grant(message.total)) throw new Wrong("garbage");
    } catch (error) {
      if (!(error instanceof Wrong || error instanceof FrameError)) throw error;
      const reason = error instanceof FrameError ? error.refusal : error.message;
      this.#ears?.refuse(reason, { source: `peer ${peer}` });
      this.#unlink(peer, link, reason);
    }
  }

  #unlink(peer: number, link: Link, reason: string): void {
    const { sender } = this.#peers[peer];
    if (sender.link !== link) return;
    sender.detach();
    link.close();
    this.#ears?.gone(peer);
    this.#options.onUnlinked?.(peer, reason);
  }

  #grant({ credit, sender }: PeerState): void {
    const total = credit.grant();
    if (total !== undefined) sender.link?.send(creditMessage(total));
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    return this.#peers[peer].sender.post(letter);
  }

  gone(peer: number): boolean {
    const { link, known } = this.#peers[peer].sender;
    return known && link === undefined;
  }

  expects(peer: number): void {
    this.#expected.push(peer);
  }

  /** Not in `expects`: what a peer sent for this round before it went is used first. */
  wait(): void {
    for (const peer of this.#expected.splice(0)) {
      if (this.#peers[peer].returning || this.gone(peer)) this.#ears?.gone(peer);
    }
  }

  leave(round: number): readonly Vector[] {
    this.#floor = Math.max(this.#floor, round);
    this.#expected = [];
    for (const state of this.#ahead) {
      if (!state.credit.leave(round)) this.#ahead.delete(state);
      this.#grant(state);
    }
    return [];
  }

  abandon(round: number): void {
    for (const { sender } of this.#peers) sender.abandon(round);
  }

  recycle(data: Vector): void {
    this.#spare.give(data);
  }

  async close(): Promise<void> {
    for (const { sender } of this.#peers) {
      const { link } = sender;
      sender.detach();
      link?.send(byeMessage());
      link?.close();
    }
  }
}

/** What was wrong with a message, in the word that it is counted by. */
class Wrong extends Error {}

/** How far a peer may be ahead, in bytes of letters. */
export function windowOf({ earlyBytes = widestWindow }: Pick<LinkLaneOptions, "earlyBytes">): number {
  return Math.min(earlyBytes, widestWindow);
}
