/**
 * Finished units of work from other run folders: a table is put together from what several machines, or one in several
 * stretches, have computed. A unit is taken over where its kind and all that it was asked for are the same, whatever it
 * was called there.
 */

import { InputError } from "equitopo";
import { canonicalJson, type FolderUnit, toExactJson } from "equitopo/internal/run";
import type { Unit } from "equitopo/outcome";
import { readRun } from "../folder/finished-run.ts";
import type { Versions } from "../folder/run-folder.ts";

/** The results of those `wanted` that are finished in these folders, by their keys, and what computed them. */
export function takeOver(wanted: readonly { readonly key: string; readonly unit: Unit }[], folders: readonly string[]) {
  const results = new Map<string, unknown>();
  const versions: Versions[] = [];
  for (const folder of folders) {
    const content = readRun(folder, "--take");
    const finished = new Map(
      content.spec.units
        .filter(({ key }) => content.results.has(key))
        .map(({ key, unit }) => [identityOf(unit), content.results.get(key)] as const),
    );
    const found = wanted.filter(({ unit }) => finished.has(identityOf(unit)));
    for (const { key, unit } of found) results.set(key, finished.get(identityOf(unit)));
    if (found.length === 0) {
      throw new InputError("--take needs a folder with some of the units that are asked for", folder, "leave it out");
    }
    const { earlier = [], ...own } = content.versions as unknown as Versions;
    versions.push(...earlier, own);
  }
  return { results, versions };
}

/** Everything but what it is called. */
function identityOf(given: Unit | FolderUnit["unit"]): string {
  const { key: _key, ...unit } = toExactJson(given, "unit") as Record<string, unknown>;
  const { label: _label, ...run } = Object(unit["run"]) as Record<string, unknown>;
  return canonicalJson({ ...unit, run });
}
