/** A peer that keeps a history of its runs (history.ts): its first and last words, and its rows at both ends of each run. */

import { textHash } from "../run/journal.ts";
import { type Historian, historyVersion, longestRow } from "./history.ts";
import { type PeerRecord, type PeerSummary, type SpecPeerOptions, specText } from "./spec-peer.ts";

export async function rememberedPeer(
  options: SpecPeerOptions,
  history: Historian,
  work: (options: SpecPeerOptions) => Promise<PeerSummary>,
): Promise<PeerSummary> {
  const { transport, runs } = options;
  const { rank, size } = transport;
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
