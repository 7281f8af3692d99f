/**
 * The files by which peers trust each other (equitopo cluster init): one key for all, or an authority with a TLS
 * certificate for each host or each peer. A secret that others on the machine can read is refused.
 */

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Address, TlsFiles } from "@equitopo/node";
import { InputError } from "equitopo";
import { readNamed } from "../input/file.ts";

/** The name in a peer's own certificate, and in the names of its files. */
export function peerName(rank: number): string {
  return `peer-${rank}`;
}

/** What the files of a host's certificate are called: never a path, nor what other files are called. */
export function hostFiles(host: string): string {
  if (/^(ca|peer-\d+)$/i.test(host)) {
    throw new InputError(
      "no host may be called as the authority's or a peer's files are",
      host,
      "name it by its address, or use certificates for peers (--per-peer)",
    );
  }
  return host.replaceAll(":", "_");
}

const read = (path: string, what: string): Buffer =>
  readNamed(path, `${what} must be readable`, "make it with equitopo cluster init");

function readSecret(path: string, what: string): Buffer {
  const bytes = read(path, what);
  const mode = statSync(path).mode & 0o777;
  // Windows has no such bits.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new InputError(
      `${what} must be its owner's alone`,
      `mode ${mode.toString(8)} of ${path}`,
      `run chmod 600 ${path}`,
    );
  }
  return bytes;
}

/** A host's certificate and its key, for a server that browsers talk to: they may be those of other servers here. */
export const readPair = (folder: string, host: string) => ({
  cert: read(join(folder, `${hostFiles(host)}.pem`), "the host's certificate"),
  key: read(join(folder, `${hostFiles(host)}.key`), "the host's key"),
});

export const readAuthority = (folder: string) => read(join(folder, "ca.pem"), "the authority's certificate");

/** The key is text: all but the line end counts. */
export function readKey(path: string): Uint8Array {
  return new Uint8Array(Buffer.from(readSecret(path, "the key").toString("latin1").trim(), "latin1"));
}

/** A peer's own certificate where there is one, else its host's. Names follow the addresses as they change. */
export function readTls(folder: string, addresses: readonly Address[], rank: number): TlsFiles {
  const own = existsSync(join(folder, `${peerName(rank)}.pem`));
  const [name, whose] = own ? [peerName(rank), "this peer's"] : [hostFiles(addresses[rank].host), "this host's"];
  return {
    ca: readAuthority(folder),
    cert: read(join(folder, `${name}.pem`), `${whose} certificate`),
    key: readSecret(join(folder, `${name}.key`), `${whose} key`),
    nameOf: own ? peerName : (peer) => addresses[peer].host,
  };
}
