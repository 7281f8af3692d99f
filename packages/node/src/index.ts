/** What Node adds to equitopo: peers over TCP and threads, certificates, checkpoints in files, work on many cores. */

export { folderFiles } from "./files/folder.ts";
export { type ThreadPool, threadPool } from "./threads/pool.ts";
