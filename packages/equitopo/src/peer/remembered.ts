/** A peer that keeps a history of its runs (history.ts): its first and last words, and its rows at both ends of each run. */

import { InputError } from "../input/input.ts";
import { textHash } from "../run/journal.ts";
import type { RunSpec } from "../run/spec.ts";
import { createTopology } from "../topology/registry.ts";
import { type Historian, historyVersion, longestRow } from "./history.ts";
import { type PeerRecord, type PeerSummary, type SpecPeerOptions, specText } from "./spec-peer.ts";

/** Throws where histories of these runs could not be checked: in groups nobody multiplies by a row of W of its own. */
export function requireCheckable(runs: readonly RunSpec[]): void {
  const run = runs.find(({ topology }) => createTopology(topology).hierarchy !== undefined);
  if (run === undefined) return;
  throw new InputError(
    "histories are of peers that mix by themselves: what groups do with their sums cannot be checked",
    run.label,
    "leave out --history, or hierarchy in the spec",
  );
}

export async function rememberedPeer(
  options: SpecPeerOptions,
  history: Historian,
  work: (options: SpecPeerOptions) => Promise<PeerSummary>,
): Promise<PeerSummary> {
  const { transport, runs } = options;
  const { rank, size } = transport;
  requireCheckable(runs);
  const spec = textHash(specText(options)).slice(0, 16);
  history({ kind: "peer", version: historyVersion, rank, size, spec });
  transport.history = history;
  const onRecord = (record: PeerRecord): void => {
    const { run, updates, x } = record;
    options.onRecord?.(record);
    if ((updates !== 0 && updates !== runs[run].rounds) || x.length > longestRow) return;
    history({ kind: "row", run, updates, x: [...x] });
  };
  try {
    const summary = await work({ ...options, onRecord });
    history({ kind: "end" });
    return summary;
  } finally {
    transport.history = undefined;
  }
}
