/** What one peer says of itself when it has ended: what it did, what went wrong, and whether that was worth anything. */

import type { Counts, PeerSummary, Transport } from "equitopo/peer";
import { print, printJson } from "../output.ts";
import type { CommonOptions } from "../session.ts";
import { peerComplaints } from "./verdict.ts";

export interface SummaryOptions extends CommonOptions {
  readonly aloneOk?: true;
}

/** `hashes` are those of its last row of each run; `more` is what else is known, for --json. Answers the exit code. */
export async function printPeer(
  { rank, counts }: Transport,
  summary: PeerSummary,
  hashes: readonly string[],
  { json, aloneOk }: SummaryOptions,
  more: object = {},
): Promise<number> {
  const complaints = peerComplaints(summary);
  for (const complaint of complaints) process.stderr.write(`peer ${rank}: ${complaint}\n`);
  const code = complaints.length === 0 || aloneOk === true ? 0 : 1;
  if (json) {
    await printJson({
      rank,
      ...summary,
      ...counts,
      ...more,
      refused: Object.fromEntries(counts.refused),
      rowHashes: hashes,
      complaints,
    });
    return code;
  }
  const back = summary.rejoined === undefined ? "" : `, rejoined at iteration ${summary.rejoined}`;
  await print([
    `peer ${rank}: ${summary.done} iterations, ${summary.skipped} skipped${back}; ${counts.sentBytes} bytes sent; row ` +
      `${hashes.at(-1)?.slice(0, 12)}\n`,
    `peer ${rank}: ${exchangesText(summary.exchanges)}; ${faultsText(counts)}\n`,
  ]);
  return code;
}

export function exchangesText({ planned, done }: PeerSummary["exchanges"]): string {
  return `${done} of ${planned} exchanges took place`;
}

type FaultCounts = Pick<Counts, "missed" | "voided" | "late" | "unsent" | "reconnects" | "refused">;

/** What went wrong, by kind; refusals by their reasons. */
export function faultsText({ missed, voided, late, unsent, reconnects, refused }: FaultCounts): string {
  const reasons = Array.from(refused, ([reason, count]) => `${count} ${reason}`).join(", ");
  const parts = [
    [missed, "messages missed"],
    [voided, "exchanges void"],
    [late, "late"],
    [unsent, "unsent"],
    [reconnects, "connections made again"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (reasons !== "") told.push(`refused: ${reasons}`);
  return told.length === 0 ? "no faults" : told.join(", ");
}
