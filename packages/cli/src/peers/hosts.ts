/** Where the peers are: a file with one "host:port" a line, peer 0 first; # begins a remark. */

import { statSync } from "node:fs";
import type { Address } from "@equitopo/node";
import { InputError } from "equitopo";
import { readNamed } from "../input/file.ts";

export const defaultPort = 7117;

export function readHosts(path: string): Address[] {
  const text = readNamed(path, "the hosts file must be readable", "make one with equitopo cluster init").toString();
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim());
  const hosts = lines.flatMap((line, k) => (line === "" ? [] : [parseAddress(line, `${path}:${k + 1}`)]));
  if (hosts.length === 0) throw new InputError("a hosts file names at least one host", path, "one host:port a line");
  return hosts;
}

/**
 * The hosts of a file that may be written anew while peers run, because one has moved: `refresh` reads it again where it
 * has changed. What cannot be read, or names another number of peers, is left for the next time.
 */
export function hostsFile(path: string): { readonly addresses: readonly Address[]; readonly refresh: () => void } {
  const addresses = readHosts(path);
  let seen = stampOf(path);
  const refresh = () => {
    const stamp = stampOf(path);
    if (stamp === seen) return;
    try {
      const found = readHosts(path);
      if (found.length === addresses.length) addresses.splice(0, found.length, ...found);
      seen = stamp;
    } catch (error) {
      // Half of it may have been written so far.
      if (!(error instanceof InputError)) throw error;
    }
  };
  return { addresses, refresh };
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

/** host, host:port or [IPv6]:port. A name is letters, digits, dots, hyphens and underscores, never a path. */
export function parseAddress(text: string, where: string, port = defaultPort): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|(\w(?:[\w-]|\.(?!\.))*))(?::(\d{1,5}))?$/.exec(text);
  const number = match?.[3] === undefined ? port : Number(match[3]);
  if (match === null || number < 1 || number > 65535) {
    throw new InputError(`${where}: a host is name:port or [IPv6 address]:port`, text, `try node-0:${defaultPort}`);
  }
  return { host: match[1] ?? match[2], port: number };
}

export function showAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
