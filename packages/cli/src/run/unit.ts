/** A unit of work done in this very process: what its run is given, and where its reports go. */

import type { RunOptions } from "equitopo";
import { defined } from "equitopo/internal/input";
import type { LearningUnit } from "equitopo/outcome";
import { contextOf } from "./context.ts";
import { keeperOf } from "./keeper.ts";
import type { PoolOptions } from "./pool.ts";

/** `files` takes what is still being written of what the unit leaves; `every` is the time between checkpoints. */
export function runOptionsOf(
  unit: LearningUnit,
  { checkpointOf, onProgress, onEvaluation, onFile }: PoolOptions,
  files: (void | Promise<void>)[],
  every?: number,
): RunOptions {
  return {
    ...(checkpointOf === undefined ? {} : keeperOf(checkpointOf(unit), unit.run, every)),
    onProgress: (done, rounds) => onProgress?.(unit, done / rounds),
    onEvaluation: (updates, metrics) => onEvaluation?.(unit, updates, metrics),
    onFile: (name, bytes) => void files.push(onFile?.(unit, name, bytes)),
  };
}

/** What all units of a process have in common. */
export const sharedOptions = ({ data, signal }: PoolOptions) => ({
  context: contextOf({ data }),
  ...defined({ signal }),
});
