/**
 * A peer's checkpoints in a file that only its owner can read. Written beside its place, synced and renamed, and the folder
 * synced: a crash while it is written leaves the one before, which is kept as FILE.previous; half a file that a killed
 * program has left is removed at the next start. The file is one peer's own: where another program has written it since,
 * that is an error, and nothing is saved.
 */

import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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
  /** Which file was there at the last look. */
  let known: string | undefined;
  const current = () =>
    stat(path).then(
      ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
      () => "none",
    );
  return {
    name: path,
    async load() {
      await removeHalves(path);
      known = await current();
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
      const [before, found] = [known, await current()];
      known = found;
      if (before !== undefined && before !== found && found !== "none") {
        throw new InputError(
          "a checkpoint file must be one peer's own",
          path,
          "another writes it too: name it with %r",
        );
      }
      try {
        const file = await open(temporary, "w", ownerOnly);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(path, previous).catch(() => {});
        await rename(temporary, path);
        known = await current();
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        const { code } = error as NodeJS.ErrnoException;
        throw new InputError(`the checkpoint must be writable (${code})`, path, `check the folder ${dirname(path)}`);
      }
    },
  };
}

/** What a peer keeps may show its data: rights of a new file. */
export const ownerOnly = 0o600;

/** Renames last through a power cut only once their folder is synced; some systems cannot open a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** What programs that no longer run have left of files they were writing. A number may have been given again, to this one. */
async function removeHalves(path: string): Promise<void> {
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const pid = name.startsWith(`${basename(path)}.`) && /^\.(\d+)\.tmp$/.exec(name.slice(basename(path).length))?.[1];
    if (pid && (Number(pid) === process.pid || !runs(Number(pid))))
      await rm(join(dirname(path), name), { force: true });
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
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
