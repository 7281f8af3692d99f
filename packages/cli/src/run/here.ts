/** Units of work in this very process, one after another: for specs that hold objects, which no other thread has. */

import { InputError, runSpecAsync, type SpecDocument } from "equitopo";
import { holdsObjects } from "equitopo/internal/run";
import type { LearningUnit } from "equitopo/outcome";
import type { runUnits } from "./pool.ts";
import { runOptionsOf, sharedOptions } from "./unit.ts";

export const runHere: typeof runUnits = async (units, options) => {
  for (const unit of units as readonly LearningUnit[]) {
    const files: (void | Promise<void>)[] = [];
    const result = await runSpecAsync(unit.run, { ...sharedOptions(options), ...runOptionsOf(unit, options, files) });
    await Promise.all(files);
    await options.onResult(unit, result);
  }
};

/** Refuses what needs others to have the objects of a spec, by the words that asked for it. */
export function requireNames(document: SpecDocument, words: string): void {
  if (!holdsObjects(document)) return;
  const rule = `${words} needs a spec of names: objects in a .mjs file are in this process only`;
  throw new InputError(rule, "a spec that holds objects", "put them into a plug-in (equitopo guide plugins)");
}
