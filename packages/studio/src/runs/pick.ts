/** Files from a person's own disk: a folder that is picked, or dropped onto the page. They are read here and go nowhere. */

import type { Readable } from "./opened.ts";

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
