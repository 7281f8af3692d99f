/** What real peers made of their runs, for the person who launched them: exchanges, faults, who is missing. */

import type { RunResult } from "equitopo";
import { note } from "../output.ts";
import type { CommonOptions } from "../session.ts";
import type { RealResult } from "./gathered.ts";
import { exchangesText, faultsText } from "./peer-summary.ts";
import type { LaunchVerdict } from "./verdict.ts";

/** One line for each run, one for all exchanges, and one for each complaint. Answers the exit code. */
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
