/**
 * Peers as processes of this machine, each an `equitopo worker`: over TCP on loopback with a key made for this run, or
 * under mpirun. They tell what they do through a socket in a folder that only this user can enter.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { decodeEvent, type LaunchOptions } from "@equitopo/node";
import { encodeRuns } from "@equitopo/web";
import { InputError } from "equitopo";
import { plugins } from "../loaded-plugins.ts";
import { showAddress } from "./hosts.ts";

const bin = fileURLToPath(new URL("../../bin/equitopo.js", import.meta.url));

export const launchTcp = (options: LaunchOptions): Promise<void> =>
  withFolder(options, async (folder, words) => {
    const hosts = join(folder, "hosts.txt");
    const key = join(folder, "key");
    const ports = await freePorts(options.n);
    writeFileSync(hosts, ports.map((port) => `${showAddress({ host: "127.0.0.1", port })}\n`).join(""));
    writeFileSync(key, randomBytes(32).toString("hex"), { mode: 0o600 });
    const children = Array.from({ length: options.n }, (_, rank) =>
      spawn(process.execPath, [bin, ...words, "--rank", String(rank), "--hosts", hosts, "--key", key], {
        stdio: ["ignore", "ignore", "pipe"],
      }),
    );
    await waitFor(children, options, (rank) => options.onGone(rank));
  });

export const launchMpi = (options: LaunchOptions): Promise<void> =>
  withFolder(options, async (_folder, words) => {
    const version = spawnSync("mpirun", ["--version"], { encoding: "utf8" });
    if (version.status !== 0) {
      throw new InputError(
        "--transport mpi needs mpirun",
        "none",
        "install Open MPI (Debian: apt install openmpi-bin)",
      );
    }
    const openMpi = version.stdout.includes("Open MPI");
    const extra = openMpi ? ["--allow-run-as-root", "--oversubscribe", "--mca", "rmaps_base_oversubscribe", "1"] : [];
    const child = spawn("mpirun", [...extra, "-n", String(options.n), process.execPath, bin, ...words], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    await waitFor([child], options, () => {});
    for (let rank = 0; rank < options.n; rank++) options.onGone(rank);
  });

async function withFolder(
  options: LaunchOptions,
  work: (folder: string, words: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-peers-"));
  const spec = join(folder, "runs.json");
  const socket = join(folder, "report");
  const open = new Set<net.Socket>();
  const heard: Promise<unknown>[] = [];
  const server = net.createServer((connection) => {
    open.add(connection);
    connection.on("error", () => {});
    const lines = createInterface({ input: connection });
    lines.on("line", (line) => {
      const event = decodeEvent(line);
      if (event !== undefined) options.onEvent(event);
    });
    heard.push(once(lines, "close"));
    connection.once("close", () => open.delete(connection));
  });
  try {
    writeFileSync(spec, encodeRuns(options.runs));
    server.listen(socket);
    await once(server, "listening");
    const { timeout, overlap, audit, data, checkpoint, history } = options;
    await work(folder, [
      ...["worker", spec, "--timeout", String(timeout), "--report", socket, "--quiet"],
      ...(overlap ? ["--overlap"] : []),
      ...(audit === undefined ? [] : ["--audit", String(audit)]),
      ...(data === undefined ? [] : ["--data", data]),
      ...(checkpoint === undefined ? [] : ["--checkpoint", checkpoint]),
      ...(history === undefined ? [] : ["--history", history]),
      ...plugins().flatMap(({ file }) => ["--plugin", file]),
    ]);
    await Promise.all(heard);
  } finally {
    for (const connection of open) connection.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until all have ended; an abort ends them. A peer that dies is a fault to report; all of them dying is an error. */
async function waitFor(
  children: readonly ChildProcess[],
  { signal }: LaunchOptions,
  onGone: (rank: number) => void,
): Promise<void> {
  const said = children.map(() => "");
  const end = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  signal.addEventListener("abort", end, { once: true });
  // It may have come while ports were looked for.
  if (signal.aborted) end();
  try {
    const codes = await Promise.all(
      children.map(async (child, rank) => {
        child.stderr?.on("data", (text) => {
          said[rank] = (said[rank] + text).slice(-2000);
        });
        const [code] = await once(child, "close");
        onGone(rank);
        return code as number | null;
      }),
    );
    signal.throwIfAborted();
    const bad = codes.indexOf(2);
    const failed = bad >= 0 ? bad : codes.every((code) => code !== 0) ? 0 : -1;
    if (failed >= 0) throw new Error(`peer ${failed} ended with code ${codes[failed]}: ${said[failed].trim()}`);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Ports that nobody listens at, below those that systems hand out for outgoing connections. */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = randomInt(15_000, 25_000); ports.length < count && port < 32_000; port++) {
    const server = net.createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ host: "127.0.0.1", port }, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    ports.push(port);
  }
  if (ports.length < count) throw new InputError(`${count} free ports are needed`, ports.length, "start fewer peers");
  return ports;
}
