/** Whether npm's registry answers. Asked first, and with little patience: npm's own would be minutes for every request. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What is wrong, as one sentence; nothing where it answers, if only to say that it knows no ping. */
export async function registryTrouble() {
  const flags = ["ping", "--fetch-timeout=10000", "--fetch-retries=0", "--loglevel=error"];
  try {
    await run("npm", flags, { timeout: 30_000, shell: process.platform === "win32" });
  } catch ({ killed, stderr }) {
    const [, why] = /(ENOTFOUND|EAI_AGAIN|ECONN\w+|E\w*UNREACH|ETIMEDOUT|network timeout)/.exec(stderr) ?? [];
    if (killed || why !== undefined) return `npm's registry does not answer (${why ?? "no word in 30 s"})`;
  }
}
