/** `--device gpu`: units of work on a GPU, as many runs at a time as fit together; nothing is done on the CPU instead. */

import { InputError, type RunResult } from "equitopo";
import { type Experiment, isLearning, type LearningUnit, type Unit } from "equitopo/internal/outcome";
import { choice, word } from "../terminal/flags.ts";
import { contextOf } from "./context.ts";
import type { runUnits } from "./pool.ts";
import { runOptionsOf, sharedOptions } from "./unit.ts";

export const deviceFlags = {
  device: word("<D>", "gpu, or gpu:NAME with a part of the adapter's name (default: the CPU)"),
  precision: choice("<P>", "with --device gpu: float32 (default), or mixed, which multiplies halves", [
    "float32",
    "mixed",
  ]),
};

export function inPrecision(experiment: Experiment, precision: string | undefined): Experiment {
  if (precision !== "mixed") return experiment;
  return {
    ...experiment,
    units: (scale) =>
      experiment.units(scale).map((unit) => (isLearning(unit) ? { ...unit, run: { ...unit.run, precision } } : unit)),
  };
}

/** Milliseconds between two checkpoints: every one reads all rows back from the device, while nothing is trained. */
const interval = 150_000;

/** Refuses units that the device cannot do; before a folder is made. */
export async function requireGpuUnits(
  units: readonly (Unit | LearningUnit)[],
  word: string,
  options: { readonly data?: string } = {},
): Promise<void> {
  const { requireTrainable, requireMixed, openDevice } = await importGpu();
  for (const unit of units) {
    if (isLearning(unit)) requireTrainable(unit.run);
    else throw new InputError("--device gpu trains networks", `${unit.key}, a ${unit.kind}`, "leave out --device");
  }
  const gpu = await openDevice(word);
  const runs = (units as readonly LearningUnit[]).map(({ run }) => run);
  try {
    requireMixed(gpu, runs, contextOf(options));
  } finally {
    gpu.device.destroy();
  }
}

export function gpuEngine(word: string): typeof runUnits {
  return async (units, options) => {
    const { openDevice, runOnGpu } = await importGpu();
    // The kernels are tested with every access checked; here the checks would only cost.
    const gpu = await openDevice(word, { checked: false });
    const learning = units as readonly LearningUnit[];
    const files: (void | Promise<void>)[] = [];
    const own = learning.map((unit) => runOptionsOf(unit, options, files, interval));
    try {
      const runs = learning.map(({ run }) => run);
      const onResult = (k: number, result: RunResult) => options.onResult(units[k], result);
      await runOnGpu(gpu, runs, { ...sharedOptions(options), of: (k) => own[k], onResult });
      await Promise.all(files);
    } finally {
      gpu.device.destroy();
    }
  };
}

async function importGpu() {
  try {
    return await import("@equitopo/gpu/internal");
  } catch (error) {
    throw new InputError("--device gpu needs the package @equitopo/gpu", (error as Error).message, "install it");
  }
}
