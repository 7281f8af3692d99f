/**
 * TLS between peers: version 1.3, a certificate of the one private CA at both ends, and the name in it. Addresses are not
 * checked: hosts may be bare addresses, and a peer may come back at another. A new connection to a peer resumes the session
 * of the one before, at about half of the cost: the session vouches for the certificate that was shown when it began.
 */

import type { OnReadOpts } from "node:net";
import tls from "node:tls";
import type { TlsFiles } from "../server/address.ts";

/** What Node is given of them: it takes bytes of any kind, its types name only its own. */
function pemOf({ ca, cert, key }: TlsFiles): tls.SecureContextOptions {
  return { ca, cert, key } as tls.SecureContextOptions;
}

/** Made from the files once, and used for all connections that are dialled. */
export function contextOf(files: TlsFiles): tls.SecureContext {
  return tls.createSecureContext({ ...pemOf(files), minVersion: "TLSv1.3" });
}

/** A server that hands over connections whether or not their certificate is valid: ask `certificateFits`. */
export function secureServer(files: TlsFiles): tls.Server {
  return tls.createServer({
    ...{ ...pemOf(files), minVersion: "TLSv1.3", requestCert: true, noDelay: true },
    // certificateFits refuses them instead, and gives the reason; so does the door's deadline.
    rejectUnauthorized: false,
  });
}

/** Whether the certificate at the other end is of the authority, and in the name of that peer. */
export function certificateFits(socket: tls.TLSSocket, { nameOf }: TlsFiles, rank: number): boolean {
  if (!socket.authorized) return false;
  return nameOf === undefined || socket.getPeerCertificate().subject?.CN === nameOf(rank);
}

export type SecureDialler = ReturnType<typeof secureDialler>;

/** Dials one peer, any number of times, and keeps its session from the last time that its certificate fitted. */
export function secureDialler(files: TlsFiles, secureContext: tls.SecureContext, peer: number) {
  let kept: { readonly name: string | undefined; readonly session: Buffer } | undefined;
  return {
    dial({ host, port }: { readonly host: string; readonly port: number }, onread: OnReadOpts): tls.TLSSocket {
      const name = files.nameOf?.(peer);
      const known = kept?.name === name ? kept : undefined;
      kept = undefined;
      const socket = tls.connect({
        ...{ host, port, onread, secureContext },
        // The CA and nameOf decide who the other side is.
        checkServerIdentity: () => undefined,
        ...(known === undefined ? {} : { session: known.session }),
      });
      // Sessions come after the handshake; one of a peer that did not fit is on a socket that is destroyed by then.
      socket.on("session", (session) => {
        if (!socket.destroyed) kept = { name, session };
      });
      return socket;
    },

    /** A session that is taken up again was made with a certificate that fitted, and Node does not show it once more. */
    fits: (socket: tls.TLSSocket) =>
      socket.isSessionReused() ? socket.authorized : certificateFits(socket, files, peer),
  };
}
