/** `equitopo doctor --hosts`: every peer of a hosts file, tried as a worker would, and the secrets that lie here. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "@equitopo/node";
import { expandSpec, InputError } from "equitopo";
import { specText } from "equitopo/peer";
import { contextOf } from "../run/context.ts";
import { readSpecFile } from "../spec-file.ts";
import { readHosts, showAddress } from "./hosts.ts";
import { type Reached, reach } from "./reach.ts";
import { readKey, readTls } from "./secrets.ts";
import "../problems.ts";

export interface HostsOptions {
  readonly spec?: string;
  readonly audit?: number;
  readonly tls?: string;
  readonly key?: string;
  readonly rank?: number;
}

export interface HostFinding extends Reached {
  readonly what: string;
}

export async function hostFindings(path: string, options: HostsOptions): Promise<HostFinding[]> {
  const addresses = readHosts(path);
  const from = askingAs(addresses, options);
  const spec = options.spec === undefined ? undefined : await specHash(options.spec, options.audit);
  const key = options.key === undefined ? undefined : readKey(options.key);
  const tls = options.tls === undefined ? undefined : readTls(options.tls, addresses, from);
  const reached = addresses.map(async (address, peer): Promise<HostFinding> => {
    // A peer does not talk to itself: with a single name it is asked as its neighbour.
    const asked = tls === undefined && peer === from ? (peer + 1) % addresses.length : from;
    const found = await reach({ address, peer, from: asked, size: addresses.length, spec, key, tls });
    return { what: `peer ${peer} at ${showAddress(address)}`, ...found };
  });
  return [...secretFindings(options), ...(await Promise.all(reached))];
}

/** The peer that this host can pass for: with certificates, one whose own lies here. */
function askingAs(addresses: readonly Address[], { tls, rank }: HostsOptions): number {
  if (rank !== undefined) {
    if (rank < addresses.length) return rank;
    throw new InputError(`rank must be from 0 to ${addresses.length - 1}`, rank, "peers count from 0");
  }
  if (tls === undefined) return 0;
  const found = addresses.findIndex(({ host }) => existsSync(join(tls, `${host.replaceAll(":", "_")}.key`)));
  return Math.max(0, found);
}

/** What all peers of that spec agree on. */
async function specHash(path: string, audit: number | undefined): Promise<Uint8Array> {
  const runs = expandSpec(await readSpecFile(path), contextOf({}));
  return createHash("sha256").update(specText({ runs, audit })).digest();
}

/** Keys that others on this machine could read. */
export function secretFindings({ tls, key }: HostsOptions): HostFinding[] {
  const inFolder = tls === undefined ? [] : readdirSync(tls).filter((name) => name.endsWith(".key"));
  const files = [...(key === undefined ? [] : [key]), ...inFolder.map((name) => join(tls as string, name))];
  return files.map((path) => {
    const mode = statSync(path).mode & 0o777;
    const what = `secret ${path}`;
    if ((mode & 0o077) === 0) return { what, ok: true, detail: "only its owner can read it" };
    const detail = `others can read or change it (mode ${mode.toString(8).padStart(3, "0")})`;
    return { what, ok: false, detail, remedy: `chmod 600 ${path}` };
  });
}
