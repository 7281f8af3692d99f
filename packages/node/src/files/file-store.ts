/**
 * A peer's checkpoints in a file. Written beside its place, synced and renamed: a crash while it is written leaves the one
 * before, which is kept as FILE.previous.
 */

import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "equitopo";
import type { Store } from "equitopo/peer";

/**
 * The store at a path.
 *
 * @example
 * ```ts
 * import { fileStore } from "@equitopo/node";
 * await fileStore("/nowhere/peer.ckpt").load() // => []
 * ```
 */
export function fileStore(path: string): Store {
  const previous = `${path}.previous`;
  return {
    name: path,
    async load() {
      const found = [await contentOf(path), await contentOf(previous)].filter((content) => content !== undefined);
      const troubles = found.filter((content) => typeof content === "string");
      if (troubles.length > 0 && troubles.length === found.length) {
        throw new InputError(`the checkpoint must be readable (${troubles[0]})`, path, "check whose it is");
      }
      // One that cannot be read is damaged: the other serves.
      return found.map((content) => (typeof content === "string" ? new Uint8Array(0) : content));
    },
    async save(bytes) {
      const temporary = `${path}.${process.pid}.tmp`;
      try {
        const file = await open(temporary, "w");
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(path, previous).catch(() => {});
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        const { code } = error as NodeJS.ErrnoException;
        throw new InputError(`the checkpoint must be writable (${code})`, path, `check the folder ${dirname(path)}`);
      }
    },
  };
}

/** A peer's own file: %r stands for its rank. */
export function checkpointPath(pattern: string, rank: number): string {
  return pattern.replaceAll("%r", String(rank));
}

/** The bytes; undefined where there are none; the code of what went wrong where they cannot be read. */
async function contentOf(path: string): Promise<Uint8Array | string | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "ENOENT" ? undefined : code;
  }
}
