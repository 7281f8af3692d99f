/** Runs the built command as a person would: `npm run build` comes first. */

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const bin = fileURLToPath(new URL("../bin/equitopo.js", import.meta.url));

/** Words separated by blanks; a list where a word holds a blank. */
export function equitopo(words: string | readonly string[], input?: string | Uint8Array): SpawnSyncReturns<string> {
  const args = typeof words === "string" ? words.split(" ").filter((word) => word !== "") : words;
  return spawnSync(process.execPath, [bin, ...args], { encoding: "utf8", input, maxBuffer: 1 << 26 });
}

/** What it printed with --json, after checking that it went well. */
export function json(words: string | readonly string[], input?: string | Uint8Array) {
  const args = typeof words === "string" ? words.split(" ") : words;
  const { status, stdout, stderr } = equitopo([...args, "--json"], input);
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A folder for one test file, removed at its end. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
