/**
 * Units of work on worker threads, as many as the machine has cores. Which worker does a unit changes nothing in its
 * result; results arrive in the order in which they are finished. A long unit keeps checkpoints, from which it goes on
 * bit for bit.
 */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { PeerEvent } from "@equitopo/node/internal";
import { InputError } from "equitopo";
import { defined } from "equitopo/internal/input";
import type { Unit } from "equitopo/outcome";

export interface PoolOptions {
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** The folder of data sets, for units that read them. */
  readonly data?: string;
  /** The module whose `runUnit` does units of other kinds than learning (a study's). */
  readonly study?: string;
  /** Where a unit's checkpoints are; without it none are kept. */
  readonly checkpointOf?: (unit: Unit) => string;
  /** How much of a long unit is done, from 0 to 1. */
  readonly onProgress?: (unit: Unit, share: number) => void;
  readonly onEvaluation?: (unit: Unit, updates: number, metrics: Readonly<Record<string, number>>) => void;
  /** Metrics that were taken along the way, where they are reported: real peers do. */
  readonly onRecord?: (unit: Unit, updates: number, metrics: Readonly<Record<string, number>>) => void;
  /** The events of real peers, and the peers that are gone. */
  readonly onPeerEvent?: (event: PeerEvent) => void;
  readonly onGone?: (rank: number) => void;
  /** A file that a unit leaves beside its result: a trained model. */
  readonly onFile?: (unit: Unit, name: string, bytes: Uint8Array) => void | Promise<void>;
  /** Called for every finished unit; what it stores is safe from then on. */
  readonly onResult: (unit: Unit, result: unknown) => void | Promise<void>;
}

/** What all units of a worker have in common. */
export interface WorkerSetting extends Pick<PoolOptions, "data" | "study"> {
  readonly threads: number;
}

/** A unit, with the file of its checkpoints; or a call to stop and save its state. */
export type Job = { readonly unit: Unit; readonly checkpoint?: string } | "stop";

export interface Reply {
  readonly progress?: number;
  readonly evaluation?: { readonly updates: number; readonly metrics: Readonly<Record<string, number>> };
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
  readonly result?: unknown;
  readonly error?: {
    readonly message: string;
    readonly stack?: string;
    /** Where it is about input. */
    readonly input?: { readonly rule: string; readonly value: string; readonly remedy: string };
  };
}

/** Milliseconds that an aborted unit has to save its state. */
const patience = 20_000;

/** Runs all units, or throws the first error; an abort lets the workers save their state and throws its reason. */
export async function runUnits(units: readonly Unit[], options: PoolOptions): Promise<void> {
  const cores = options.workers ?? availableParallelism();
  const count = Math.min(units.length, cores);
  const setting: WorkerSetting = {
    // Few units share the cores among them.
    threads: Math.max(1, Math.floor(cores / Math.max(1, count))),
    ...defined({ data: options.data, study: options.study }),
  };
  const workers = Array.from({ length: count }, () => {
    return new Worker(new URL("../thread/unit.js", import.meta.url), { workerData: setting });
  });
  let next = 0;
  const shifts = workers.map(async (worker) => {
    while (next < units.length) {
      options.signal?.throwIfAborted();
      const unit = units[next++];
      await options.onResult(unit, await ask(worker, unit, options));
    }
  });
  try {
    await Promise.all(shifts);
  } finally {
    // The first to have saved must not end the others while they save.
    if (options.signal?.aborted) await Promise.allSettled(shifts);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, unit: Unit, options: PoolOptions): Promise<unknown> {
  const { signal, checkpointOf, onProgress, onEvaluation, onFile } = options;
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const files: (void | Promise<void>)[] = [];
    const fail = (error: unknown) => {
      settled.abort();
      reject(error);
    };
    const onMessage = ({ progress, evaluation, file, result, error }: Reply) => {
      if (progress !== undefined) onProgress?.(unit, progress);
      else if (evaluation !== undefined) onEvaluation?.(unit, evaluation.updates, evaluation.metrics);
      else if (file !== undefined) files.push(onFile?.(unit, file.name, file.bytes));
      else if (result === undefined) fail(signal?.aborted ? signal.reason : errorOf(unit, error!));
      else {
        settled.abort();
        Promise.all(files).then(() => resolve(result), reject);
      }
    };
    const onExit = (code: number) => fail(new Error(`${unit.key}: the worker ended with code ${code}`));
    worker.on("message", onMessage).once("error", fail).once("exit", onExit);
    const stop = () => {
      worker.postMessage("stop" satisfies Job);
      setTimeout(() => fail(signal?.reason), patience).unref();
    };
    settled.signal.addEventListener("abort", () => {
      worker.off("message", onMessage).off("error", fail).off("exit", onExit);
    });
    signal?.addEventListener("abort", stop, { signal: settled.signal });
    worker.postMessage(defined({ unit, checkpoint: checkpointOf?.(unit) }) satisfies Job);
  });
}

function errorOf(unit: Unit, { message, stack, input }: NonNullable<Reply["error"]>): Error {
  if (input === undefined) return Object.assign(new Error(`${unit.key}: ${message}`), { stack });
  const { rule, value, remedy } = input;
  return Object.assign(new InputError(rule, undefined, remedy), { value, message });
}
