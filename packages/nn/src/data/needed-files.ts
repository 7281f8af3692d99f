/**
 * Which files a node reads for its data, for whoever has no folder of them and asks a person: nothing, files of a folder,
 * or (own data with a file for each node) single files by what they are for, whatever the person's are called.
 */

import { settle } from "equitopo/internal/input";
import { named } from "../options.ts";
import type { WantedFiles } from "./member.ts";
import { own } from "./own.ts";
import { type DataSpec, dataSets } from "./registry.ts";

export interface DataFile {
  /** As the node asks for it. */
  readonly name: string;
  readonly what: "examples" | "labels" | "test examples" | "test labels";
}

export type NeededFiles =
  | { readonly kind: "none" }
  | { readonly kind: "folder"; readonly wanted: WantedFiles }
  | {
      readonly kind: "files";
      readonly files: readonly DataFile[];
      /** What the node's own pictures are made to, where its examples may come as pictures (.npy of height x width x channels). */
      readonly pictures?: { readonly shape: readonly number[]; readonly classes: number };
    };

/**
 * What node `node` of a classification problem over this data reads. O(1).
 *
 * @example
 * ```ts
 * import { neededFiles } from "@equitopo/nn";
 * const data = { name: "own", file: "ward-%r.csv", test: "test.csv", classes: 2, shape: [30], stepsPerEpoch: 4 };
 * const needed = neededFiles(data, 3);
 * needed.kind === "files" && needed.files.map(({ name }) => name) // => ["ward-3.csv", "test.csv"]
 * neededFiles("synthetic", 3).kind // => "none"
 * ```
 */
export function neededFiles(spec: DataSpec, node: number): NeededFiles {
  const { name, options } = named("data", spec);
  const { wanted } = dataSets.get(name);
  if (wanted === undefined) return { kind: "none" };
  if (name !== own.name || options["file"] === undefined) return { kind: "folder", wanted };
  const { file, labels, test, testLabels, shape, classes } = settle(name, own.options, options);
  const all: readonly (readonly [string | undefined, DataFile["what"]])[] = [
    [file, "examples"],
    [labels, "labels"],
    [test, "test examples"],
    [testLabels, "test labels"],
  ];
  const files = all.flatMap(([one, what]) =>
    one === undefined ? [] : [{ name: one.replaceAll("%r", `${node}`), what }],
  );
  const drawn = labels !== undefined && shape?.length === 3 && classes !== undefined;
  return { kind: "files", files, ...(drawn ? { pictures: { shape, classes } } : {}) };
}
