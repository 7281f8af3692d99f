/**
 * `npm run release -- --dry-run`: somebody who has nothing but the packed packages and an empty folder can take the README's
 * tour to its end, and bundle a page that computes what Node does.
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { install } from "../../../scripts/release/project.mjs";
import { scratch } from "./command.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const script = join(root, "scripts/release/run.mjs");

interface Done {
  readonly what: string;
  readonly ok: boolean;
  readonly seconds: number;
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
      expect.stringContaining("Python"),
    ]),
  );
  expect(done.some(({ what }) => what.startsWith("published"))).toBe(false);
});

/** A registry that takes calls and never answers, as behind a wall that drops everything. */
async function silently<T>(work: (registry: string) => Promise<T> | T): Promise<T> {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  try {
    return await work(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
  } finally {
    silent.close();
  }
}

/** A real release, asked of this registry. */
async function releaseAt(npm_config_registry: string): Promise<{ status: number | null; done: Done[] }> {
  const child = spawn(process.execPath, [script, "--json"], { env: { ...process.env, npm_config_registry } });
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { status, done: (JSON.parse(stdout) as { done: Done[] }).done };
}

test("a real release is refused where the registry does not answer: a sentence, within a minute", async () => {
  for (const [why, { status, done }] of [
    ["ECONNREFUSED", await releaseAt("http://127.0.0.1:9/")],
    ["network timeout", await silently(releaseAt)],
  ] as const) {
    expect([status, done.map(({ what }) => what)]).toEqual([1, ["versions agree", "ready to publish"]]);
    expect(done[1].remark).toContain(`npm's registry does not answer (${why})`);
    expect(done[1].seconds).toBeLessThan(60);
  }
}, 150_000);

test("a dry run goes on without the registry, and says so", async () => {
  const folder = scratch();
  const before = process.env["npm_config_registry"];
  const remark = await silently((registry) => {
    process.env["npm_config_registry"] = registry;
    return install([], folder, root);
  }).finally(() => {
    if (before === undefined) delete process.env["npm_config_registry"];
    else process.env["npm_config_registry"] = before;
  });
  expect(remark).toMatch(
    /^WITHOUT the registry: npm's registry does not answer \(network timeout\); packages of others/,
  );
  expect(existsSync(join(folder, "node_modules", "commander"))).toBe(true);
});
