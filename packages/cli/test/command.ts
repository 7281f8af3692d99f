/** Runs the command: in this process, which is quick, or as a process of its own from the build, as a person does. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, vi } from "vitest";
import { main } from "../src/main.ts";

export const bin = fileURLToPath(new URL("../bin/equitopo.js", import.meta.url));

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Words separated by blanks. */
function split(words: string): string[] {
  return words.split(" ").filter((word) => word !== "");
}

export async function equitopo(words: string): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const catchers = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("latin1");
      return true;
    }),
  );
  try {
    return { status: await main(split(words)), ...written };
  } finally {
    for (const catcher of catchers) catcher.mockRestore();
  }
}

/** The built command as a process: `npm run build` comes first. */
export function spawned(words: string, input = "", cwd?: string): Outcome {
  return spawnSync(process.execPath, [bin, ...split(words)], { encoding: "utf8", input, cwd });
}

/** What it printed with --json, after checking that it went well. */
export async function json(words: string) {
  return parsed(await equitopo(`${words} --json`));
}

export function parsed({ status, stdout, stderr }: Outcome) {
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A folder for one test file, removed at its end. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
