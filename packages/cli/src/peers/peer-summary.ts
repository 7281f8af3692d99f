/**
 * What one peer says of itself when it has ended, and all peers of a launch together: what was done, what went wrong, and
 * whether that was worth anything.
 */

import type { RunResult } from "equitopo";
import type { Counts, PeerSummary, Transport } from "equitopo/peer";
import type { CommonOptions } from "../terminal/flags.ts";
import { note, print, printJson } from "../terminal/output.ts";
import type { RealResult } from "./collector.ts";
import { type LaunchVerdict, peerComplaints } from "./verdict.ts";

/** `hashes` are those of its last row of each run; `more` is added to --json. Answers the exit code. */
export async function printPeer(
  { rank, counts }: Transport,
  summary: PeerSummary,
  hashes: readonly string[],
  { json, aloneOk }: CommonOptions & { readonly aloneOk?: true },
  more: object = {},
): Promise<number> {
  const complaints = peerComplaints(summary);
  for (const complaint of complaints) process.stderr.write(`peer ${rank}: ${complaint}\n`);
  const code = complaints.length === 0 || aloneOk === true ? 0 : 1;
  if (json) {
    const refused = Object.fromEntries(counts.refused);
    await printJson({ rank, ...summary, ...counts, ...more, refused, rowHashes: hashes, complaints });
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
  const faults = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (reasons !== "") faults.push(`refused: ${reasons}`);
  return faults.length === 0 ? "no faults" : faults.join(", ");
}

/** For the person who launched them: one line for each run, one for all exchanges, and one for each complaint. Answers the exit code. */
export function tellLaunch(results: readonly RunResult[], verdict: LaunchVerdict, options: CommonOptions): number {
  for (const { label, seed, real } of results as readonly RealResult[]) {
    const { missed, voided, late, unsent, reconnects, refused } = real.faults;
    const reasons = new Map(refused === 0 ? [] : [["frames", refused]]);
    const counts = { missed, voided, late, unsent, reconnects, refused: reasons };
    const lost = real.lost.length === 0 ? "" : `; did not reach the end: ${real.lost.join(" ")}`;
    note(`${label}, seed ${seed}: ${faultsText(counts)}${lost}`, options);
  }
  if (verdict.exchanges.planned > 0) note(exchangesText(verdict.exchanges), options);
  for (const complaint of verdict.complaints) process.stderr.write(`${complaint}\n`);
  return verdict.complaints.length === 0 ? 0 : 1;
}
