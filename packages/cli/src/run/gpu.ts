/** `--device gpu`: units of work on a GPU, as many runs at a time as fit together; nothing is done on the CPU instead. */

import type { Experiment, LearningUnit, Unit } from "@equitopo/experiments";
import { Option } from "commander";
import { InputError, type RunSpec } from "equitopo";
import { requireOwnPrecision } from "equitopo/run";
import { contextOf } from "./context.ts";
import { keeperOf } from "./keeper.ts";
import type { runUnits } from "./pool.ts";

export const deviceOption = "--device <D>";
export const deviceHelp = "gpu, or gpu:NAME with a part of the adapter's name (default: the CPU)";

export const precisionOption = () =>
  new Option("--precision <P>", "with --device gpu: float32 (default), or mixed, which multiplies halves").choices([
    ...["float32", "mixed"],
  ]);

/** The experiment's units in that precision. */
export function inPrecision(experiment: Experiment, precision: string | undefined): Experiment {
  if (precision !== "mixed") return experiment;
  return {
    ...experiment,
    units: (scale) =>
      experiment
        .units(scale)
        .map((unit) => (unit.kind === "learning" ? { ...unit, run: { ...unit.run, precision } } : unit)),
  };
}

/** Refuses runs that need a GPU where none was asked for. */
export function requireDevice(runs: readonly RunSpec[], device: string | undefined): void {
  if (device === undefined) runs.forEach(requireOwnPrecision);
}

/** Milliseconds between two checkpoints: every one reads all rows back from the device, while nothing is trained. */
const interval = 150_000;

/** Refuses units that the device cannot do; before a folder is made. */
export async function requireGpuUnits(
  units: readonly Unit[],
  word: string,
  options: { readonly data?: string } = {},
): Promise<void> {
  const { requireTrainable, requireMixed, openDevice } = await importGpu();
  for (const unit of units) {
    if (unit.kind === "learning") requireTrainable(unit.run);
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
    const { signal, data, checkpointOf, onProgress, onEvaluation, onFile, onResult } = options;
    // The kernels are tested with every access checked; here the checks would only cost.
    const gpu = await openDevice(word, { checked: false });
    const learning = units as readonly LearningUnit[];
    const files: (void | Promise<void>)[] = [];
    const own = learning.map((unit) => {
      const checkpoint = checkpointOf?.(unit);
      return {
        ...(checkpoint === undefined ? {} : keeperOf(checkpoint, unit.run, interval)),
        onProgress: (done: number, rounds: number) => onProgress?.(unit, done / rounds),
        onEvaluation: (updates: number, metrics: Readonly<Record<string, number>>) =>
          onEvaluation?.(unit, updates, metrics),
        onFile: (name: string, bytes: Uint8Array) => void files.push(onFile?.(unit, name, bytes)),
      };
    });
    try {
      await runOnGpu(
        gpu,
        learning.map(({ run }) => run),
        {
          context: contextOf(data === undefined ? {} : { data }),
          ...(signal === undefined ? {} : { signal }),
          of: (k) => own[k],
          onResult: (k, result) => onResult(units[k], result),
        },
      );
      await Promise.all(files);
    } finally {
      gpu.device.destroy();
    }
  };
}

async function importGpu() {
  try {
    return await import("@equitopo/gpu");
  } catch (error) {
    throw new InputError("--device gpu needs the package @equitopo/gpu", (error as Error).message, "install it");
  }
}
