/** The machine that figures were measured on, in words: they mean nothing without it. */

import { spawnSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly system: string;
  readonly node: string;
  /** Of the sources that were measured; null where that is not known. */
  readonly commit: string | null;
  /** Whether the sources were changed since that commit. */
  readonly changed: boolean;
  /** As in 2026-11-16. */
  readonly date: string;
}

export function thisMachine(): Machine {
  const [first] = cpus();
  return {
    cpu: first?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    commit: git("rev-parse", "--short=12", "HEAD"),
    changed: (git("status", "--porcelain", "--untracked-files=no") ?? "") !== "",
    date: new Date().toISOString().slice(0, 10),
  };
}

function git(...words: readonly string[]): string | null {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { status, stdout } = spawnSync("git", words, { cwd, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
