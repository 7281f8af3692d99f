/** What a problem finds around it on this machine: the files of data sets, and cores. */

import { folderFiles, type ThreadPool, threadPool } from "@equitopo/node";
import type { ProblemContext } from "equitopo";
import "../registries.ts";

/** Where data is looked for unless --data says so. */
export const dataVariable = "EQUITOPO_DATA";

export interface ContextOptions {
  /** The folder of data sets. */
  readonly data?: string;
  readonly threads?: number;
}

/** One pool for all that this process or thread does. */
let pool: ThreadPool | undefined;

export function contextOf({ data, threads = 1 }: ContextOptions): ProblemContext {
  if (threads > 1) pool ??= threadPool(threads, { imports: [new URL("../plugin-thread.js", import.meta.url).href] });
  return {
    files: folderFiles(data ?? process.env[dataVariable]),
    ...(pool === undefined ? {} : { crew: pool }),
  };
}
