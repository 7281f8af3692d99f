/** Where all peers of a launch can go on together: the latest iteration that each of them has a checkpoint of. */

import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkpointPath, fileStore } from "@equitopo/node";
import type { RunSpec } from "equitopo";
import { readCheckpoint, runTexts } from "equitopo/internal/peer";

/** The peers' files beside those of the units in a folder; no unit's begins like them. */
const prefix = "peer-";

export const peerFiles = (folder: string) => join(folder, `${prefix}%r.checkpoint`);

/** Removes them, and what was being written when a peer was killed. */
export async function removePeerFiles(checkpoint: string): Promise<void> {
  const folder = dirname(checkpoint);
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  for (const name of names) await rm(join(folder, name), { force: true });
}

export interface PlaceOptions {
  readonly checkpoint: string;
  readonly n: number;
  readonly runs: readonly RunSpec[];
  readonly audit: number | undefined;
  /** Whether the first run can go on after so many updates. */
  readonly usable: (updates: number) => boolean;
}

interface Found {
  readonly bytes: Uint8Array;
  /** Which start it belongs to: places of different ones are not the same place. */
  readonly id: string;
  readonly round: number;
}

/**
 * The iteration of the first run that all go on from; undefined where they begin. Peers do the runs in order, so a peer in
 * a later run has finished the first, though its last report did not arrive: the first run is begun again. Checkpoints of
 * other iterations are removed, for peers go on from their last ones.
 */
export async function commonPlace(options: PlaceOptions): Promise<number | undefined> {
  const { checkpoint, n, usable } = options;
  const found = await Promise.all(Array.from({ length: n }, (_, rank) => checkpointsOf(options, rank)));
  const shared = found[0].filter((one) => found.every((list) => list.some((other) => same(one, other))));
  const place = shared.filter(({ round }) => usable(round)).sort((a, b) => b.round - a.round)[0];
  for (let rank = 0; rank < n; rank++) {
    const path = checkpointPath(checkpoint, rank);
    const kept = place && found[rank].find((one) => same(one, place));
    // In this order a checkpoint that is wanted exists at any moment.
    if (kept === undefined) await rm(path, { force: true });
    else if (kept !== found[rank][0]) await fileStore(path).save(kept.bytes);
    await rm(`${path}.previous`, { force: true });
  }
  return place?.round;
}

const same = (a: Found, b: Found) => a.id === b.id && a.round === b.round;

/** Of the first run, the newest first; a damaged one, or one of another run, counts as none. */
async function checkpointsOf({ checkpoint, runs, audit }: PlaceOptions, rank: number): Promise<Found[]> {
  const path = checkpointPath(checkpoint, rank);
  const texts = runTexts({ runs, audit });
  const found: Found[] = [];
  for (const bytes of await fileStore(path).load()) {
    try {
      const { run, id, round } = readCheckpoint(bytes, path, texts, rank);
      if (run === 0) found.push({ bytes, id, round });
    } catch {}
  }
  return found;
}
