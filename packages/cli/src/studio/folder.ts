/**
 * What a studio hands out of the folder it was given: the plain files of the run that it is, or of the runs in it. A file
 * is looked up by its name in this list, never by a path, so nothing outside can be asked for; links are not followed.
 */

import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

export interface RunListing {
  readonly name: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** The folder itself where it is a run, else those of its folders that are. Cost: a look at every file. */
export function listRuns(folder: string): RunListing[] {
  return places(folder).map(({ name, path }) => ({ name, files: filesIn(path) }));
}

/** The bytes of a listed file; undefined where there is none such. */
export function readListed(folder: string, run: string, file: string): Buffer | undefined {
  const place = places(folder).find(({ name }) => name === run);
  if (place === undefined || !filesIn(place.path).some(({ name }) => name === file)) return undefined;
  return readFileSync(join(place.path, file));
}

function places(folder: string): { readonly name: string; readonly path: string }[] {
  if (isRun(folder)) return [{ name: basename(resolve(folder)), path: folder }];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isRun(join(folder, entry.name)))
    .map(({ name }) => ({ name, path: join(folder, name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isRun = (path: string) => lstatSync(join(path, "spec.json"), { throwIfNoEntry: false })?.isFile() === true;

function filesIn(path: string): { name: string; bytes: number }[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .flatMap(({ name }) => {
      // A run that goes on may have renamed it meanwhile.
      const found = lstatSync(join(path, name), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, bytes: found.size }];
    });
}
