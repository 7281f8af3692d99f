/** Peers of a spec spread over the hosts of a small internet, each an `equitopo worker` with TLS and a history of its own. */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expandSpec, runSpec, type SpecDocument, stateHash } from "equitopo";
import { readHistories } from "../../src/command/verify/histories.ts";
import { readHosts } from "../../src/peers/hosts.ts";
import { bin, equitopo, parsed } from "../command.ts";
import { address, type Internet, passage } from "./internet.ts";

export interface ClusterOptions {
  readonly internet: Internet;
  /** The spec's file, for this many peers. */
  readonly spec: string;
  readonly peers: number;
  readonly folder: string;
  readonly timeout: number;
}

export class Cluster {
  readonly histories: string;
  /** The host of each peer, and its port there. */
  readonly places: readonly { readonly host: number; readonly port: number }[];
  readonly #options: ClusterOptions;

  private constructor(options: ClusterOptions) {
    this.#options = options;
    this.histories = join(options.folder, "histories");
    mkdirSync(this.histories, { recursive: true });
    this.places = readHosts(join(options.folder, "cluster", "hosts.txt")).map(({ host, port }) => ({
      host: Number(host.split(".")[3]) - 1,
      port,
    }));
  }

  static async init(options: ClusterOptions): Promise<Cluster> {
    const { internet, peers, folder } = options;
    const hosts = Array.from({ length: internet.hosts }, (_, host) => passage(host));
    parsed(await equitopo(`cluster init ${hosts.join(" ")} --peers ${peers} --out ${join(folder, "cluster")} --json`));
    const cluster = new Cluster(options);
    await internet.open(cluster.places);
    return cluster;
  }

  /** Starts a peer, or starts it again: it goes on from its checkpoint. */
  start(rank: number): ChildProcess {
    const { internet, spec, folder, timeout } = this.#options;
    const { host, port } = this.places[rank];
    const words = [
      ...[bin, "worker", spec, "--rank", String(rank), "--hosts", join(folder, "cluster", "hosts.txt")],
      ...["--tls", join(folder, "cluster"), "--listen", `${address(host)}:${port}`, "--timeout", String(timeout)],
      ...["--checkpoint", join(folder, "peer-%r.ckpt"), "--checkpoint-every", "5", "--json"],
      ...["--history", join(this.histories, "peer-%r.ndjson")],
    ];
    return internet.run(host, process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  }

  /** The last exchange that a peer has written down; -1 before any. */
  reached(rank: number): number {
    if (!readdirSync(this.histories).includes(`peer-${rank}.ndjson`)) return -1;
    const told = [...readFileSync(join(this.histories, `peer-${rank}.ndjson`), "utf8").matchAll(/"exchange":(\d+)/g)];
    return Number(told.at(-1)?.[1] ?? -1);
  }
}

/** The code that a program ends with, and what it had to say. */
export async function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly said: string }> {
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  return { code, said };
}

/** The hash of all final rows, from the peers' own histories; the simulator's `stateHash` where nothing was missed. */
export function hashOfRows(histories: string): string {
  const rows = readHistories(histories)
    .map((lines) => ({
      rank: lines.find((line) => line.kind === "peer")?.rank ?? -1,
      x: lines.filter((line) => line.kind === "row").at(-1)?.x ?? [],
    }))
    .sort((a, b) => a.rank - b.rank);
  return stateHash(Float64Array.from(rows.flatMap(({ x }) => [...x])));
}

export function simulatedHash(document: SpecDocument): string {
  return runSpec(expandSpec(document)[0]).stateHash;
}
