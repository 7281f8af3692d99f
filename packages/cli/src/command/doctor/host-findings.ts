/** `equitopo doctor --hosts`: every peer of a hosts file, tried as a worker would, and the secrets that lie here. */

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Address, TlsFiles } from "@equitopo/node";
import { InputError } from "equitopo";
import { readHosts, showAddress } from "../../peers/hosts.ts";
import { hostFiles, peerName, readKey, readTls } from "../../peers/secrets.ts";
import { type Reached, reach } from "./reach.ts";

export interface HostsOptions {
  readonly tls?: string;
  readonly key?: string;
  readonly rank?: number;
}

export interface Finding extends Reached {
  readonly what: string;
}

/** `spec` is the hash of what the peers should agree on, where it is known. */
export async function hostFindings(path: string, options: HostsOptions, spec: Uint8Array | undefined) {
  const addresses = readHosts(path);
  const from = askingAs(addresses, options);
  const { key, tls, findings } = secretsOf(addresses, from, options);
  const reached = addresses.map(async (address, peer): Promise<Finding> => {
    // A peer does not talk to itself: without a name to show it is asked as its neighbour.
    const asked = tls === undefined && peer === from ? (peer + 1) % addresses.length : from;
    const hello = findings.every(({ ok }) => ok) ? spec : undefined;
    const found = await reach({ address, peer, from: asked, size: addresses.length, spec: hello, key, tls });
    return { what: `peer ${peer} at ${showAddress(address)}`, ...found };
  });
  return [...findings, ...(await Promise.all(reached))];
}

/** The secrets as a worker would read them; where it would refuse them, that is a finding, and hosts are tried without. */
function secretsOf(addresses: readonly Address[], from: number, options: HostsOptions) {
  const findings = secretFindings(options);
  let key: Uint8Array | undefined;
  let tls: TlsFiles | undefined;
  try {
    key = options.key === undefined ? undefined : readKey(options.key);
    tls = options.tls === undefined ? undefined : readTls(options.tls, addresses, from);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (findings.every(({ ok }) => ok)) findings.push({ what: "secrets", ok: false, detail: error.message });
  }
  return { key, tls, findings };
}

/** The peer that this host can pass for: with certificates, one whose own lies here. */
function askingAs(addresses: readonly Address[], { tls, rank }: HostsOptions): number {
  if (rank !== undefined) {
    if (rank < addresses.length) return rank;
    throw new InputError(`rank must be from 0 to ${addresses.length - 1}`, rank, "peers count from 0");
  }
  if (tls === undefined) return 0;
  const lies = (name: string) => existsSync(join(tls, `${name}.key`));
  const found = addresses.findIndex(({ host }, peer) => lies(peerName(peer)) || lies(hostFiles(host)));
  return Math.max(0, found);
}

/** Keys that others on this machine could read. */
export function secretFindings({ tls, key }: HostsOptions): Finding[] {
  const inFolder = tls && existsSync(tls) ? readdirSync(tls).filter((name) => name.endsWith(".key")) : [];
  const files = [...(key && existsSync(key) ? [key] : []), ...inFolder.map((name) => join(tls as string, name))];
  return files.map((path) => {
    const mode = statSync(path).mode & 0o777;
    const what = `secret ${path}`;
    if ((mode & 0o077) === 0) return { what, ok: true, detail: "only its owner can read it" };
    const detail = `others can read or change it (mode ${mode.toString(8).padStart(3, "0")})`;
    return { what, ok: false, detail, remedy: `chmod 600 ${path}` };
  });
}
