/**
 * Peers as processes of this machine, each an `equitopo worker`: over TCP on loopback with a key made for this run, or
 * under mpirun. They report what they do through a socket in a folder of the launch (launch-folder.ts).
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freePorts, type LaunchOptions } from "@equitopo/node";
import { encodeRuns } from "@equitopo/web";
import { InputError } from "equitopo";
import { defined } from "equitopo/internal/input";
import { plugins } from "../input/plugins.ts";
import { showAddress } from "./hosts.ts";
import { type LaunchFolder, openLaunchFolder } from "./launch-folder.ts";

const bin = fileURLToPath(new URL("../../bin/equitopo.js", import.meta.url));
/** The same in a few files, as the build makes them (scripts/pack-worker.mjs): many processes so start in a third of the time. */
const packed = fileURLToPath(new URL("../packed/equitopo.js", import.meta.url));
/** A plug-in imports the library itself, and must find its own. */
const program = () => (plugins().length === 0 && existsSync(packed) ? packed : bin);

/** A process, and the ranks of its peers. */
type Group = { readonly child: ChildProcess; readonly ranks: readonly number[] };

const ranksOf = ({ n }: LaunchOptions) => Array.from({ length: n }, (_, rank) => rank);

export function launchTcp(options: LaunchOptions): Promise<void> {
  const alone = ranksOf(options).map((rank) => [rank]);
  return launchOverTcp(options, "--rank", alone);
}

/** A worker for each of these groups of ranks, which it gets by that flag. */
export const launchOverTcp = (
  options: LaunchOptions,
  flag: "--rank" | "--ranks",
  all: readonly (readonly number[])[],
) =>
  withFolder(options, async (folder, words, heardAt) => {
    const network = await loopback(folder, options.n);
    const groups = all.map((ranks) => {
      return startPeers(folder, process.execPath, [program(), ...words, flag, ranks.join(), ...network], ranks);
    });
    const watch = endStragglers(groups, options, heardAt);
    try {
      await waitFor(groups, options);
    } finally {
      clearInterval(watch);
    }
  });

function startPeers(folder: LaunchFolder, program: string, words: readonly string[], ranks: readonly number[]): Group {
  return { child: folder.own(spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] })), ranks };
}

export const launchMpi = (options: LaunchOptions): Promise<void> =>
  withFolder(options, async (folder, words) => {
    const version = spawnSync("mpirun", ["--version"], { encoding: "utf8" });
    if (version.status !== 0) {
      const remedy = "install Open MPI (Debian: apt install openmpi-bin)";
      throw new InputError("--transport mpi needs mpirun", "none", remedy);
    }
    const openMpi = version.stdout.includes("Open MPI");
    const extra = openMpi ? ["--allow-run-as-root", "--oversubscribe", "--mca", "rmaps_base_oversubscribe", "1"] : [];
    const all = [...extra, "-n", String(options.n), process.execPath, bin, ...words];
    await waitFor([startPeers(folder, "mpirun", all, ranksOf(options))], options);
  });

/** Where peers on loopback find each other, and a key made for them: the options that a worker gets. */
async function loopback(folder: LaunchFolder, n: number): Promise<readonly string[]> {
  const lines = (await freePorts(n)).map((port) => `${showAddress({ host: "127.0.0.1", port })}\n`);
  const key = folder.secret("key", randomBytes(32).toString("hex"));
  return ["--hosts", folder.file("hosts.txt", lines.join("")), "--key", key];
}

type HeardAt = ReadonlyMap<number, number>;

type Work = (folder: LaunchFolder, words: readonly string[], heardAt: HeardAt) => Promise<void>;

async function withFolder(options: LaunchOptions, work: Work): Promise<void> {
  const heardAt = new Map<number, number>();
  const folder = openLaunchFolder({
    runs: options.runs.length,
    peers: options.n,
    onEvent(event) {
      heardAt.set(event.rank, performance.now());
      options.onEvent(event);
    },
  });
  try {
    const spec = folder.file("runs.json", encodeRuns(options.runs));
    await folder.listen();
    const { timeout, overlap, audit, data, checkpoint, history } = options;
    const given = Object.entries(defined({ audit, data, checkpoint, history }));
    const words = [
      ...["worker", spec, "--timeout", String(timeout), "--report", folder.socket, "--quiet"],
      ...(overlap ? ["--overlap"] : []),
      ...given.flatMap(([flag, value]) => [`--${flag}`, String(value)]),
      ...plugins().flatMap(({ file }) => ["--plugin", file]),
    ];
    await Promise.race([work(folder, words, heardAt), folder.failed]);
    await folder.heard();
  } finally {
    folder.close();
  }
}

/**
 * A peer that stands still (stopped, or swapped out for good) would keep the launch waiting for ever once the others have
 * ended: it is ended when nothing has been heard of it for as long as any exchange, and any evaluation, should take.
 */
function endStragglers(groups: readonly Group[], { timeout, onNote }: LaunchOptions, heardAt: HeardAt): NodeJS.Timeout {
  const patience = 60_000 + 3 * timeout;
  let since = performance.now();
  let living = groups.length;
  return setInterval(() => {
    const left = groups.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    if (left.length !== living) since = performance.now();
    living = left.length;
    if (left.length === groups.length) return;
    for (const { child, ranks } of left) {
      if (performance.now() - Math.max(since, ...ranks.map((rank) => heardAt.get(rank) ?? 0)) < patience) continue;
      onNote(`peer ${ranks.join(" ")} stands still, and the others have ended: it is ended, too`);
      child.kill("SIGKILL");
    }
  }, 1000);
}

/** Until all have ended; an abort ends them. A peer that dies is a fault to report; all of them dying is an error. */
async function waitFor(groups: readonly Group[], { signal, onGone }: LaunchOptions): Promise<void> {
  const said = groups.map(() => "");
  const end = () => {
    for (const { child } of groups) child.kill("SIGKILL");
  };
  signal.addEventListener("abort", end, { once: true });
  // It may have come while ports were looked for.
  if (signal.aborted) end();
  try {
    const codes = await Promise.all(
      groups.map(async ({ child, ranks }, k) => {
        child.stderr?.on("data", (text) => {
          said[k] = (said[k] + text).slice(-2000);
        });
        const [code] = await once(child, "close");
        for (const rank of ranks) onGone(rank);
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
