/**
 * A link: one ordered way to one peer and back, over whatever carries messages between the two: a data channel, a
 * WebSocket, a relay, a port between two workers. It knows nothing of rounds; link-lane.ts makes the lane of them.
 */

export interface Link {
  /** What carries it: counted and shown, since a relay has a server in the round and the others have not. */
  readonly kind: "rtc" | "websocket" | "relay" | "port";
  /** Puts one message on its way, at most `pieceBytes` long; copied or sent before the call returns. */
  send(piece: Uint8Array<ArrayBuffer>): void;
  /** Bytes that were sent and have not left yet. */
  readonly backlog: number;
  /** Told of every message, in order, and of the end, once, however it came. Set before anything is sent. */
  listen(listener: LinkListener): void;
  /** Ends it; the other side is told where that is possible. */
  close(): void;
}

export interface LinkListener {
  message(bytes: Uint8Array<ArrayBuffer>): void;
  /** The backlog has gone down: more may be sent. */
  drained(): void;
  closed(): void;
}
