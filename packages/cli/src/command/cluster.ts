/** `equitopo cluster init`: what peers on several machines need to find and to trust each other. */

import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, createAuthority, createCertificate } from "@equitopo/node";
import type { Command } from "commander";
import { InputError } from "equitopo";
import { integerOption } from "../arguments.ts";
import { print, printJson } from "../output.ts";
import { defaultPort, parseAddress, showAddress } from "../peers/hosts.ts";
import type { CommonOptions } from "../session.ts";

interface Options extends CommonOptions {
  readonly out: string;
  readonly peers?: number;
  readonly key?: true;
  readonly days: number;
}

export function define(command: Command): void {
  command
    .argument("<action>", "init")
    .argument("<hosts...>", "names or addresses of the machines, each with a port if you like")
    .requiredOption("--out <DIR>", "a new folder for hosts.txt and the secrets")
    .option(
      "--peers <N>",
      "peers in all, spread evenly over the hosts (default: one each)",
      integerOption("peers", 1, 17),
    )
    .option("--key", "a pre-shared key in place of an authority and certificates")
    .option("--days <D>", "how long certificates are valid", integerOption("days", 1, 365), 365)
    .addHelpText(
      "after",
      `
Writes hosts.txt (one host:port a line, peer 0 first) and either
  ca.pem, ca.key, and HOST.pem, HOST.key for every host: mutual TLS. Copy to each host hosts.txt, ca.pem and its own two
  files; keep ca.key where no peer is; or
  key: one secret that all peers share; traffic is authenticated and encrypted with it.

Examples:
  equitopo cluster init node-0 node-1 node-2 --out cluster
  equitopo cluster init 10.0.0.1 10.0.0.2 --peers 17 --out cluster --key
  equitopo worker spec.yaml --rank 0 --hosts cluster/hosts.txt --tls cluster
`,
    )
    .action(async (action: string, names: readonly string[], options: Options) => {
      if (action !== "init")
        throw new InputError("cluster knows one action, init", action, "try equitopo cluster init");
      const addresses = spread(names, options.peers ?? names.length);
      makeFolder(options.out);
      const files = ["hosts.txt", ...(options.key ? writeKey(options.out) : writeCertificates(options, addresses))];
      write(options.out, "hosts.txt", addresses.map((address) => `${showAddress(address)}\n`).join(""));
      if (options.json) await printJson({ out: options.out, peers: addresses.map(showAddress), files });
      else {
        const how = options.key ? `--key ${join(options.out, "key")}` : `--tls ${options.out}`;
        await print([
          `${addresses.length} peers on ${names.length} hosts; written to ${options.out}: ${files.join(", ")}\n` +
            `then, for each R: equitopo worker spec.yaml --rank R --hosts ${join(options.out, "hosts.txt")} ${how}\n`,
        ]);
      }
    });
}

/** Peer r on host r mod H; the peers of one host have ports one after the other. */
function spread(names: readonly string[], peers: number): Address[] {
  const hosts = names.map((name) => parseAddress(name, "hosts", defaultPort));
  if (new Set(hosts.map(showAddress)).size < hosts.length) {
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

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (readdirSync(path).length > 0)
      throw new InputError("--out must be a new or empty folder", path, "choose another");
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `--out must be a folder that can be made (${(error as NodeJS.ErrnoException).code})`,
      path,
      "",
    );
  }
}

function write(folder: string, name: string, text: string, secret = false): string {
  writeFileSync(join(folder, name), text, { mode: secret ? 0o600 : 0o644 });
  return name;
}

function writeKey(folder: string): string[] {
  return [write(folder, "key", `${randomBytes(32).toString("hex")}\n`, true)];
}

function writeCertificates({ out, days }: Options, addresses: readonly Address[]): string[] {
  const name = "equitopo cluster";
  // An hour back, for clocks that disagree a little.
  const from = new Date(Date.now() - 3_600_000);
  const authority = createAuthority({ name, from, days });
  const files = [write(out, "ca.pem", authority.cert), write(out, "ca.key", authority.key, true)];
  for (const host of new Set(addresses.map((address) => address.host))) {
    const { cert, key } = createCertificate(authority, name, { name: host, hosts: [host], from, days });
    const base = host.replaceAll(":", "_");
    files.push(write(out, `${base}.pem`, cert), write(out, `${base}.key`, key, true));
  }
  return files;
}
