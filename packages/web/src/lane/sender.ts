/**
 * What goes to one peer: letters in order, cut to pieces, as fast as the link takes them and as far as the receiver has
 * granted. A vector is read until its last piece is made, and belongs to the caller again then.
 *
 * Letters wait for the first link, since peers come at different times. Once it has closed they are dropped until there is
 * another: a peer that is gone needs none of them.
 */

import { bytesOf, encodeHeader, headerBytes, type Letter, typeOf } from "equitopo/internal/peer";
import { backlogBytes, type Link, type LinkKind, pieceBytes } from "../link/link.ts";
import { costOf } from "./credit.ts";
import { pieceOf } from "./message.ts";

export interface SenderOptions {
  readonly rank: number;
  /** SHA-256 of the spec. */
  readonly spec: Uint8Array;
  readonly onUnsent: () => void;
  readonly onSent: (over: LinkKind, bytes: number) => void;
}

interface Waiting {
  readonly letter: Letter;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
  /** Bytes of head and body that were sent; -1 before the first. */
  at: number;
  done: () => void;
}

const nothing = new Uint8Array(0);
/** Where pieces are made for links that copy them: one after the other, all peers. */
const scratch = new Uint8Array(pieceBytes);
/** Letters that wait for a link or for credit; one more is dropped. */
const waitingLimit = 64;

export class Sender {
  readonly #options: SenderOptions;
  link: Link | undefined;
  /** Whether there has been a link, or it is known that there is none. */
  known = false;
  #waiting: Waiting[] = [];
  #spent = 0;
  #granted = 0;
  /** A letter was given up for want of credit: the receiver has stopped, and nobody is held back for it any more. */
  #stuck = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** From now on over this link. A letter that had begun on the one before begins again. */
  attach(link: Link): void {
    this.link = link;
    this.known = true;
    this.#spent = 0;
    this.#granted = 0;
    this.#stuck = false;
    for (const waiting of this.#waiting) waiting.at = -1;
  }

  /** Nothing is sent until there is another link. */
  detach(): void {
    this.link = undefined;
    this.known = true;
    this.#drop(() => true);
  }

  /** False where it took back what was granted before. */
  grant(total: number): boolean {
    if (total < this.#granted) return false;
    this.#granted = total;
    this.#stuck = false;
    this.pump();
    return true;
  }

  /** A promise where the letter's vector is still read after the call. */
  post(letter: Letter): Promise<void> | undefined {
    const lost = this.link === undefined && this.known;
    if (lost || this.#stuck || this.#waiting.length >= waitingLimit) {
      this.#options.onUnsent();
      return undefined;
    }
    const { kind, round, sequence, data } = letter;
    const body = data === undefined ? nothing : bytesOf(data);
    const head = encodeHeader(
      {
        ...{ kind, round, sequence, sender: this.#options.rank },
        ...{ type: data === undefined ? undefined : typeOf(data), bytes: body.length, guard: "none", checksum: 0 },
      },
      this.#options.spec,
    );
    const waiting: Waiting = { letter, head, body, at: -1, done: () => {} };
    this.#waiting.push(waiting);
    this.pump();
    if (data === undefined || !this.#waiting.includes(waiting)) return undefined;
    return new Promise((done) => {
      waiting.done = done;
    });
  }

  /** Gives up letters of that round that have not begun. */
  abandon(round: number): void {
    const [first] = this.#waiting;
    if (this.link !== undefined && first?.at === -1 && first.letter.round === round) this.#stuck = true;
    this.#drop(({ letter, at }) => letter.round === round && at < 0);
  }

  #drop(which: (waiting: Waiting) => boolean): void {
    const dropped = this.#waiting.filter(which);
    if (dropped.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !which(waiting));
    for (const { done } of dropped) {
      this.#options.onUnsent();
      done();
    }
  }

  pump(): void {
    const { link } = this;
    if (link === undefined) return;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (first.at < 0) {
        if (this.#spent >= this.#granted) return;
        this.#spent += costOf(first.body.length);
        first.at = 0;
      }
      const total = headerBytes + first.body.length;
      while (first.at < total) {
        if (link.backlog >= backlogBytes) return;
        const piece = pieceOf(first.head, first.body, first.at, link.copies ? scratch : undefined);
        first.at += piece.length - 1;
        this.#options.onSent(link.kind, piece.length);
        link.send(piece);
        // A link may find in sending that it is closed.
        if (this.link !== link) return;
      }
      this.#waiting.shift();
      first.done();
    }
  }
}
