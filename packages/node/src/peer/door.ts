/**
 * Strangers: connections that have not shown who they are. Each has an absolute deadline, counted from the moment that it
 * was accepted, before TLS has said a word; a trickle of bytes does not prolong it. There are never more than `limit`: one
 * more sends away the oldest stranger of the address that has most of them, so that a crowd of silent connections
 * cannot keep a peer out, and a crowd from one address costs that address only.
 */

import type { Socket } from "node:net";

export interface DoorOptions {
  readonly limit: number;
  /** Milliseconds to show who one is. */
  readonly patience: number;
  readonly onRefused: (reason: string, address: string) => void;
}

interface Stranger {
  readonly socket: Socket;
  readonly address: string;
  readonly timer: NodeJS.Timeout;
}

export class Door {
  readonly #options: DoorOptions;
  /** By address and port, the oldest first: TLS has a socket of its own over the one that was accepted. */
  readonly #strangers = new Map<string, Stranger>();
  /** All that was accepted and is not closed, strangers or not. */
  readonly #accepted = new Set<Socket>();

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** A connection has been accepted. */
  enter(socket: Socket): void {
    const { limit, patience } = this.#options;
    const [key, address] = [nameOf(socket), addressOf(socket)];
    socket.on("error", () => {});
    this.#accepted.add(socket);
    const timer = setTimeout(() => this.#refuse(key, "handshake"), patience);
    socket.once("close", () => {
      this.#accepted.delete(socket);
      if (this.#strangers.get(key)?.socket === socket) this.#forget(key);
    });
    this.#strangers.set(key, { socket, address, timer });
    if (this.#strangers.size > limit) this.#refuse(this.#oldestOfTheMost(), "crowd");
  }

  /** This one, or the one under its TLS, has shown who it is. False where it is gone, or was sent away. */
  admit(socket: Socket): boolean {
    return this.#forget(nameOf(socket));
  }

  /** Ends everything that came in, so that nobody else's connection keeps this program from ending. */
  close(): void {
    for (const key of [...this.#strangers.keys()]) this.#forget(key);
    for (const socket of this.#accepted) socket.destroy();
  }

  #forget(key: string): boolean {
    const stranger = this.#strangers.get(key);
    if (stranger === undefined) return false;
    clearTimeout(stranger.timer);
    return this.#strangers.delete(key);
  }

  #refuse(key: string, reason: string): void {
    const stranger = this.#strangers.get(key);
    if (stranger === undefined) return;
    this.#forget(key);
    this.#options.onRefused(reason, stranger.address);
    stranger.socket.destroy();
  }

  #oldestOfTheMost(): string {
    const counts = new Map<string, number>();
    for (const { address } of this.#strangers.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const [key, { address }] of this.#strangers) if (counts.get(address) === most) return key;
    return "";
  }
}

function nameOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

/** Where it comes from, as far as that can still be told. */
export function addressOf(socket: Socket): string {
  return socket.remoteAddress ?? "a connection";
}
