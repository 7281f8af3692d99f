/** Makes the figures of docs/figures anew: each by the command that stands beside it in docs/figures/README.md. */

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const figures = fileURLToPath(new URL("../../../docs/figures/", import.meta.url));
const program = fileURLToPath(new URL("../bin/equitopo.js", import.meta.url));
const table = readFileSync(join(figures, "README.md"), "utf8");
const rows = [...table.matchAll(/^\| \[([^\]]+)\].* \| `equitopo ([^`]+)` \|$/gm)];
const folder = mkdtempSync(join(tmpdir(), "figures-"));
// One command may make several pictures, in a folder that it fills.
const made = new Map();

try {
  for (const [, picture, words] of rows) {
    const file = join(figures, picture);
    const target = made.get(words) ?? (words.includes("DIR") ? join(folder, String(made.size)) : file);
    if (!made.has(words)) {
      const args = words.split(" ").map((word) => (word === "DIR" || word === "FILE" ? target : word));
      const { status, stderr } = spawnSync(process.execPath, [program, ...args, "--quiet"], { encoding: "utf8" });
      if (status !== 0) throw new Error(`equitopo ${words}: ${stderr}`);
      made.set(words, target);
    }
    if (target !== file) copyFileSync(join(target, basename(picture)), file);
    console.log(picture);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
