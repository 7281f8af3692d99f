/** A worker thread of the pool: one unit in, one result out. */

import { parentPort, workerData } from "node:worker_threads";
import { runUnit, type TrainingResult, type TrainingUnit, type Unit } from "@equitopo/experiments";
import { InputError } from "equitopo";

/** Where data sets are, for units that train. */
const { data } = workerData as { readonly data?: string };

parentPort!.on("message", async (unit: Unit) => {
  try {
    parentPort!.postMessage({ result: unit.kind === "training" ? await train(unit) : runUnit(unit) });
  } catch (error) {
    const { message, stack } = error as Error;
    // Classes do not survive the way between threads.
    const input =
      error instanceof InputError ? { rule: error.rule, value: error.value, remedy: error.remedy } : undefined;
    parentPort!.postMessage({ error: { message, stack, input } });
  }
});

async function train(unit: TrainingUnit): Promise<TrainingResult> {
  const { runTrainingUnit } = await import("../train/training-unit.ts");
  return runTrainingUnit(unit, data, (progress) => parentPort!.postMessage({ progress }));
}
