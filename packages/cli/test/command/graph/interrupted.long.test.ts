/** `equitopo graph` that is interrupted while it writes: what was there before stays, and nothing else. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, scratch } from "../../command.ts";

const folder = scratch();

const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

test.each([
  ["SIGINT", 130, "complete --n 5000", "x.csv"],
  ["SIGTERM", 143, "ring --n 3e6", "x.json"],
  ["SIGHUP", 129, "ring --n 30000", "x.npy"],
] as const)("%s (%s) while graph %s is written", { timeout: 120_000 }, async (signal, code, words, name) => {
  const place = join(folder, signal);
  mkdirSync(place);
  const out = join(place, name);
  writeFileSync(out, "before");
  const child = spawn(process.execPath, [bin, "graph", ...words.split(" "), "--out", out, "--quiet"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "exit");
  try {
    // In the middle of it: something is written, and the rest is a hundred times as much.
    while (size(join(place, `.${name}.${child.pid}.tmp`)) === 0 && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(stderr).toBe("\ninterrupted; nothing was written\n");
    expect([readdirSync(place), readFileSync(out, "utf8")]).toEqual([[name], "before"]);
  } finally {
    child.kill("SIGKILL");
  }
});
