/** A long `rate` as a process: what it says at once, and that Ctrl-C ends it at any moment. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/equitopo.js", import.meta.url));

test.each([
  ["grid --n 1e6", /^this takes about \d+ min; /],
  ["d-equistatic --n 2e9 --m 500", /^this takes about \d+ min; /],
])("rate %s tells its estimate first, and stops on Ctrl-C", async (words, estimate) => {
  const child = spawn(process.execPath, [bin, "rate", ...words.split(" ")], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "exit");
  try {
    await once(child.stderr, "data");
    // In the middle of what it does.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(estimate)]);
  } finally {
    child.kill("SIGKILL");
  }
});
