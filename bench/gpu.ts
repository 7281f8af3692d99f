/**
 * Claim: a training step of ResNet-20 at batch 8 for 17 and for 136 replicas on one GPU, in float32 and, where the adapter can,
 * in mixed precision, with the error of its gradients; and gossip at the speed of memory. Beside it, where PyTorch with CUDA is
 * installed: its vmap over 17 replicas.
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openDevice, type Precision } from "@equitopo/gpu/internal";
import type { Options, Report } from "./bench.ts";
import { gradientError } from "./gpu-gradient.ts";
import { timeMixer } from "./gpu-mixer.ts";
import { mnist, resnet, timeStep } from "./gpu-step.ts";
import { milliseconds } from "./measure.ts";

/** PyTorch's vmap over the replicas of one row, in ms a step; null where there is no PyTorch with CUDA. */
function torch(): number | null {
  const run = spawnSync("python3", [fileURLToPath(new URL("../pytorch/vmap.py", import.meta.url))], {
    encoding: "utf8",
  });
  return run.status === 0 ? Number(run.stdout.trim()) : null;
}

export default async function main(_: Options, report: Report): Promise<void> {
  const gpu = await openDevice(process.env["EQUITOPO_DEVICE"] ?? "gpu", { checked: false });
  console.log(gpu.name);
  const precisions: readonly Precision[] = gpu.lacks.length === 0 ? ["float32", "mixed"] : ["float32"];
  if (gpu.lacks.length > 0) console.log(`no mixed precision: the adapter lacks ${gpu.lacks.join(", ")}`);
  for (const precision of precisions) {
    const { all, worst } = await gradientError(gpu, precision);
    console.log(
      `gradient of ResNet-20, ${precision}: ${all.toExponential(1)} of its norm from the CPU's (${worst.name}: ${worst.error.toExponential(1)})`,
    );
    for (const runs of [1, 8]) await timeStep(gpu, resnet, runs, precision, report);
  }
  await timeStep(gpu, mnist, 64, "float32", report);
  await timeMixer(gpu, report);
  const beside = torch();
  console.log(
    `PyTorch, vmap over 17 replicas of ResNet-20: ${beside === null ? "not installed" : milliseconds(beside)}`,
  );
  if (beside === null) report.missing("PyTorch's vmap", "python3 has no torch with CUDA");
  else report.figure({ name: "PyTorch, vmap over 17 replicas of ResNet-20", value: beside, unit: "ms" });
  gpu.device.destroy();
}
