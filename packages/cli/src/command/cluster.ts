/** `equitopo cluster init`: what peers on several machines need to find and to trust each other. */

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, createAuthority, createCertificate } from "@equitopo/node";
import { InputError } from "equitopo";
import { defaultPort, parseAddress, showAddress } from "../peers/hosts.ts";
import { hostFiles, peerName } from "../peers/secrets.ts";
import { printAnswer } from "../terminal/answer.ts";
import { type CommonOptions, type Given, on, preset, whole, word } from "../terminal/flags.ts";
import { untilInterrupted } from "../terminal/interrupt.ts";
import { makeEmptyFolder } from "../terminal/output.ts";

export const flags = {
  out: { ...word("<DIR>", "a new folder for hosts.txt and the secrets"), mandatory: true as const },
  peers: whole("<N>", "peers in all, spread evenly over the hosts (default: one each)", 1, 17),
  key: on("a pre-shared key in place of an authority and certificates"),
  perPeer: on("a certificate for each peer, which binds its number, in place of one for each host"),
  days: preset(365, whole("<D>", "how long certificates are valid", 1, 365)),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const words = {
  "<action>": "init",
  "<hosts...>": "names or addresses of the machines, each with a port if you like",
};

export const help = `
Writes hosts.txt (one host:port a line, peer 0 first) and either
  ca.pem, ca.key, and HOST.pem, HOST.key for every host: mutual TLS. Copy to each host hosts.txt, ca.pem and its own two
  files; keep ca.key where no peer is. Peers of one host share its certificate, so they can pose as each other; or
  ca.pem, ca.key, and peer-R.pem, peer-R.key for every peer R (--per-peer): nobody can pose as another, and a peer may
  come back on another host, with its two files; or
  key: one secret that all peers share (--key); traffic is authenticated and encrypted with it, and whoever has it can
  be any peer.
Key files are readable by their owner only, and refused by workers where they are not. A peer that moves needs a new line
in hosts.txt, which workers read again whenever they cannot reach somebody. equitopo guide threat-model says who can do what.

Examples:
  equitopo cluster init node-0 node-1 node-2 --out cluster
  equitopo cluster init node-0 node-1 --peers 17 --out cluster --per-peer
  equitopo cluster init 10.0.0.1 10.0.0.2 --peers 17 --out cluster --key
  equitopo worker spec.yaml --rank 0 --hosts cluster/hosts.txt --tls cluster
`;

export async function act(action: string, names: readonly string[], options: Options): Promise<void> {
  if (action !== "init") throw new InputError("cluster knows one action, init", action, "try equitopo cluster init");
  if (options.key && options.perPeer)
    throw new InputError("peers trust each other by a key or by certificates", "--key --per-peer", "choose one");
  const addresses = spread(names, options.peers ?? names.length);
  const key: ClusterFile = { name: "key", text: `${randomBytes(32).toString("hex")}\n`, secret: true };
  const secrets = options.key ? [key] : certificateFiles(options, holders(addresses, options.perPeer));
  const hosts = { name: "hosts.txt", text: addresses.map((address) => `${showAddress(address)}\n`).join("") };
  const files: ClusterFile[] = [hosts, ...secrets];
  makeEmptyFolder("--out", options.out, 0o700);
  // All there before the first is written, and a signal waits for the last: half of them would be of no use.
  await untilInterrupted(async () => {
    for (const { name, text, secret } of files) {
      writeFileSync(join(options.out, name), text, { mode: secret ? 0o600 : 0o644 });
    }
  }, "interrupted");
  const written = files.map(({ name }) => name);
  const how = options.key ? `--key ${join(options.out, "key")}` : `--tls ${options.out}`;
  const text = () => [
    `${counted(addresses.length, "peer")} on ${counted(names.length, "host")}; written to ${options.out}: ${written.join(", ")}\n`,
    `then, for each R: equitopo worker spec.yaml --rank R --hosts ${join(options.out, "hosts.txt")} ${how}\n`,
  ];
  await printAnswer({ out: options.out, peers: addresses.map(showAddress), files: written }, text, options);
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Peer r on host r mod H; the peers of one host have ports one after the other. */
function spread(names: readonly string[], peers: number): Address[] {
  const hosts = names.map((name) => parseAddress(name, "hosts", defaultPort));
  if (new Set(hosts.map((host) => showAddress(host).toLowerCase())).size < hosts.length) {
    throw new InputError("hosts are named once", names.join(" "), "use --peers for several peers on a host");
  }
  const used = new Set<string>();
  return Array.from({ length: peers }, (_, rank) => {
    const { host, port } = hosts[rank % hosts.length];
    let free = port;
    while (used.has(`${host} ${free}`)) free++;
    if (free > 65535) throw new InputError("ports go up to 65535", free, "begin with a lower port");
    used.add(`${host} ${free}`);
    return { host, port: free };
  });
}

/** One of the folder's files; nobody else may read a secret. */
interface ClusterFile {
  readonly name: string;
  readonly text: string;
  readonly secret?: true;
}

/** A host or peer that gets a certificate: the name in it, what its files are called, and the host it is for. */
interface Holder {
  readonly name: string;
  readonly file: string;
  readonly host: string;
}

function holders(addresses: readonly Address[], perPeer = false): Holder[] {
  if (perPeer) return addresses.map(({ host }, rank) => ({ name: peerName(rank), file: peerName(rank), host }));
  const hosts = [...new Set(addresses.map(({ host }) => host))];
  const all = hosts.map((host) => ({ name: host, file: hostFiles(host), host }));
  const called = new Map<string, string>();
  for (const { file, host } of all) {
    // Some file systems do not tell small letters from capitals.
    const other = called.get(file.toLowerCase());
    if (other !== undefined) {
      throw new InputError("the files of every host have a name of their own", `${other} ${host}`, "use --per-peer");
    }
    called.set(file.toLowerCase(), host);
  }
  return all;
}

function certificateFiles({ days }: Options, all: readonly Holder[]): ClusterFile[] {
  const authorityName = "equitopo cluster";
  // An hour back, for clocks that disagree a little.
  const from = new Date(Date.now() - 3_600_000);
  const authority = createAuthority({ name: authorityName, from, days });
  const pair = (file: string, { cert, key }: { readonly cert: string; readonly key: string }): ClusterFile[] => [
    { name: `${file}.pem`, text: cert },
    { name: `${file}.key`, text: key, secret: true },
  ];
  const each = all.flatMap(({ name, file, host }) =>
    pair(file, createCertificate(authority, authorityName, { name, hosts: [host], from, days })),
  );
  return [...pair("ca", authority), ...each];
}
