/** A long `rate` as a process: what it says at once, and that Ctrl-C ends it at any moment. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bin, scratch, spawned } from "../../command.ts";

/** A grid as somebody's own graph: all that is known of it is its edges. */
const file = join(scratch(), "grid.csv");
beforeAll(() => {
  expect(spawned(`graph grid --n 160000 --out ${file}`).status).toBe(0);
}, 60_000);

test.each([
  ["grid --n 1e6", /^this takes about \d+ min; /],
  ["d-equistatic --n 2e9 --m 500", /^this takes about \d+ min; /],
  ["random-permutations --n 3e5", /^this takes about \d+ (s|min); /],
  // Of these only a bar says how long they take: what a search for weights or somebody's own graph needs is not known before.
  ["matcha --n 2000 --graph complete", /^$/],
  [`--file ${file}`, /^$/],
])(
  "rate %s tells its estimate first, where it has one, and stops on Ctrl-C",
  { timeout: 60_000 },
  async (words, estimate) => {
    const child = spawn(process.execPath, [bin, "rate", ...words.split(" ")], { stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    const ended = once(child, "exit");
    try {
      if (estimate.source !== "^$") await once(child.stderr, "data");
      // In the middle of what it does.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(child.exitCode).toBeNull();
      child.kill("SIGINT");
      expect(await ended).toEqual([null, "SIGINT"]);
      expect([stdout, stderr]).toEqual(["", expect.stringMatching(estimate)]);
    } finally {
      child.kill("SIGKILL");
    }
  },
);
