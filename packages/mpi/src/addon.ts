/**
 * The native addon, as TypeScript sees it, and how it is found. An installed package has its sources: where the addon is not
 * there it is built at its first use, which takes a C compiler and seconds.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export interface Library {
  /** What the library says of itself. */
  readonly version: string;
  readonly mpich: boolean;
  /** Whether it can go on after a rank's death (MPIX_Comm_shrink). */
  readonly ulfm: boolean;
}

export interface Addon {
  load(path: string): Library;
  start(onEnd: (ends: Int32Array) => void): void;
  /** Starts requests first, first + 1, ...: three numbers (kind, peer, tag) and one memory for each. */
  post(first: number, numbers: Int32Array, memories: readonly ArrayBufferView[]): void;
  shrink(): void;
  stop(): void;
  errorText(code: number): string;
}

export const kinds = { send: 0, receive: 1, letters: 5 } as const;
/** Letters that are received together at most. */
export const together = 16;
export const ends = { started: -1, shrunk: -2, stopped: -3 } as const;

const file = fileURLToPath(new URL("../dist/native/equitopo-mpi.node", import.meta.url));
const builder = fileURLToPath(new URL("../scripts/build-native.mjs", import.meta.url));

/** Why MPI cannot be used here: what is missing, and what to do about it. */
export class MpiError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MpiError";
  }
}

/** The addon with libmpi loaded; `path` names a library where the usual names do not find it. */
export function loadAddon(path: string = process.env["EQUITOPO_LIBMPI"] ?? ""): { addon: Addon; library: Library } {
  if (!existsSync(file)) {
    const { stderr } = spawnSync(process.execPath, [builder], { encoding: "utf8" });
    if (!existsSync(file)) {
      throw new MpiError(
        `the MPI addon is not built, for it needs a C compiler and Node's headers (Debian: apt install build-essential ` +
          `libnode-dev), then: node ${builder}\n${stderr.trim()}`,
      );
    }
  }
  const addon = createRequire(import.meta.url)(file) as Addon;
  try {
    return { addon, library: addon.load(path) };
  } catch (error) {
    throw new MpiError(
      `libmpi could not be loaded (${(error as Error).message}); install Open MPI or MPICH (Debian: apt install ` +
        "openmpi-bin; macOS: brew install open-mpi), or name the library in EQUITOPO_LIBMPI",
    );
  }
}
