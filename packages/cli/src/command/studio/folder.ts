/**
 * What a studio hands out of the folder it was given: the plain files of the run that it is, or of the runs in it. A file
 * is looked up by its name in this list, never by a path, so nothing outside can be asked for; links are not followed.
 */

import { lstatSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** The folder itself where it is a run, else those of its folders that are. Cost: a look at every file. */
export function listRuns(folder: string) {
  return places(folder).map(({ name, path }) => ({ name, files: filesIn(path) }));
}

/** Where a listed file is; undefined where there is none such. */
export function listedPath(folder: string, run: string, file: string): string | undefined {
  const place = places(folder).find(({ name }) => name === run);
  if (place === undefined || !filesIn(place.path).some(({ name }) => name === file)) return undefined;
  return join(place.path, file);
}

function places(folder: string): { readonly name: string; readonly path: string }[] {
  if (isRun(folder)) return [{ name: basename(resolve(folder)), path: folder }];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isRun(join(folder, entry.name)))
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A spec alone is no run: nothing came of a room that nobody entered, or has come of a run that has just begun. */
function isRun(path: string): boolean {
  const sizeOf = (name: string) => {
    const found = lstatSync(join(path, name), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : undefined;
  };
  return sizeOf("spec.json") !== undefined && (sizeOf("journal.ndjson") !== 0 || sizeOf("files.json") !== undefined);
}

function filesIn(path: string): { name: string; bytes: number }[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .flatMap(({ name }) => {
      // A run that goes on may have renamed it meanwhile.
      const found = lstatSync(join(path, name), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, bytes: found.size }];
    });
}
