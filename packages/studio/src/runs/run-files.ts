/** Which runs lie among files that a person picked or dropped, or that a studio serves. Pure: only names are looked at. */

/** A file that can be read when it is needed. */
export interface Readable {
  /** With the folders above it: runs/mine/spec.json. */
  readonly path: string;
  readonly bytes: number;
  read(): Promise<Uint8Array>;
}

/** A folder with a spec.json, and the files directly in it. */
export interface RunFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, Readable>;
}

/** Larger files (trained models) are not read: nothing of them is shown. */
export const mostBytes = 1 << 25;

/** In the order of their names. O(files). */
export function runsAmong(files: readonly Readable[]): RunFiles[] {
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
export async function bytesOf({ files }: RunFiles): Promise<Map<string, Uint8Array>> {
  const read = [...files].filter(([, { bytes }]) => bytes <= mostBytes);
  return new Map(await Promise.all(read.map(async ([name, file]) => [name, await file.read()] as const)));
}

const readable = (path: string, file: File): Readable => ({
  path,
  bytes: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
});

/** Of an input for folders. */
export function pickedFiles(list: FileList): Readable[] {
  return [...list].map((file) => readable(file.webkitRelativePath || file.name, file));
}

/** Of a drop. What was dropped can be asked for only before the event is over; it may be read later. */
export async function droppedFiles({ items }: DataTransfer): Promise<Readable[]> {
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = dropped.map(({ entry, file }) =>
    // What is no part of a file system (from another program, or a page) has no entry, but is a file.
    entry !== null ? below(entry) : file === null ? [] : [readable(file.name, file)],
  );
  return (await Promise.all(found)).flat();
}

async function below(entry: FileSystemEntry): Promise<Readable[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [readable(entry.fullPath.replace(/^\//, ""), file)];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  // A reader hands out so many at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(below))).flat();
}
