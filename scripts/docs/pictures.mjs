/**
 * `npm run docs:pictures`: makes the pictures of the guides anew, each by the command that stands beside it. What is behind
 * it is handed to `equitopo reproduce` (`-- --take DIR` takes over the runs of an earlier folder).
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { simplifySvg } from "./simplify.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(root, "packages/cli/bin/equitopo.js");
const largest = 60_000;

/** The experiments of docs/paper.md, and the figures that each writes. (Pictures of graphs are packages/cli/scripts/figures.mjs'.) */
const experiments = {
  "consensus-size-independence": ["consensus-size-independence"],
  "consensus-one-peer": ["consensus-one-peer"],
  "consensus-log-degree": ["consensus-log-degree"],
  "table-1": ["table-1"],
  "dsgd-least-squares": ["dsgd-least-squares"],
  "dsgt-logistic": ["dsgt-logistic"],
};

/** The pictures of docs/start.md: arguments of the command, to which the file is added. */
const drawn = {
  "start/compare.svg": ["compare", "--n", "300", "--topologies", "ring,one-peer-exp,od-equidyn,ou-equidyn", "--svg"],
  "start/round.svg": ["graph", "ou-equidyn", "--n", "17", "--round", "3", "--format", "svg", "--out"],
};

function equitopo(...words) {
  const { status } = spawnSync(process.execPath, [bin, ...words], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`equitopo ${words.join(" ")} ended with ${status}`);
}

function keep(from, to) {
  const svg = simplifySvg(readFileSync(from, "utf8"));
  if (svg.length > largest) throw new Error(`${to} has ${svg.length} bytes: at most ${largest} are for a page`);
  const target = join(root, "docs/figures", to);
  mkdirSync(join(target, ".."), { recursive: true });
  writeFileSync(target, svg);
  process.stderr.write(`docs/figures/${to}: ${svg.length} bytes\n`);
}

const folder = mkdtempSync(join(tmpdir(), "equitopo-pictures-"));
try {
  for (const [name, words] of Object.entries(drawn)) {
    const file = join(folder, "picture.svg");
    equitopo(...words, file);
    keep(file, name);
  }
  const out = join(folder, "paper");
  equitopo("reproduce", ...Object.keys(experiments), "--out", out, ...process.argv.slice(2));
  for (const figure of Object.values(experiments).flat()) keep(join(out, `${figure}.svg`), `paper/${figure}.svg`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
