/**
 * Chromium as a bare process, for measuring: driven through Playwright its WebSockets are seven to ten times as slow, since
 * the network events carry every frame. Tabs are opened through its own HTTP interface and report for themselves.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Home = typeof import("../../packages/equitopo/test/chromium-home.mjs");

export interface Chromium {
  /** Opens a tab. All but the last one opened are hidden, and throttled as hidden tabs are. */
  open(address: string): Promise<void>;
  /** Seconds of processor time that all its processes have taken; undefined where the system does not tell. */
  processorSeconds(): number | undefined;
  close(): Promise<void>;
}

export async function spawnChromium(flags: readonly string[] = []): Promise<Chromium> {
  // From the compiled file.
  const home = new URL("../../../packages/equitopo/test/chromium-home.mjs", import.meta.url);
  const { chromiumFlags, chromiumProgram } = (await import(home.href)) as Home;
  const { path, env } = chromiumProgram();
  const folder = mkdtempSync(join(tmpdir(), "equitopo-chromium-"));
  const child = spawn(
    path,
    [...chromiumFlags, ...flags, "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"],
    { env, stdio: "ignore" },
  );
  const port = await activePort(folder, child);
  return {
    async open(address) {
      const answer = await fetch(`http://127.0.0.1:${port}/json/new?${encodeURIComponent(address)}`, { method: "PUT" });
      if (!answer.ok) throw new Error(`Chromium opens no tab: ${answer.status}`);
    },
    processorSeconds: () => processorSeconds(child.pid as number),
    async close() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Chromium writes the port it has chosen into its folder. */
async function activePort(folder: string, child: ChildProcess): Promise<number> {
  for (let wait = 0; wait < 300; wait++) {
    try {
      const port = Number(readFileSync(join(folder, "DevToolsActivePort"), "utf8").split("\n")[0]);
      if (port > 0) return port;
    } catch {
      // Not yet.
    }
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Chromium does not start");
}

/** Of a process and all that descend from it, by /proc (Linux): user and system time, at 100 ticks a second. */
export function processorSeconds(root: number): number | undefined {
  const stats = new Map<number, { parent: number; ticks: number }>();
  try {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        // The name of the program, in brackets, may contain anything; numbers follow it.
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        stats.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
      } catch {
        // It has ended meanwhile.
      }
    }
  } catch {
    return undefined;
  }
  const family = (pid: number): boolean => {
    if (pid === root) return true;
    const parent = stats.get(pid)?.parent;
    return parent !== undefined && parent > 1 && family(parent);
  };
  let ticks = 0;
  for (const [pid, stat] of stats) if (family(pid)) ticks += stat.ticks;
  return ticks / 100;
}
