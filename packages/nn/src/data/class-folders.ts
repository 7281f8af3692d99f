/**
 * Images in folders by class: the last folder of a picture's path is its class. Folders 0, 1, 2, ... are these classes;
 * words are numbered in alphabetical order, as in tables, and then all classes must be there: everyone who trains with the
 * same network has to number them alike without seeing the others' folders.
 */

import { InputError } from "equitopo/internal/input";

/** A file is a picture by its ending. */
const picture = /\.(png|jpe?g|gif|webp|bmp|avif)$/i;

export interface LabelledPath {
  readonly path: string;
  readonly label: number;
}

/**
 * The pictures among these paths, sorted, each with its class; other files are left out. O(paths log paths).
 *
 * @example
 * ```ts
 * import { classFolders } from "@equitopo/nn";
 * const found = classFolders(["pets/dog/b.png", "pets/cat/a.jpg", "pets/notes.txt"], 2);
 * found.map(({ path, label }) => `${path} ${label}`).join() // => "pets/cat/a.jpg 0,pets/dog/b.png 1"
 * ```
 */
export function classFolders(paths: readonly string[], classes: number): LabelledPath[] {
  const found = paths.filter((path) => picture.test(path)).sort();
  const folderOf = (path: string) => path.split("/").at(-2) ?? "";
  const folders = [...new Set(found.map(folderOf))].sort();
  if (found.length === 0 || folders.includes("")) {
    throw new InputError(
      "a folder of pictures holds a folder for each class, with .png, .jpg, .gif, .webp, .bmp or .avif files in it",
      found.find((path) => folderOf(path) === "") ?? `${paths.length} files and no picture`,
      "pick the folder above those of the classes",
    );
  }
  const numbered = folders.every((name) => /^\d{1,4}$/.test(name));
  if (!numbered && folders.length !== classes) {
    const rule = `folders that are named by words are there for all ${classes} classes`;
    throw new InputError(rule, folders.join(", "), `name each folder by its class's number, 0 to ${classes - 1}`);
  }
  return found.map((path) => {
    const label = numbered ? Number(folderOf(path)) : folders.indexOf(folderOf(path));
    if (label < classes) return { path, label };
    const remedy = "move the folder away, or ask for a spec with more classes";
    throw new InputError(`folders of classes are 0 to ${classes - 1}`, folderOf(path), remedy);
  });
}
