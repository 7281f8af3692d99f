/**
 * Where browsers reach a Node peer: a WebSocket listener, through TLS, or on this machine only. A client has one
 * introduction to prove that it belongs to the network (@equitopo/web's introduce.ts); the key decides, not the origin of
 * the page. The proofs are bound to the address that was dialled, which must be one of this peer's own.
 */

import type { AddressInfo } from "node:net";
import {
  checkAddress,
  type DialOptions,
  dialSocket,
  type Introduced,
  type IntroduceOptions,
  introduce,
  type Link,
  LinkRefused,
  openSocket,
  pieceBytes,
  type Socket,
} from "@equitopo/web/internal";
import { type ClientOptions, WebSocket, WebSocketServer } from "ws";
import type { Address, Pem, ServerTls } from "./address.ts";
import { closeServer, hostInUrl, impatientServer, isLoopback, listening, urlOf } from "./listen.ts";

export interface LinkServerOptions extends Pick<IntroduceOptions, "rank" | "size" | "spec" | "timeout"> {
  readonly listen: Address;
  /** Without them only loopback addresses are listened at. */
  readonly tls?: ServerTls;
  /** Names, with ports, under which it is dialled, besides the address at which it listens: "peer.example.org:8443". */
  readonly hosts?: readonly string[];
  readonly key: Uint8Array;
  readonly onLink: (peer: number, link: Link) => void;
  /** Called with the reason when a connection is refused. */
  readonly onRefused?: (reason: string) => void;
}

/** How a socket is made so that nothing is compressed and nothing longer than a piece is read. */
const settings = { perMessageDeflate: false, maxPayload: pieceBytes } as const;

export type LinkServer = Awaited<ReturnType<typeof listenForLinks>>;

export const LinkServer = { listen: listenForLinks };

/** Listens from the time that the promise is settled. */
async function listenForLinks(options: LinkServerOptions) {
  const { listen, tls, hosts = [], rank, size, spec, key, timeout, onLink, onRefused = () => {} } = options;
  checkAddress(urlOf(listen, tls !== undefined));
  // Nothing is served here but links.
  const http = impatientServer(tls, (_, response) => response.writeHead(426).end());
  http.maxConnections = 4 * size + 64;
  const sockets = new WebSocketServer({ ...settings, server: http });
  /** How many connections have not been introduced yet. */
  let strangers = 0;
  sockets.on("error", () => {});
  sockets.on("connection", (socket, { headers }) => void greet(socket, headers.host ?? ""));
  await listening(http, listen);
  http.on("error", () => onRefused("listen"));
  const { port } = http.address() as AddressInfo;

  /** The URL that was dialled, if it is one of this peer's; a connection redirected from elsewhere shows another name. */
  function dialled(host: string): string | undefined {
    const scheme = tls === undefined ? "ws" : "wss";
    const spelled = (name: string): string | undefined =>
      URL.canParse(`${scheme}://${name}`) ? new URL(`${scheme}://${name}`).host : undefined;
    const local = isLoopback(listen.host) ? ["localhost", "127.0.0.1", "[::1]"] : [];
    const own = [hostInUrl(listen.host), ...local].map((name) => `${name}:${port}`);
    const meant = spelled(host);
    return meant !== undefined && [...own, ...hosts].some((name) => spelled(name) === meant)
      ? `${scheme}://${meant}`
      : undefined;
  }

  async function greet(socket: WebSocket, host: string): Promise<void> {
    const address = dialled(host);
    if (address === undefined || strangers >= 2 * size + 32) {
      socket.terminate();
      onRefused(address === undefined ? "address" : "crowd");
      return;
    }
    strangers++;
    try {
      const link = await openSocket(socket as Socket);
      const own = { mode: "socket", role: "listener", rank, size, spec, key, address } as const;
      const known = await introduce(link, { ...own, ...(timeout === undefined ? {} : { timeout }) });
      onLink(known.peer, known.link);
    } catch (error) {
      if (!(error instanceof LinkRefused)) throw error;
      onRefused(error.reason);
    } finally {
      strangers--;
    }
  }

  return {
    /** The port it listens at. */
    port,

    /** Where browsers dial it, by the address that it listens at. */
    url: urlOf({ host: listen.host, port }, tls !== undefined),

    /** Stops listening and ends all that was accepted. */
    async close(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await closeServer(http);
    },
  };
}

/** Dials as a browser would, with the package `ws`; `ca` is trusted besides the system's authorities. */
export function dialLink(
  address: string,
  { ca, ...options }: Omit<DialOptions, "socket"> & { readonly ca?: Pem },
): Promise<Introduced> {
  const more = ca === undefined ? settings : ({ ...settings, ca } as ClientOptions);
  return dialSocket(address, { ...options, socket: (url) => new WebSocket(url, more) as Socket });
}
