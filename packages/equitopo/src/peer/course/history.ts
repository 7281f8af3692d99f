/** A peer that keeps a history of its runs (history.ts): its first and last line, and its rows at both ends of each run. */

import { hashOf } from "../../number/quick-hash.ts";
import type { PeerRecord } from "../../run/course/row-course.ts";
import { driverOf, requireFeatures } from "../../run/features/driver.ts";
import { featuresOf } from "../../run/features/feature.ts";
import { textHash } from "../../run/folder.ts";
import type { RunSpec } from "../../run/spec.ts";
import { type Historian, historyVersion } from "../history/history.ts";
import { type PeerSummary, type SpecPeerOptions, specText } from "./options.ts";

/** Numbers in the longest row that is written down whole. */
const longestRow = 64;

/** Throws if histories of these runs could not be checked. */
export function requireCheckable(runs: readonly RunSpec[]): void {
  for (const run of runs) requireFeatures(driverOf("peer", run), featuresOf(run, { history: true }));
}

type Work = (options: SpecPeerOptions) => Promise<PeerSummary>;

export async function peerWithHistory(options: SpecPeerOptions, history: Historian, work: Work): Promise<PeerSummary> {
  const { transport, runs } = options;
  const { rank, size } = transport;
  const spec = textHash(specText(options)).slice(0, 16);
  history({ kind: "peer", version: historyVersion, rank, size, spec });
  transport.history = history;
  const onRecord = (record: PeerRecord): void => {
    const { run, updates, x } = record;
    options.onRecord?.(record);
    if (updates !== 0 && updates !== runs[run].rounds) return;
    history({ kind: "row", run, updates, x: x.length > longestRow ? [] : [...x], hash: hashOf(x) });
  };
  try {
    const summary = await work({ ...options, onRecord });
    history({ kind: "end" });
    return summary;
  } finally {
    transport.history = undefined;
  }
}
