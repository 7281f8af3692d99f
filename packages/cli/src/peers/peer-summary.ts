/** What one peer says of itself when it has ended. */

import type { PeerSummary, Transport } from "equitopo/peer";
import { print, printJson } from "../output.ts";
import type { CommonOptions } from "../session.ts";

/** `hashes` are those of its last row of each run; `more` is what else is known, for --json. */
export async function printPeer(
  { rank, counts }: Transport,
  summary: PeerSummary,
  hashes: readonly string[],
  { json }: CommonOptions,
  more: object = {},
): Promise<void> {
  if (json) {
    await printJson({
      rank,
      ...summary,
      ...counts,
      ...more,
      refused: Object.fromEntries(counts.refused),
      rowHashes: hashes,
    });
    return;
  }
  const back = summary.rejoined === undefined ? "" : `, rejoined at iteration ${summary.rejoined}`;
  await print([
    `peer ${rank}: ${summary.done} iterations, ${summary.skipped} skipped${back}; ${counts.sentBytes} bytes sent, ` +
      `${counts.missed} messages missed, ${counts.voided} exchanges void; row ${hashes.at(-1)?.slice(0, 12)}\n`,
  ]);
}
