/** MPI ranks that this program leads by the hand, so that the transports' conformance suite can run on them. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import net from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ExchangeOutcome, Request, Transport, Vector } from "../../equitopo/src/peer/exchange/transport.ts";
import { newCounts, typeOf } from "../../equitopo/src/peer/exchange/transport.ts";
import type { Opened } from "../../equitopo/src/testing/transport.ts";

const agent = fileURLToPath(new URL("./agent.mjs", import.meta.url));
const built = existsSync(new URL("../dist/native/equitopo-mpi.node", import.meta.url));

/** Why the tests that need MPI cannot run here, or undefined where they can. */
export const missing = !built
  ? "the addon is not built (no C compiler, or no Node headers)"
  : spawnSync("mpirun", ["--version"]).status !== 0
    ? "there is no mpirun (Debian: apt install openmpi-bin)"
    : undefined;

const openMpi = spawnSync("mpirun", ["--version"], { encoding: "utf8" }).stdout?.includes("Open MPI");

export function mpirun(ranks: number, script: string, env: Record<string, string> = {}): ChildProcess {
  const extra = openMpi ? ["--allow-run-as-root", "--oversubscribe", "--mca", "rmaps_base_oversubscribe", "1"] : [];
  return spawn("mpirun", [...extra, "-n", String(ranks), process.execPath, script], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

class Remote implements Transport {
  readonly name = "mpi";
  readonly counts = newCounts();
  readonly reached = -1;
  readonly rank: number;
  readonly size: number;
  readonly #socket: net.Socket;
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>();
  #id = 0;

  constructor(socket: net.Socket, rank: number, size: number) {
    this.#socket = socket;
    this.rank = rank;
    this.size = size;
  }

  heard(message: Record<string, unknown>): void {
    const { refused, ...counts } = message["counts"] as { refused: [string, number][] };
    Object.assign(this.counts, counts);
    for (const [reason, count] of refused) this.counts.refused.set(reason, count);
    this.#waiting.get(message["id"] as number)?.(message);
  }

  tell(message: object): Promise<Record<string, unknown>> {
    const id = this.#id++;
    this.#socket.write(`${JSON.stringify({ id, ...message })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async exchange({ signal, ...request }: Request): Promise<ExchangeOutcome> {
    const id = this.#id;
    const send = request.send.map(({ peer, data }) => ({
      peer,
      data: { type: typeOf(data), values: [...data] },
    }));
    signal?.addEventListener("abort", () => {
      void this.tell({ do: "abort", id, reason: (signal.reason as Error).message });
    });
    const answer = this.tell({
      do: "exchange",
      request: { ...request, send },
      signal: signal === undefined ? undefined : signal.aborted ? "aborted" : "live",
    });
    const { arrived, error } = (await answer) as { arrived?: (number[] | null)[]; error?: string };
    if (arrived === undefined) throw new Error(error);
    return {
      arrived: arrived.map((values, k) => {
        if (values === null) return undefined;
        return request.receive[k].type === "float32"
          ? Float32Array.from(values)
          : (Float64Array.from(values) as Vector);
      }),
      kept: [],
      release: () => {
        void this.tell({ do: "release", id });
        return [];
      },
    };
  }

  async close(): Promise<void> {
    await this.tell({ do: "close" });
  }
}

export async function openRanks(size: number, options: object = {}): Promise<Opened> {
  const peers: Remote[] = [];
  let ready: () => void;
  const all = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const server = net.createServer((socket) => {
    let peer: Remote | undefined;
    socket.on("error", () => {});
    createInterface({ input: socket }).on("line", (line) => {
      const message = JSON.parse(line);
      if (peer === undefined) {
        peer = new Remote(socket, message.rank, message.size);
        peers[message.rank] = peer;
        if (peers.filter(Boolean).length === size) ready();
      } else peer.heard(message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const child = mpirun(size, agent, {
    EQUITOPO_TEST_PORT: String((server.address() as net.AddressInfo).port),
    EQUITOPO_TEST_OPTIONS: JSON.stringify(options),
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await all;
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      for (const peer of peers) void peer.tell({ do: "leave" });
      await ended;
      server.close();
    },
  };
}
