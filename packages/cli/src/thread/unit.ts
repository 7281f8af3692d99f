/** A worker thread of the pool: one unit in, one result out, and reports of its progress in between. */

import { parentPort, workerData } from "node:worker_threads";
import { InputError, type RunOptions, runSpecAsync } from "equitopo";
import { isLearning, type Unit } from "equitopo/internal/outcome";
import { loadInheritedPlugins } from "../plugin.ts";
import { contextOf } from "../run/context.ts";
import { keeperOf } from "../run/keeper.ts";
import type { Job, Reply, WorkerSetting } from "../run/pool.ts";

await loadInheritedPlugins();

const port = parentPort as NonNullable<typeof parentPort>;
const tell = (reply: Reply) => port.postMessage(reply);
const setting = workerData as WorkerSetting;
let stop = new AbortController();

/** A run of a spec, or what the study's module does. */
async function runUnit(unit: Unit, options: RunOptions): Promise<unknown> {
  if (isLearning(unit)) return runSpecAsync(unit.run, options);
  return (await import(setting.study as string)).runUnit(unit, options);
}

/** Milliseconds between two reports of a unit's progress. */
const pause = 100;

port.on("message", async (job: Job) => {
  if (job === "stop") {
    stop.abort(new Error("stopped"));
    return;
  }
  stop = new AbortController();
  const { unit, checkpoint } = job;
  let last = performance.now();
  try {
    const result = await runUnit(unit, {
      context: contextOf(setting),
      signal: stop.signal,
      ...(checkpoint === undefined || !isLearning(unit) ? {} : keeperOf(checkpoint, unit.run)),
      onProgress(done, rounds) {
        if (performance.now() - last < pause) return;
        last = performance.now();
        tell({ progress: done / rounds });
      },
      onEvaluation: (updates, metrics) => tell({ evaluation: { updates, metrics } }),
      onFile: (name, bytes) => tell({ file: { name, bytes } }),
    });
    tell({ result });
  } catch (error) {
    const { message, stack = "" } = error as Error;
    // Classes do not survive the way between threads.
    const { rule, value, remedy } = error as InputError;
    tell({ error: { message, stack, ...(error instanceof InputError ? { input: { rule, value, remedy } } : {}) } });
  }
});
