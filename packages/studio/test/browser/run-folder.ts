/** A real run's folder to open in the page, made by the built command. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const bin = fileURLToPath(new URL("../../../cli/bin/equitopo.js", import.meta.url));

/** A folder for one test file, removed at its end. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-studio-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

export const spec = {
  title: "Two topologies",
  topologies: [
    { name: "od-equidyn", n: 4 },
    { name: "ring", n: 4 },
  ],
  algorithms: [{ name: "dsgd", learningRate: 0.005 }],
  problem: { name: "least-squares" },
  rounds: 60,
  seeds: [1],
};

/** The command line, whole: `equitopo run spec.json --out FOLDER ...`. */
export function runInto(folder: string, name: string, words: readonly string[] = []): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(spec));
  const out = join(folder, name);
  execFileSync(process.execPath, [bin, "run", file, "--out", out, "--quiet", ...words], { stdio: "ignore" });
  return out;
}

/** What result.json says of a run. */
export interface Told {
  readonly label: string;
  readonly rate: number;
  readonly stateHash: string;
  readonly metrics: Readonly<Record<string, number>>;
}

export function resultsOf(run: string): readonly Told[] {
  return JSON.parse(readFileSync(join(run, "result.json"), "utf8")).runs;
}

/** The same folder with a file changed. */
export function changed(run: string, to: string, file: string, change: (text: string) => string): string {
  cpSync(run, to, { recursive: true });
  writeFileSync(join(to, file), change(readFileSync(join(run, file), "utf8")));
  return to;
}
