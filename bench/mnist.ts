/**
 * How long MNIST takes: 20 epochs on 17 nodes with the paper's settings, by `equitopo train` on all cores, evaluations
 * included. EQUITOPO_DATA says where the four files are.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options, Report } from "./bench.ts";

const command = fileURLToPath(new URL("../../packages/cli/bin/equitopo.js", import.meta.url));
const name = "training MNIST, 17 nodes, 20 epochs, all cores";

export default function main(_: Options, report: Report): void {
  if (process.env["EQUITOPO_DATA"] === undefined) {
    console.log("MNIST: not measured, EQUITOPO_DATA does not say where its files are");
    report.missing(name, "EQUITOPO_DATA does not say where its files are");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "equitopo-bench-"));
  try {
    const words = ["train", "mnist", "--epochs", "20", "--out", join(folder, "run"), "--json", "--quiet"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    const { seconds, averagedAccuracy } = JSON.parse(stdout) as { seconds: number; averagedAccuracy: number };
    console.log(`${name}: ${seconds.toFixed(1)} s, ${(100 * averagedAccuracy).toFixed(2)}% of the test images right`);
    report.figure({ name, value: seconds, unit: "s" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
