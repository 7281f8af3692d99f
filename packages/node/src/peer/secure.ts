/**
 * TLS between peers: version 1.3, a certificate of the one private CA at both ends, and the name in it. Addresses play no
 * part: hosts may be bare addresses, and a peer may come back at another. A session once made is taken up again where a
 * connection is made again, at about half of the cost: it stands for the certificate that was shown when it began.
 */

import type { OnReadOpts } from "node:net";
import tls from "node:tls";

export interface TlsFiles {
  /** PEM: the private CA that signed every peer's certificate, and this peer's own. */
  readonly ca: string | Buffer;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The name (CN) that a peer's certificate must carry; without it any certificate of the CA may be any peer. */
  readonly nameOf?: (rank: number) => string;
}

/** What is made of the files once, for all connections that are dialled. */
export function contextOf({ ca, cert, key }: TlsFiles): tls.SecureContext {
  return tls.createSecureContext({ ca, cert, key, minVersion: "TLSv1.3" });
}

/** A server that hands over connections whether or not their certificate is any good: ask `certificateFits`. */
export function secureServer({ ca, cert, key }: TlsFiles): tls.Server {
  return tls.createServer({
    ...{ ca, cert, key, minVersion: "TLSv1.3", requestCert: true, noDelay: true },
    // Refused by certificateFits instead, where the reason can be told; and by the door's deadline.
    rejectUnauthorized: false,
  });
}

/** Whether the certificate at the other end is of the authority, and in the name of that peer. */
export function certificateFits(socket: tls.TLSSocket, { nameOf }: TlsFiles, rank: number): boolean {
  if (!socket.authorized) return false;
  return nameOf === undefined || socket.getPeerCertificate().subject?.CN === nameOf(rank);
}

/** Dials one peer again and again, and keeps the session of the last time that its certificate did fit. */
export class SecureDialler {
  readonly #files: TlsFiles;
  readonly #context: tls.SecureContext;
  readonly #peer: number;
  #kept: { readonly name: string | undefined; readonly session: Buffer } | undefined;

  constructor(files: TlsFiles, context: tls.SecureContext, peer: number) {
    this.#files = files;
    this.#context = context;
    this.#peer = peer;
  }

  dial(address: { readonly host: string; readonly port: number }, onread: OnReadOpts): tls.TLSSocket {
    const name = this.#files.nameOf?.(this.#peer);
    const kept = this.#kept?.name === name ? this.#kept : undefined;
    this.#kept = undefined;
    const socket = tls.connect({
      ...{ host: address.host, port: address.port, onread, secureContext: this.#context },
      // Who the other side is, is settled by the CA and nameOf.
      checkServerIdentity: () => undefined,
      ...(kept === undefined ? {} : { session: kept.session }),
    });
    // Sessions come after the handshake; one of a peer that did not fit is on a socket that is destroyed by then.
    socket.on("session", (session) => {
      if (!socket.destroyed) this.#kept = { name, session };
    });
    return socket;
  }

  /** A session that is taken up again was made with a certificate that fitted, and Node does not show it once more. */
  fits(socket: tls.TLSSocket): boolean {
    return socket.isSessionReused() ? socket.authorized : certificateFits(socket, this.#files, this.#peer);
  }
}
