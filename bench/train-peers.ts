/**
 * Claim: 17 real peers on one machine train the MNIST network at nearly the simulator's speed on the same cores: at least
 * 0.85 of it over threads, 0.75 over TCP and MPI, and 9,800 images per second on two cores. All do the same spec (drawn
 * images of MNIST's size, batch 64, OD-EquiDyn, DmSGD); the clock runs between two of its updates, without start and
 * evaluation, and the states at the end must be the same to the last bit.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { classificationFamily } from "@equitopo/nn";
import { threadPool } from "@equitopo/node";
import { expandSpec, problems, runSpec, type SpecDocument } from "equitopo";

const [n, batch] = [17, 64];
/** The updates between which the clock runs. */
const [from, to] = [40, 240];
const document: SpecDocument = {
  topologies: [{ name: "od-equidyn", n, seed: 1 }],
  algorithms: [{ name: "dmsgd", momentum: 0.5, learningRate: 0.05 }],
  problem: { name: "classification", data: "synthetic", model: "mnist-cnn", batch, images: n * batch * 10, tests: 170 },
  rounds: to + 1,
  every: 40,
  evaluate: "at the end",
  seeds: [1],
  type: "float32",
};
const goals: Readonly<Record<string, number>> = { threads: 0.85, tcp: 0.75, mpi: 0.75 };
const command = fileURLToPath(new URL("../../packages/cli/bin/equitopo.js", import.meta.url));
const images = (seconds: number) => ((to - from) * n * batch) / seconds;

interface Speed {
  readonly images: number;
  readonly stateHash: string;
}

async function simulated(): Promise<Speed> {
  const pool = threadPool(availableParallelism());
  const times = new Map<number, number>();
  const { stateHash } = runSpec(expandSpec(document)[0], {
    context: { crew: pool },
    onProgress: (done) => times.set(done, performance.now()),
  });
  await pool.close();
  return { images: images(((times.get(to) as number) - (times.get(from) as number)) / 1000), stateHash };
}

/** What the command's folder says: seconds at each record of the slowest peer. */
function real(transport: string): Speed | undefined {
  const folder = mkdtempSync(join(tmpdir(), "equitopo-bench-"));
  try {
    const [spec, out] = [join(folder, "spec.json"), join(folder, "run")];
    writeFileSync(spec, JSON.stringify(document));
    const words = ["run", spec, "--transport", transport, "--out", out, "--json", "--quiet", "--timeout", "60000"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { encoding: "utf8" });
    if (status !== 0) {
      console.log(`  ${transport.padEnd(10)} did not run: ${stderr.trim().split("\n")[0]}`);
      return undefined;
    }
    const lines = readFileSync(join(out, "run-consensus-distance.csv"), "utf8").trim().split("\r\n");
    const along = (panel: string) =>
      lines.filter((line) => line.startsWith(`against ${panel},`)).map((line) => Number(line.split(",")[2]));
    const [updates, seconds] = [along("updates"), along("seconds")];
    const at = (update: number) => seconds[updates.indexOf(update)];
    return { images: images(at(to) - at(from)), stateHash: JSON.parse(stdout).stateHash };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function trainPeers(): Promise<void> {
  if (!problems.has("classification")) problems.add(classificationFamily);
  console.log(`MNIST CNN, batch ${batch}, ${n} nodes on ${availableParallelism()} cores, images per second`);
  const beside = await simulated();
  console.log(`  simulator  ${beside.images.toFixed(0).padStart(6)}`);
  for (const [transport, goal] of Object.entries(goals)) {
    const speed = real(transport);
    if (speed === undefined) continue;
    const ratio = speed.images / beside.images;
    const bits = speed.stateHash === beside.stateHash ? "same bits" : "OTHER BITS";
    const verdict = ratio >= goal && speed.images >= 9800 ? "" : "   MISSED";
    console.log(
      `  ${transport.padEnd(10)} ${speed.images.toFixed(0).padStart(6)}   ${ratio.toFixed(2)} of the simulator (goal ${goal}, and 9,800), ${bits}${verdict}`,
    );
  }
}
