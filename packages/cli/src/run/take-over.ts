/**
 * Finished units of work from other run folders: a table is put together from what several machines, or one in several
 * stretches, have computed. A unit is taken over where its kind and all that it was asked for are the same, whatever it
 * was called there.
 */

import type { Unit } from "@equitopo/experiments";
import { InputError } from "equitopo";
import { canonicalJson, type FolderUnit, toExactJson } from "equitopo/run";
import { readRun } from "../report/read-run.ts";
import type { Versions } from "../report/run-folder.ts";

export interface TakenOver {
  /** By the key of the wanted unit. */
  readonly results: ReadonlyMap<string, unknown>;
  /** What computed them. */
  readonly versions: readonly Versions[];
}

/** The results of those `wanted` that are finished in these folders. */
export function takeOver(
  wanted: readonly { readonly key: string; readonly unit: Unit }[],
  folders: readonly string[],
): TakenOver {
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
