/** Servers that listen: where, and how long a stranger may hold a connection without a word. */

import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type net from "node:net";
import { isLoopbackHost } from "@equitopo/web/internal";
import { InputError } from "equitopo";
import type { Address, ServerTls } from "./address.ts";

/** Whether an address is this very machine. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host.replace(/^::ffff:/, ""));
}

/** A host as URLs write it: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The WebSocket URL of an address. */
export function urlOf({ host, port }: Address, secure: boolean): string {
  return `${secure ? "wss" : "ws"}://${hostInUrl(host)}:${port}/`;
}

/** What the codes of systems mean. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user may not",
  ENOTFOUND: "there is no host of that name",
};

/** Listens; where the system does not allow it, the error names the address and the reason, as one about input. */
export async function listening(
  server: net.Server,
  { host, port }: Address,
  rule = "a peer must be able to listen at its address",
  remedy = "free the port, or listen at another (a worker's --listen)",
): Promise<void> {
  await once(server.listen({ host, port }), "listening").catch(({ code }: NodeJS.ErrnoException) => {
    throw new InputError(`${rule} (${reasons[code ?? ""] ?? code})`, `${host}:${port}`, remedy);
  });
}

/** Milliseconds that a stranger has to say who it is. */
export const joinTime = 5000;

/**
 * A server for HTTP and WebSockets that ends connections on which nothing is asked, before TLS and after: servers of Node
 * allow a minute, and two for TLS.
 */
export function impatientServer(tls: ServerTls | undefined, answer: http.RequestListener): http.Server | https.Server {
  const deadlines = { headersTimeout: joinTime, requestTimeout: joinTime, connectionsCheckingInterval: 1000 };
  if (tls === undefined) return http.createServer(deadlines, answer);
  return https.createServer({ ...(tls as https.ServerOptions), ...deadlines, handshakeTimeout: joinTime }, answer);
}

/** Ends a server together with all its connections, so that no stranger keeps this program from ending. */
export async function closeServer(server: http.Server | https.Server): Promise<void> {
  server.closeAllConnections();
  await once(server.close(), "close");
}
