/** The command as a program of its own, to be attacked: what it says, what it holds, and whether it is still there. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

/** Beside the source, or beside what was compiled from it. */
const up = import.meta.url.includes("/dist/") ? "../../.." : "../..";
const bin = fileURLToPath(new URL(`${up}/packages/cli/bin/equitopo.js`, import.meta.url));

export interface Victim {
  readonly child: ChildProcess;
  /** What it has said so far, on both streams. */
  readonly said: () => string;
  /** Resolves with the first group of the pattern, once it says so. */
  find(pattern: RegExp): Promise<string>;
  /** Resident megabytes. */
  held(): number;
  readonly alive: () => boolean;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  end(): Promise<void>;
}

export function victim(words: readonly string[]): Victim {
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text = (text + chunk).slice(-1e6);
    });
  }
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const alive = () => child.exitCode === null && child.signalCode === null;
  return {
    ...{ child, alive, ended, said: () => text },
    async find(pattern) {
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found[1];
        if (!alive()) throw new Error(`${words[0]} ended: ${text.slice(-1000)}`);
        await pause(50);
      }
    },
    held: () => residentOf(child.pid as number),
    async end() {
      if (alive()) child.kill("SIGKILL");
      await ended;
    },
  };
}

function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout) / 1024;
  }
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Writes to one connection, piece by piece, as long as the other side lets it: waits after each piece until something
 * is answered, the connection ends, or so many milliseconds are over. Answers how many pieces were written.
 */
export function exchange(port: number, pieces: Iterable<string | Uint8Array>, patience = 200): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const rest = pieces[Symbol.iterator]();
    let written = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(written);
    };
    const next = () => {
      clearTimeout(timer);
      const { value, done } = rest.next();
      if (done) return end();
      written++;
      socket.write(value);
      timer = setTimeout(end, patience);
    };
    socket.on("connect", next).on("data", next).on("error", end).on("close", end);
  });
}

/** So many at once of a work that answers how much it did, until so much is done; gives up where nothing is done any more. */
export async function until(total: number, atOnce: number, work: (k: number) => Promise<number>): Promise<number> {
  let [done, started, idle] = [0, 0, 0];
  const lane = async () => {
    while (done < total && idle < 200) {
      const more = await work(started++);
      done += more;
      idle = more === 0 ? idle + 1 : 0;
      if (more === 0) await pause(10);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return done;
}
