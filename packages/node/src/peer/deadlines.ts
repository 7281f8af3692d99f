/**
 * How long a stranger may hold a connection without a word: servers of Node give it a minute, and two for TLS. Shared by
 * all that listens here for HTTP and WebSockets.
 */

import http from "node:http";
import https from "node:https";

/** Milliseconds to say who one is. */
export const joinTime = 5000;

const deadlines = { headersTimeout: joinTime, requestTimeout: joinTime, connectionsCheckingInterval: 1000 };

/** A server that ends connections on which nothing is asked, before TLS and after. */
export function impatientServer(
  tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined,
  answer: http.RequestListener,
): http.Server | https.Server {
  if (tls === undefined) return http.createServer(deadlines, answer);
  return https.createServer({ ...tls, ...deadlines, handshakeTimeout: joinTime }, answer);
}
