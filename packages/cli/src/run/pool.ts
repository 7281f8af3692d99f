/**
 * Units of work on worker threads, as many as the machine has cores. Which worker does a unit changes nothing in its
 * result; results arrive in the order in which they are finished.
 */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Unit, UnitResult } from "@equitopo/experiments";
import { InputError } from "equitopo";

export interface PoolOptions {
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Where data sets are, for units that train. */
  readonly data?: string;
  /** How much of a long unit is done, from 0 to 1. */
  readonly onProgress?: (unit: Unit, share: number) => void;
  /** Called for every finished unit; what it stores is safe from then on. */
  readonly onResult: (unit: Unit, result: UnitResult) => void | Promise<void>;
}

interface Reply {
  readonly progress?: number;
  readonly result?: UnitResult;
  readonly error?: {
    readonly message: string;
    readonly stack?: string;
    /** Where it is about input. */
    readonly input?: { readonly rule: string; readonly value: string; readonly remedy: string };
  };
}

/** Runs all units, or throws the first error; an abort ends the workers at once and throws its reason. */
export async function runUnits(units: readonly Unit[], options: PoolOptions): Promise<void> {
  const count = Math.min(units.length, options.workers ?? availableParallelism());
  const workers = Array.from({ length: count }, () => {
    return new Worker(new URL("./worker.js", import.meta.url), { workerData: { data: options.data } });
  });
  let next = 0;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        while (next < units.length) {
          options.signal?.throwIfAborted();
          const unit = units[next++];
          await options.onResult(unit, await ask(worker, unit, options));
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, unit: Unit, { signal, onProgress }: PoolOptions): Promise<UnitResult> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const fail = (error: Error) => {
      settled.abort();
      reject(error);
    };
    const onMessage = ({ progress, result, error }: Reply) => {
      if (progress !== undefined) {
        onProgress?.(unit, progress);
        return;
      }
      settled.abort();
      if (result !== undefined) resolve(result);
      else reject(errorOf(unit, error!));
    };
    const onExit = (code: number) => fail(new Error(`${unit.key}: the worker ended with code ${code}`));
    worker.on("message", onMessage).once("error", fail).once("exit", onExit);
    settled.signal.addEventListener("abort", () => {
      worker.off("message", onMessage).off("error", fail).off("exit", onExit);
    });
    signal?.addEventListener("abort", () => fail(signal.reason), { signal: settled.signal });
    worker.postMessage(unit);
  });
}

function errorOf(unit: Unit, { message, stack, input }: NonNullable<Reply["error"]>): Error {
  if (input === undefined) return Object.assign(new Error(`${unit.key}: ${message}`), { stack });
  const { rule, value, remedy } = input;
  return Object.assign(new InputError(rule, undefined, remedy), { value, message });
}
