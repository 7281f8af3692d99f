/**
 * Where browsers reach a Node peer: a WebSocket listener, through TLS, or on this machine only. Whoever connects has one
 * introduction to show that it belongs to the network (@equitopo/web's introduce.ts); the key decides, not where a page
 * came from. The proofs are bound to the address that was dialled, and that must be one of this peer's own.
 */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type DialOptions,
  dialSocket,
  type Introduced,
  introduce,
  type Link,
  LinkRefused,
  openSocket,
  pieceBytes,
  type Socket,
} from "@equitopo/web";
import { InputError } from "equitopo";
import { WebSocket, WebSocketServer } from "ws";
import { impatientServer } from "./deadlines.ts";
import { type Address, isLoopback } from "./inlet.ts";
import { listening } from "./listening.ts";

export interface LinkServerOptions {
  readonly listen: Address;
  /** PEM: a certificate that browsers trust, and its key. Without them only loopback addresses are listened at. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
  /** Names, with ports, under which it is dialled, besides the address at which it listens: "peer.example.org:8443". */
  readonly hosts?: readonly string[];
  readonly rank: number;
  readonly size: number;
  /** specHash of the text that all peers agree on. */
  readonly spec: Uint8Array;
  readonly key: Uint8Array;
  /** Milliseconds for an introduction. Default 5 s. */
  readonly timeout?: number;
  readonly onLink: (peer: number, link: Link) => void;
  /** Told why somebody was refused. */
  readonly onRefused?: (reason: string) => void;
}

/** How a socket is made so that nothing is compressed and nothing longer than a piece is read. */
const settings = { perMessageDeflate: false, maxPayload: pieceBytes } as const;

export class LinkServer {
  readonly #options: LinkServerOptions;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  /** Those that have not been introduced. */
  #strangers = 0;

  /** Listens from the time that the promise is settled. */
  static async listen(options: LinkServerOptions): Promise<LinkServer> {
    const { listen, tls } = options;
    if (tls === undefined && !isLoopback(listen.host)) {
      throw new InputError(
        "a WebSocket goes through TLS, or stays on this machine",
        listen.host,
        "give a certificate that browsers trust, or listen at 127.0.0.1",
      );
    }
    const server = new LinkServer(options);
    await listening(server.#http, listen);
    server.#http.on("error", () => options.onRefused?.("listen"));
    return server;
  }

  private constructor(options: LinkServerOptions) {
    this.#options = options;
    // Nothing is served here but links.
    this.#http = impatientServer(options.tls, (_, response) => response.writeHead(426).end());
    this.#http.maxConnections = 4 * options.size + 64;
    this.#sockets = new WebSocketServer({ ...settings, server: this.#http });
    this.#sockets.on("error", () => {});
    this.#sockets.on("connection", (socket, { headers }) => void this.#greet(socket, headers.host ?? ""));
  }

  /** The port it listens at. */
  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** The URL that was dialled, where it is one of this peer's: who was sent elsewhere first comes with another name. */
  #dialled(host: string): string | undefined {
    const { listen, tls, hosts = [] } = this.#options;
    const scheme = tls === undefined ? "ws" : "wss";
    const spelled = (name: string): string | undefined =>
      URL.canParse(`${scheme}://${name}`) ? new URL(`${scheme}://${name}`).host : undefined;
    const bracketed = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
    const local = isLoopback(listen.host) ? ["localhost", "127.0.0.1", "[::1]"] : [];
    const own = [bracketed, ...local].map((name) => `${name}:${this.port}`);
    const meant = spelled(host);
    return meant !== undefined && [...own, ...hosts].some((name) => spelled(name) === meant)
      ? `${scheme}://${meant}`
      : undefined;
  }

  async #greet(socket: WebSocket, host: string): Promise<void> {
    const { rank, size, spec, key, timeout = 5000, onLink, onRefused = () => {} } = this.#options;
    const address = this.#dialled(host);
    if (address === undefined || this.#strangers >= 2 * size + 32) {
      socket.terminate();
      onRefused(address === undefined ? "address" : "crowd");
      return;
    }
    this.#strangers++;
    try {
      const link = await openSocket(socket as Socket);
      const own = { mode: "socket", role: "listener", rank, size, spec, key, address } as const;
      const known = await introduce(link, { ...own, timeout });
      onLink(known.peer, known.link);
    } catch (error) {
      if (!(error instanceof LinkRefused)) throw error;
      onRefused(error.reason);
    } finally {
      this.#strangers--;
    }
  }

  /** Stops listening and ends all that was accepted. */
  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    // Strangers that have not said a word, too: nobody else's connection keeps this peer from ending.
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
    });
  }
}

/** Dials as a browser would, with the package `ws`; `ca` is trusted besides the system's authorities. */
export function dialLink(
  address: string,
  { ca, ...options }: Omit<DialOptions, "socket"> & { readonly ca?: string | Buffer },
): Promise<Introduced> {
  const more = ca === undefined ? settings : { ...settings, ca };
  return dialSocket(address, { ...options, socket: (url) => new WebSocket(url, more) as Socket });
}
