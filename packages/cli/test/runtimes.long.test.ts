/** `npm run runtimes` with what is there: this Node, Chromium, and those runtimes that were fetched before. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/runtimes/run.mjs", import.meta.url));

interface Row {
  readonly name: string;
  readonly same: boolean;
  readonly missing?: string;
}

test("every runtime at hand ends in the same rows", { timeout: 240_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, [script, "--offline", "--json"], { encoding: "utf8" });
  const { answer, runtimes } = JSON.parse(stdout) as { answer: Record<string, unknown>; runtimes: Row[] };
  if (stderr !== "") console.warn(`SKIPPED: ${stderr}`);
  expect(Object.keys(answer)).toHaveLength(5);
  expect(runtimes.map(({ name }) => name)).toEqual([
    ...["this Node", "Node 20", "Node 22", "Node 24", "Bun", "Deno", "Chromium"],
  ]);
  for (const { name, same, missing } of runtimes) expect([name, same || missing !== undefined]).toEqual([name, true]);
  const had = runtimes.filter(({ missing }) => missing === undefined).map(({ name }) => name);
  expect(had).toEqual(expect.arrayContaining(["this Node", "Chromium"]));
});
