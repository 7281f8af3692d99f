/** A worker thread of the pool: one unit in, one result out. */

import { parentPort } from "node:worker_threads";
import { runUnit, type Unit } from "@equitopo/experiments";
import { InputError } from "equitopo";

parentPort!.on("message", (unit: Unit) => {
  try {
    parentPort!.postMessage({ result: runUnit(unit) });
  } catch (error) {
    const { message, stack } = error as Error;
    parentPort!.postMessage({ error: { message, stack, input: error instanceof InputError } });
  }
});
