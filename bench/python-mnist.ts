/**
 * PyTorch's ranks train MNIST as `equitopo train` does: the same network, shares, batches, rate, momentum and rounds of
 * OD-EquiDyn, other drawn numbers. The mean models must be right equally often, to within 0.3 points. EQUITOPO_DATA says
 * where the four files are; where they or torch are missing this says loudly that it did not run.
 *
 *   --ranks N    4 or 17 alone
 *   --epochs E   default 5
 *   --seeds K    means over K seeds of both, default 3: one seed is off by some 0.2 points by itself
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options, Report } from "./bench.ts";
import { noTorch, pythonWithTorch, torchEnvironment } from "./with-torch.ts";

const place = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const allowed = 0.3;

export default function main({ ranks, epochs = "5", seeds = "3" }: Options, report: Report): void {
  const python = pythonWithTorch();
  const why = python === undefined ? noTorch : "EQUITOPO_DATA does not say where MNIST's files are";
  if (python === undefined || process.env["EQUITOPO_DATA"] === undefined) {
    console.log(`NOT RUN: ${why}`);
    report.missing("MNIST by PyTorch and by equitopo", why);
    return;
  }
  for (const n of ranks === undefined ? [4, 17] : [Number(ranks)]) {
    const list = Array.from({ length: Number(seeds) }, (_, k) => k + 1);
    const each = list.map((seed) => ({
      ours: 100 * trained(n, epochs, seed),
      theirs: 100 * trainedByTorch(python, n, epochs, seed),
    }));
    for (const [k, { ours, theirs }] of each.entries()) {
      console.log(`  seed ${list[k]}: ${theirs.toFixed(2)}% by PyTorch, ${ours.toFixed(2)}% by equitopo train`);
    }
    const mean = (of: "ours" | "theirs") => each.reduce((sum, one) => sum + one[of], 0) / each.length;
    const [ours, theirs] = [mean("ours"), mean("theirs")];
    const apart = Math.abs(theirs - ours);
    const name = `MNIST after ${epochs} epochs, ${n} ranks of PyTorch over OD-EquiDyn, mean of ${seeds} seeds`;
    console.log(
      `${name}: the mean model is right on ${theirs.toFixed(2)}%, equitopo train's on ${ours.toFixed(2)}%: ` +
        `${apart.toFixed(2)} points apart, ${apart <= allowed ? "within" : "MORE THAN"} ${allowed}`,
    );
    report.figure({ name, value: theirs, unit: "%", more: true, beside: { what: "equitopo train", value: ours } });
    if (apart > allowed) process.exitCode = 1;
  }
}

/** The spec of both: momentum 0.5, rate 0.01 n, batch 64, no dropout, shares that stay. */
function trained(n: number, epochs: string, seed: number): number {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-bench-"));
  try {
    const words = ["train", "mnist", "--nodes", String(n), "--topology", "od-equidyn", "--epochs", epochs];
    const rest = [
      "--dropout",
      "0",
      "--seed",
      String(seed),
      "--evaluate",
      "averaged",
      "--json",
      "--quiet",
      "--out",
      join(folder, "run"),
    ];
    const output = printed(process.execPath, [place("packages/cli/bin/equitopo.js"), ...words, ...rest], process.env);
    return (JSON.parse(output) as { averagedAccuracy: number }).averagedAccuracy;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function trainedByTorch(python: string, n: number, epochs: string, seed: number): number {
  const script = place("packages/python/examples/mnist_dsgd.py");
  const words = ["-m", "equitopo.torch.launch", String(n), script, "--topology", "od-equidyn", "--epochs", epochs];
  const output = printed(python, [...words, "--dropout", "0", "--seed", String(seed), "--json"], torchEnvironment());
  return (JSON.parse(output) as { accuracy: number }).accuracy;
}

function printed(program: string, words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", env });
  if (status === 0) return stdout;
  throw new Error(stderr.trim().split("\n").at(-1));
}
