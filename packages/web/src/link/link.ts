/**
 * A link: one ordered way to one peer and back, over whatever carries messages between the two: a data channel, a
 * WebSocket, a relay, a port between two workers. It knows nothing of rounds; lane/link-lane.ts makes the lane of them.
 */

/** The most that a link is given in one message. None gains from more, and data channels refuse more than 262,144. */
export const pieceBytes = 65_536;

/** Nothing more is given to a link whose backlog is this long: a data channel throws at 16 MiB. */
export const backlogBytes = 2 ** 20;

/** Milliseconds that a link has to open: WebRTC itself gives up after 15 s, or never. */
export const openTimeout = 5000;

/** What carries a link: counted and shown, since a relay has a server in the round and the others have not. */
export type LinkKind = "rtc" | "websocket" | "relay" | "port";

export interface Link {
  readonly kind: LinkKind;
  /** Whether a message has been copied when send() returns. Else its memory is the link's from then on. Default false. */
  readonly copies?: boolean;
  /** Puts one message on its way. */
  send(piece: Uint8Array<ArrayBuffer>): void;
  /** Bytes that were sent and have not left yet. */
  readonly backlog: number;
  /** The listener gets every message, in order, and the end, once, however it came. Without a listener messages wait. */
  listen(listener: LinkListener | undefined): void;
  /** Ends it; the other side hears of it where that is possible. */
  close(): void;
}

export interface LinkListener {
  message(bytes: Uint8Array<ArrayBuffer>): void;
  /** The backlog has gone down: more may be sent. */
  drained(): void;
  closed(): void;
}

/** A link that was not taken, with the word that it is counted by. */
export class LinkRefused extends Error {
  /** unconnected, handshake (no answer in time), closed, or what is wrong with the hello or the proof. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the link was refused: ${reason}`);
    this.name = "LinkRefused";
    this.reason = reason;
  }
}
