/** Units of work in this very process, one after another: for specs that hold objects, which no other thread has. */

import { runUnit } from "@equitopo/experiments";
import { InputError, type SpecDocument } from "equitopo";
import { holdsObjects } from "equitopo/run";
import { contextOf } from "./context.ts";
import { keeperOf } from "./keeper.ts";
import type { runUnits } from "./pool.ts";

export const runHere: typeof runUnits = async (units, options) => {
  const { signal, data, checkpointOf, onProgress, onEvaluation, onFile, onResult } = options;
  for (const unit of units) {
    const checkpoint = checkpointOf?.(unit);
    const files: (void | Promise<void>)[] = [];
    const result = await runUnit(unit, {
      context: contextOf(data === undefined ? {} : { data }),
      ...(signal === undefined ? {} : { signal }),
      ...(checkpoint === undefined || unit.kind !== "learning" ? {} : keeperOf(checkpoint, unit.run)),
      onProgress: (done, rounds) => onProgress?.(unit, done / rounds),
      onEvaluation: (updates, metrics) => onEvaluation?.(unit, updates, metrics),
      onFile: (name, bytes) => void files.push(onFile?.(unit, name, bytes)),
    });
    await Promise.all(files);
    await onResult(unit, result);
  }
};

/** Refuses what needs others to have the objects of a spec, by the words that asked for it. */
export function requireNames(document: SpecDocument, words: string): void {
  if (!holdsObjects(document)) return;
  throw new InputError(
    `${words} needs a spec of names: objects in a .mjs file are in this process only`,
    "a spec that holds objects",
    "put them into a plug-in (equitopo guide plugins)",
  );
}
