/** A worker's way into the network: MPI where mpirun started it, else TCP with what it was told of hosts and secrets. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, type HostOptions, HostTransport, TcpTransport, type TlsFiles } from "@equitopo/node";
import { InputError, type RunSpec } from "equitopo";
import { peersOf, specText, type Transport } from "equitopo/peer";
import { parseAddress, readHosts, showAddress } from "./hosts.ts";

export interface ConnectOptions {
  readonly rank?: number;
  readonly hosts?: string;
  readonly listen?: string;
  readonly tls?: string;
  readonly key?: string;
  readonly insecure?: true;
  readonly timeout: number;
  readonly startTimeout: number;
  readonly audit?: number;
  /** The peers of this program, and the memory that they share. */
  readonly shared?: Pick<HostOptions, "board" | "ranks">;
}

export interface Connection {
  readonly transport: Transport;
  /** How to leave without cutting off others' last words. */
  readonly leave: () => Promise<void>;
  /** A peer as a person knows it. */
  readonly nameOf: (peer: number) => string;
}

export async function connect(runs: readonly RunSpec[], options: ConnectOptions): Promise<Connection> {
  const { rank, hosts: file, timeout } = options;
  const spec = specText({ runs, audit: options.audit });
  if (rank === undefined && file === undefined) {
    if (!underMpi()) {
      throw new InputError(
        "a worker needs its number and the hosts",
        "neither",
        "add --rank R --hosts FILE, or use mpirun",
      );
    }
    return connectMpi(spec, timeout);
  }
  if (rank === undefined || file === undefined) {
    throw new InputError("--rank and --hosts go together", rank === undefined ? "no --rank" : "no --hosts", "add it");
  }
  const addresses = readHosts(file);
  const size = peersOf(runs);
  if (addresses.length !== size) {
    throw new InputError(`the hosts file must name the spec's ${size} peers`, addresses.length, "add or remove lines");
  }
  if (rank >= size) throw new InputError(`rank must be from 0 to ${size - 1}`, rank, "peers count from 0");
  const transport = await listening({
    rank,
    size,
    addresses,
    spec,
    timeout,
    startGrace: options.startTimeout,
    ...(options.listen === undefined ? {} : { listen: parseAddress(options.listen, "--listen", addresses[rank].port) }),
    ...(options.insecure ? { insecure: true } : {}),
    ...(options.key === undefined ? {} : { key: readKey(options.key) }),
    ...(options.tls === undefined ? {} : { tls: readTls(options.tls, addresses, rank) }),
    ...options.shared,
  });
  const leave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await transport.close();
  };
  return { transport, leave, nameOf: (peer) => `peer ${peer} at ${showAddress(addresses[peer])}` };
}

/** MPI among ranks that have agreed on that text; `hosts` tells where each of them is. */
export async function connectMpi(spec: string, timeout: number) {
  const { MpiTransport } = await import("@equitopo/mpi");
  const transport = await MpiTransport.start({ timeout, spec });
  const leave = async () => {
    await transport.close();
    await transport.finished;
  };
  return { transport, leave, nameOf: (peer: number) => `rank ${peer}`, hosts: () => transport.hosts() };
}

type Listening = Parameters<typeof TcpTransport.listen>[0] | HostOptions;

async function listening(options: Listening): Promise<TcpTransport | HostTransport> {
  try {
    return await ("board" in options ? HostTransport.listen(options) : TcpTransport.listen(options));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof InputError) throw error;
    const { host, port } = options.listen ?? options.addresses[options.rank];
    throw new InputError(
      `the peer must be able to listen (${code})`,
      `${host}:${port}`,
      "free the port, or use --listen",
    );
  }
}

export function underMpi(): boolean {
  return ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"].some((name) => process.env[name] !== undefined);
}

function readSecret(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${what} must be readable (${code})`, path, "make it with equitopo cluster init");
  }
}

/** The key is text: all but the line end counts. */
function readKey(path: string): Uint8Array {
  return new Uint8Array(Buffer.from(readSecret(path, "the key").toString("latin1").trim(), "latin1"));
}

function readTls(folder: string, addresses: readonly Address[], rank: number): TlsFiles {
  const { host } = addresses[rank];
  const name = host.replaceAll(":", "_");
  return {
    ca: readSecret(join(folder, "ca.pem"), "the authority's certificate"),
    cert: readSecret(join(folder, `${name}.pem`), "this host's certificate"),
    key: readSecret(join(folder, `${name}.key`), "this host's key"),
    nameOf: (peer) => addresses[peer].host,
  };
}
