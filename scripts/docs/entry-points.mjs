/** What the packages export but for `internal`, by the name that a program imports it by: `equitopo/peer` is packages/equitopo/src/peer/index.ts. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folders = [
  "packages/equitopo",
  "packages/nn",
  "packages/node",
  "packages/web",
  "packages/rtc",
  "packages/gpu",
  "packages/mpi",
  "experiments",
];

/** Pairs of a name and the source file behind it, the library itself first. */
export function entryPoints(root) {
  return folders.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return Object.entries(exports)
      .filter(([subpath, target]) => target.types !== undefined && !subpath.startsWith("./internal"))
      .map(([subpath, { types }]) => [
        `${name}${subpath.slice(1)}`,
        sourceOf(join(root, folder), types.replace(/^\.\/dist\//, "").replace(/\.d\.ts$/, ".ts")),
      ]);
  });
}

/** Most packages keep their sources in src/; the experiments are all sources. */
function sourceOf(folder, file) {
  return join(folder, existsSync(join(folder, "src")) ? "src" : "", file);
}
