/**
 * The lane over links: one link for each peer, whatever carries it. Letters are frames of frame.ts in pieces (message.ts),
 * held back by credit (credit.ts). A peer whose link has closed is missed at once, in the round under way and in every
 * later one until a new link is attached and a letter of about now has come over it: one that was reloaded first has to
 * find out where the others are, and must not hold them up meanwhile. One that never had a link is waited for as long as
 * a round lasts.
 *
 * Whatever comes is distrusted: the first wrong byte closes the link and is counted.
 */

import {
  type Ears,
  FrameError,
  FrameReader,
  type Lane,
  type Letter,
  Spare,
  usualLag,
  type Vector,
} from "equitopo/peer";
import { specHash } from "../link/introduce.ts";
import { backlogBytes, type Link, type LinkKind } from "../link/link.ts";
import { Credit, widestWindow } from "./credit.ts";
import { byeMessage, creditMessage, decodeMessage, textMessage } from "./message.ts";
import { Sender } from "./sender.ts";

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
  /** Its link has ended: "left" where it said so, "lost" where it did not, or the word for what was wrong with it. */
  readonly onUnlinked?: (peer: number, reason: string) => void;
}

/** All about one peer. */
interface Way {
  readonly sender: Sender;
  readonly credit: Credit;
  link: Link | undefined;
  /** Whether there has been a link. */
  known: boolean;
  /** Whether it has a new link after an older one, and nothing of the rounds around ours has come over it yet. */
  returning: boolean;
}

export class LinkLane implements Lane {
  readonly name = "links";
  readonly ordered = true;
  /** Bytes sent over links of each kind. */
  readonly carried: Record<LinkKind, number> = { rtc: 0, websocket: 0, relay: 0, port: 0 };
  readonly #options: LinkLaneOptions;
  readonly #spec: Uint8Array;
  readonly #ways: readonly Way[];
  readonly #spare = new Spare();
  #ears: Ears | undefined;
  /** Those that the exchange under way waits for. */
  #expected: number[] = [];
  /** Rounds below are over. */
  #floor = 0;

  constructor(options: LinkLaneOptions) {
    this.#options = options;
    this.#spec = specHash(options.spec);
    const window = windowOf(options);
    this.#ways = Array.from({ length: options.size }, (_, peer) => this.#newWay(peer, window));
  }

  #newWay(peer: number, window: number): Way {
    const sender = new Sender({
      rank: this.#options.rank,
      spec: this.#spec,
      onUnsent: () => {
        if (this.#ears !== undefined) this.#ears.counts.unsent++;
      },
      onSent: (bytes) => {
        const kind = this.#ways[peer].link?.kind;
        if (kind !== undefined) this.carried[kind] += bytes;
      },
    });
    return { sender, credit: new Credit(window), link: undefined, known: false, returning: false };
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  /** The kind of link that a peer has now, if any. */
  linkOf(peer: number): LinkKind | undefined {
    return this.#ways[peer].link?.kind;
  }

  /** A link whose other end has shown to be that peer. It takes the place of an older one. */
  attach(peer: number, link: Link): void {
    const way = this.#ways[peer];
    const old = way.link;
    if (way.known && this.#ears !== undefined) this.#ears.counts.reconnects++;
    way.link = link;
    way.returning = way.known;
    way.known = true;
    // Closed after its place is taken: its end is nobody's loss.
    old?.close();
    const reader = this.#reader(peer, way);
    way.sender.attach(link);
    link.send(creditMessage(way.credit.open()));
    link.listen({
      message: (bytes) => this.#take(peer, link, reader, bytes),
      drained: () => {
        if (way.link === link) way.sender.pump();
      },
      closed: () => this.#unlink(peer, link, "lost"),
    });
    if (way.link === link) this.#options.onLinked?.(peer, link.kind);
  }

  /** A peer is known to be gone, whatever its link says, or never had one: it is missed at once until it has a new one. */
  detach(peer: number): void {
    const way = this.#ways[peer];
    way.known = true;
    if (way.link !== undefined) way.link.close();
    else {
      way.sender.detach(true);
      this.#ears?.gone(peer);
    }
  }

  /**
   * Sends a text of at most 64 KiB to a peer, ahead of letters. False where there is no link, the text is longer, or the
   * link is full: texts are handed on for others, who must not be able to fill it.
   */
  tell(peer: number, text: string): boolean {
    const { link } = this.#ways[peer];
    const message = textMessage(text);
    if (link === undefined || message === undefined || link.backlog >= backlogBytes) return false;
    link.send(message);
    return true;
  }

  #reader(peer: number, way: Way): FrameReader {
    return new FrameReader({
      spec: this.#spec,
      maxBytes: this.#options.maxBytes ?? 2 ** 30,
      sender: peer,
      // Every way that is linked protects its bytes by itself.
      local: true,
      memory: (type, length) => this.#spare.take(type, length),
      onFrame: ({ kind, round, sequence, bytes }, data) => {
        if (!way.credit.take(round, bytes, round >= this.#floor)) throw new Wrong("credit");
        if (round > this.#floor - usualLag(this.#options.size)) way.returning = false;
        this.#ears?.deliver(peer, { kind, round, sequence, data });
        this.#grant(way);
      },
    });
  }

  #take(peer: number, link: Link, reader: FrameReader, bytes: Uint8Array): void {
    const way = this.#ways[peer];
    if (way.link !== link) return;
    const message = decodeMessage(bytes);
    try {
      if (message === undefined) throw new Wrong("garbage");
      if (message.tag === "piece") reader.push(message.bytes);
      else if (message.tag === "text") this.#options.onTold?.(peer, message.text);
      else if (message.tag === "bye") this.#unlink(peer, link, "left");
      else if (!way.sender.grant(message.total)) throw new Wrong("garbage");
    } catch (error) {
      if (!(error instanceof Wrong || error instanceof FrameError)) throw error;
      const reason = error instanceof FrameError ? error.refusal : error.message;
      this.#ears?.refuse(reason);
      this.#unlink(peer, link, reason);
    }
  }

  #unlink(peer: number, link: Link, reason: string): void {
    const way = this.#ways[peer];
    if (way.link !== link) return;
    way.link = undefined;
    way.sender.detach();
    link.close();
    this.#ears?.gone(peer);
    this.#options.onUnlinked?.(peer, reason);
  }

  #grant({ credit, link }: Way): void {
    const total = credit.grant();
    if (total !== undefined) link?.send(creditMessage(total));
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    return this.#ways[peer].sender.post(letter);
  }

  gone(peer: number): boolean {
    const { link, known } = this.#ways[peer];
    return known && link === undefined;
  }

  expects(peer: number): void {
    this.#expected.push(peer);
  }

  /** Not in `expects`: what a peer sent for this round before it went is used first. */
  wait(): void {
    for (const peer of this.#expected.splice(0)) {
      const { link, known, returning } = this.#ways[peer];
      if (returning || (known && link === undefined)) this.#ears?.gone(peer);
    }
  }

  leave(round: number): readonly Vector[] {
    this.#floor = Math.max(this.#floor, round);
    this.#expected = [];
    for (const way of this.#ways) {
      if (way.credit.held === 0) continue;
      way.credit.leave(round);
      this.#grant(way);
    }
    return [];
  }

  abandon(round: number): void {
    for (const { sender } of this.#ways) sender.abandon(round);
  }

  now(): number {
    return performance.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  }

  recycle(data: Vector): void {
    this.#spare.give(data);
  }

  async close(): Promise<void> {
    for (const way of this.#ways) {
      const { link } = way;
      way.link = undefined;
      way.sender.detach();
      if (link === undefined) continue;
      link.send(byeMessage());
      link.close();
    }
  }
}

/** What was wrong with a message, in the word that it is counted by. */
class Wrong extends Error {}

/** How far a peer may be ahead, in bytes of letters. */
export function windowOf({ earlyBytes = widestWindow }: Pick<LinkLaneOptions, "earlyBytes">): number {
  return Math.min(earlyBytes, widestWindow);
}
