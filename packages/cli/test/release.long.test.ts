/**
 * `npm run release -- --dry-run`: somebody who has nothing but the packed packages and an empty folder can take the README's
 * tour to its end, and bundle a page that computes what Node does.
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/release/run.mjs", import.meta.url));

interface Done {
  readonly what: string;
  readonly ok: boolean;
  readonly remark: string;
}

test("the dry run of a release goes well", { timeout: 900_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, [script, "--dry-run", "--json", "--quiet"], {
    encoding: "utf8",
  });
  const { good, dryRun, done } = JSON.parse(stdout) as { good: boolean; dryRun: boolean; done: Done[] };
  expect(done.filter(({ ok }) => !ok)).toEqual([]);
  expect([good, dryRun, stderr]).toEqual([true, true, ""]);
  expect(done.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      "tarballs are whole",
      "equitopo list",
      "a bundled page in Chromium computes what Node does",
    ]),
  );
  expect(done.some(({ what }) => what.startsWith("published"))).toBe(false);
});

test("a real release is refused at once where nobody is logged in", () => {
  // At a registry that is not there, whoever runs this.
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" };
  const { status, stdout } = spawnSync(process.execPath, [script, "--json"], { encoding: "utf8", env });
  const { good, done } = JSON.parse(stdout) as { good: boolean; done: Done[] };
  expect([status, good, done.map(({ what }) => what)]).toEqual([1, false, ["versions agree", "ready to publish"]]);
  expect(done[1].remark).toMatch(/nobody is logged in to npm|not committed/);
});
