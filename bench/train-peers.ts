/**
 * Claim: 17 real peers on one machine train the MNIST network at nearly the simulator's speed on the same cores: at least
 * 0.9 of it over threads, 0.85 over TCP and MPI, and 9,800 images per second on two cores. All do the same spec (drawn
 * images of MNIST's size, batch 64, OD-EquiDyn, DmSGD), and the states at the end must be the same to the last bit. The
 * clock runs over blocks of 40 updates, without start and evaluation, and the middle one counts; the simulator is measured
 * before and after each, because machines change their pace.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
import { threadPool } from "@equitopo/node";
import { expandSpec, problems, runSpec, type SpecDocument } from "equitopo";
import type { Report } from "./bench.ts";

const [n, batch] = [17, 64];
/** Updates in a block. The first block warms up and does not count. */
const block = 40;
const documentOf = (blocks: number): SpecDocument => ({
  topologies: [{ name: "od-equidyn", n, seed: 1 }],
  algorithms: [{ name: "dmsgd", momentum: 0.5, learningRate: 0.05 }],
  problem: { name: "classification", data: "synthetic", model: "mnist-cnn", batch, images: n * batch * 10, tests: 170 },
  rounds: block * (blocks + 1) + 1,
  every: block,
  evaluate: "at the end",
  seeds: [1],
  type: "float32",
});
const goals: Readonly<Record<string, number>> = { threads: 0.9, tcp: 0.85, mpi: 0.85 };
const command = fileURLToPath(new URL("../../packages/cli/bin/equitopo.js", import.meta.url));

/** Images a second in the middle one of the blocks; `at` is the second at which so many updates were done. */
function middle(blocks: number, at: (updates: number) => number): number {
  const times = Array.from({ length: blocks }, (_, k) => at(block * (k + 2)) - at(block * (k + 1)));
  return (block * n * batch) / times.sort((a, b) => a - b)[Math.floor(blocks / 2)];
}

interface Speed {
  readonly images: number;
  readonly stateHash: string;
}

async function simulated(blocks: number): Promise<Speed> {
  const pool = threadPool(availableParallelism());
  const times = new Map<number, number>();
  const { stateHash } = runSpec(expandSpec(documentOf(blocks))[0], {
    context: { crew: pool },
    onProgress: (done) => times.set(done, performance.now()),
  });
  await pool.close();
  return { images: middle(blocks, (updates) => (times.get(updates) as number) / 1000), stateHash };
}

/** What the command's folder says: seconds at each record of the slowest peer. */
function real(transport: string, blocks: number, report: Report): Speed | undefined {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-bench-"));
  try {
    const [spec, out] = [join(folder, "spec.json"), join(folder, "run")];
    writeFileSync(spec, JSON.stringify(documentOf(blocks)));
    const words = ["run", spec, "--transport", transport, "--out", out, "--json", "--quiet", "--timeout", "60000"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { encoding: "utf8" });
    if (status !== 0) {
      report.missing(`peers over ${transport}`, stderr.trim().split("\n")[0]);
      console.log(`  ${transport.padEnd(10)} did not run: ${stderr.trim().split("\n")[0]}`);
      return undefined;
    }
    const lines = readFileSync(join(out, "run-consensus-distance.csv"), "utf8").trim().split("\r\n");
    const along = (panel: string) =>
      lines.filter((line) => line.startsWith(`against ${panel},`)).map((line) => Number(line.split(",")[2]));
    const [updates, seconds] = [along("updates"), along("seconds")];
    return {
      images: middle(blocks, (done) => seconds[updates.indexOf(done)]),
      stateHash: JSON.parse(stdout).stateHash,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function trainPeers(blocks: number, report: Report): Promise<void> {
  if (!problems.has("classification")) problems.add(classificationFamily);
  console.log(`MNIST CNN, batch ${batch}, ${n} nodes on ${availableParallelism()} cores, images per second`);
  let before = await simulated(blocks);
  for (const [transport, goal] of Object.entries(goals)) {
    const speed = real(transport, blocks, report);
    const after = await simulated(blocks);
    const beside = (before.images + after.images) / 2;
    before = after;
    if (speed === undefined) continue;
    const ratio = speed.images / beside;
    report.figure({
      ...{ name: `17 real peers train the MNIST network over ${transport}`, unit: "images/s", more: true },
      value: speed.images,
      beside: { what: "the simulator", value: beside },
    });
    const bits = speed.stateHash === after.stateHash ? "same bits" : "OTHER BITS";
    const verdict = ratio >= goal && speed.images >= 9800 ? "" : "   MISSED";
    const figures = `${speed.images.toFixed(0)} beside the simulator's ${beside.toFixed(0)}: ${ratio.toFixed(2)}`;
    console.log(`  ${transport.padEnd(8)} ${figures} (goal ${goal}, and 9,800), ${bits}${verdict}`);
  }
}
