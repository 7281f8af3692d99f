/** Which runs lie among files that a person picked or dropped, or that a studio serves. Pure: only names are looked at. */

/** A file that can be read when it is needed. */
export interface Readable {
  /** With the folders above it: runs/mine/spec.json. */
  readonly path: string;
  readonly bytes: number;
  read(): Promise<Uint8Array>;
}

/** A folder with a spec.json, and the files directly in it. */
export interface OpenedRun {
  readonly name: string;
  readonly files: ReadonlyMap<string, Readable>;
}

/** Larger files (trained models) are not read: nothing of them is shown. */
export const mostBytes = 1 << 25;

/** In the order of their names. O(files). */
export function runsAmong(files: readonly Readable[]): OpenedRun[] {
  const folders = new Map<string, Map<string, Readable>>();
  for (const file of files) {
    const at = file.path.lastIndexOf("/");
    const folder = file.path.slice(0, Math.max(0, at));
    if (!folders.has(folder)) folders.set(folder, new Map());
    folders.get(folder)?.set(file.path.slice(at + 1), file);
  }
  return [...folders]
    .filter(([, found]) => found.has("spec.json"))
    .map(([folder, found]) => ({ name: folder.slice(folder.lastIndexOf("/") + 1) || "run", files: found }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The bytes of a run's files by name, those that are too large left out. */
export async function bytesOf({ files }: OpenedRun): Promise<Map<string, Uint8Array>> {
  const read = [...files].filter(([, { bytes }]) => bytes <= mostBytes);
  return new Map(await Promise.all(read.map(async ([name, file]) => [name, await file.read()] as const)));
}
