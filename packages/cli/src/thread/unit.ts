/** A worker thread of the pool: one unit in, one result out, and what is worth telling in between. */

import { parentPort, workerData } from "node:worker_threads";
import { runUnit } from "@equitopo/experiments";
import { InputError } from "equitopo";
import { loadInheritedPlugins } from "../plugin.ts";
import { contextOf } from "../run/context.ts";
import type { Job, Reply, WorkerSetting } from "../run/job.ts";
import { keeperOf } from "../run/keeper.ts";

await loadInheritedPlugins();

const port = parentPort as NonNullable<typeof parentPort>;
const tell = (reply: Reply) => port.postMessage(reply);
const setting = workerData as WorkerSetting;
let stop = new AbortController();

/** Milliseconds between two words on how far a unit is. */
const pause = 100;

port.on("message", async (job: Job) => {
  if (job === "stop") {
    stop.abort(new Error("stopped"));
    return;
  }
  stop = new AbortController();
  const { unit, checkpoint } = job;
  let told = performance.now();
  try {
    const result = await runUnit(unit, {
      context: contextOf(setting),
      signal: stop.signal,
      ...(checkpoint === undefined || unit.kind !== "learning" ? {} : keeperOf(checkpoint, unit.run)),
      onProgress(done, rounds) {
        if (performance.now() - told < pause) return;
        told = performance.now();
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
