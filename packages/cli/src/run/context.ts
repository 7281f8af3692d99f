/** What a problem finds around it on this machine: the files of data sets, and cores. */

import { createHash } from "node:crypto";
import { folderFiles, type ThreadPool, threadPool } from "@equitopo/node";
import type { ProblemContext } from "equitopo";
import "../input/problems.ts";

/** Where data is looked for unless --data says so. */
export const dataVariable = "EQUITOPO_DATA";

/** One pool for all that this process or thread does. */
let pool: ThreadPool | undefined;

/**
 * The same context, with the SHA-256 of every file that is read through it: what a spec's check looks at (labels, tables)
 * goes into the folder's spec, so that a run is not gone on with over other data.
 */
export function watched(context: ProblemContext) {
  const { files } = context;
  const sums: Record<string, string> = {};
  if (files === undefined) return { context, sums };
  const read = (name: string) => {
    const bytes = files.read(name);
    sums[name] = createHash("sha256").update(bytes).digest("hex");
    return bytes;
  };
  return { context: { ...context, files: { ...files, read } }, sums };
}

/** `data` is the folder of data sets. */
export function contextOf({
  data,
  threads = 1,
}: {
  readonly data?: string | undefined;
  readonly threads?: number;
}): ProblemContext {
  if (threads > 1) pool ??= threadPool(threads, { imports: [new URL("../thread/pool.js", import.meta.url).href] });
  return {
    files: folderFiles(data ?? process.env[dataVariable]),
    ...(pool === undefined ? {} : { crew: pool }),
  };
}
