/** A worker's way into the network: MPI where mpirun started it, else TCP with the hosts and secrets that its options name. */

import { type Address, type HostOptions, HostTransport, TcpTransport } from "@equitopo/node";
import { InputError, type ProblemContext, type RunSpec } from "equitopo";
import { defined } from "equitopo/internal/input";
import { gatherSteps, largestSent, openingPasses, peersOf, specText } from "equitopo/internal/peer";
import { hostsFile, parseAddress, showAddress } from "./hosts.ts";
import { readKey, readTls } from "./secrets.ts";

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

export type Connection = Awaited<ReturnType<typeof connect>>;

/** `leave` does not cut off others' last words. `context` is what the runs' problems are made with: nothing longer than they have any use for is taken from others. */
export async function connect(runs: readonly RunSpec[], options: ConnectOptions, context: ProblemContext) {
  const { rank, hosts: file, timeout } = options;
  const spec = specText({ runs, audit: options.audit });
  if (rank === undefined && file === undefined) {
    if (underMpi()) return connectMpi(spec, timeout);
    const remedy = "add --rank R --hosts FILE, or use mpirun";
    throw new InputError("a worker needs its number and the hosts", "neither", remedy);
  }
  if (rank === undefined || file === undefined) {
    throw new InputError("--rank and --hosts go together", rank === undefined ? "no --rank" : "no --hosts", "add it");
  }
  const { addresses, refresh } = hostsFile(file);
  const size = peersOf(runs);
  if (addresses.length !== size) {
    throw new InputError(`the hosts file must name the spec's ${size} peers`, addresses.length, "add or remove lines");
  }
  if (rank >= size) throw new InputError(`rank must be from 0 to ${size - 1}`, rank, "peers count from 0");
  const listen = {
    ...{ rank, size, addresses, refresh, spec, timeout, ...listenOptions(options, addresses, rank) },
    maxBytes: largestSent(runs, { ...context, first: rank }, options.audit).bytes,
    startGrace: options.startTimeout,
    startRounds: gatherSteps(size, openingPasses),
  };
  const { shared } = options;
  const transport = await (shared ? HostTransport.listen({ ...listen, ...shared }) : TcpTransport.listen(listen));
  const leave = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await transport.close();
  };
  return { transport, leave, nameOf: (peer: number) => `peer ${peer} at ${showAddress(addresses[peer])}` };
}

/** Where a peer listens, where that is not its line of the hosts file, and whom it trusts. */
export function listenOptions(options: ConnectOptions, addresses: readonly Address[], rank: number) {
  const { listen, insecure, key, tls } = options;
  return defined({
    listen: listen === undefined ? undefined : parseAddress(listen, "--listen", addresses[rank].port),
    insecure,
    key: key === undefined ? undefined : readKey(key),
    tls: tls === undefined ? undefined : readTls(tls, addresses, rank),
  });
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

export function underMpi(): boolean {
  return ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"].some((name) => process.env[name] !== undefined);
}
