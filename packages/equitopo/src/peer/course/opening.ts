/**
 * Where peers that start together begin. All decide alike, from what each brings to the opening meeting: a run id that it has
 * drawn, and the save points (run id, run, round) of its last two checkpoints.
 *
 * - A save point that a majority of all n peers have has a quorum: all go on from the one that most have, the latest of these,
 *   under its run id. Peers that have it go on bit by bit; the others come back there as after an absence.
 * - If a majority came and no save point has a quorum, all begin anew, under the id that the first of them brought. So a single
 *   leftover checkpoint misleads nobody.
 * - If fewer came, nothing can be decided, and peers with a checkpoint must not overwrite it: `undecided`.
 *
 * If several run ids have a quorum (the checkpoint before the last may be of an earlier start), the one that most peers have
 * saved last counts. Save points come from others and are checked: one that is not in the runs is ignored. Pure; O(n).
 */

import { majority } from "../exchange/claims.ts";
import { type RunId, readRunId, runIdBytes, writeRunId } from "./run-id.ts";

/** A point in the runs: the iteration that comes next in one of them. */
export interface RunPoint {
  readonly id: RunId;
  readonly run: number;
  readonly round: number;
}

/** What a peer brings to the opening meeting. */
export interface Offer {
  readonly proposal: RunId;
  /** The newest first, two at most. */
  readonly saved: readonly RunPoint[];
}

const places = 2;
const placeBytes = 1 + runIdBytes + 4 + 8;

/** Bytes of an offer: run id, then for each place whether there is one, its id, its run (uint32), its round (float64). */
export const offerBytes = runIdBytes + places * placeBytes;

export function encodeOffer({ proposal, saved }: Offer): Uint8Array {
  const bytes = new Uint8Array(offerBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(writeRunId(proposal));
  saved.slice(0, places).forEach(({ id, run, round }, k) => {
    const at = runIdBytes + k * placeBytes;
    bytes[at] = 1;
    bytes.set(writeRunId(id), at + 1);
    view.setUint32(at + 1 + runIdBytes, run, true);
    view.setFloat64(at + 5 + runIdBytes, round, true);
  });
  return bytes;
}

/** What a peer brought; places that are not in runs of these lengths are left out. */
export function decodeOffer(bytes: Uint8Array, rounds: readonly number[]): Offer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const saved: RunPoint[] = [];
  for (let k = 0; k < places; k++) {
    const at = runIdBytes + k * placeBytes;
    const run = view.getUint32(at + 1 + runIdBytes, true);
    const round = view.getFloat64(at + 5 + runIdBytes, true);
    const fine = bytes[at] === 1 && Number.isSafeInteger(round) && round >= 0 && round <= (rounds[run] ?? -1);
    if (fine) saved.push({ id: readRunId(bytes.subarray(at + 1, at + 1 + runIdBytes)), run, round });
  }
  return { proposal: readRunId(bytes.subarray(0, runIdBytes)), saved };
}

export type Opening =
  | { readonly from: "anew"; readonly id: RunId }
  | { readonly from: "saved"; readonly place: RunPoint }
  | { readonly from: "undecided"; readonly id: RunId; readonly came: number };

/** The decision of a peer that has heard these offers; undefined stands for peers whose offer did not come. */
export function decideOpening(offers: readonly (Offer | undefined)[]): Opening {
  const came = offers.filter((offer) => offer !== undefined);
  const quorum = majority(offers.length);
  const nameOf = ({ id, run, round }: RunPoint) => `${id} ${run} ${round}`;
  /** How many have that save point; how many saved last in that start. */
  const holders = counted(came.flatMap(({ saved }) => [...new Set(saved.map(nameOf))]));
  const newest = counted(came.flatMap(({ saved }) => saved.slice(0, 1).map(({ id }) => id)));
  const count = (place: RunPoint) => holders.get(nameOf(place)) ?? 0;
  const last = ({ id }: RunPoint) => newest.get(id) ?? 0;
  const [place] = came
    .flatMap(({ saved }) => saved)
    .filter((one) => count(one) >= quorum)
    .sort(
      (a, b) =>
        last(b) - last(a) || count(b) - count(a) || b.run - a.run || b.round - a.round || (a.id < b.id ? -1 : 1),
    );
  if (place !== undefined) return { from: "saved", place };
  const id = came[0]?.proposal ?? "";
  return came.length < quorum ? { from: "undecided", id, came: came.length } : { from: "anew", id };
}

/** The run id that most of those heard go by, as 16 bytes each; the own one where none has a majority. */
export function agreedId(words: readonly (Uint8Array | undefined)[], own: RunId): RunId {
  const counts = counted(words.flatMap((word) => (word === undefined ? [] : [readRunId(word)])));
  return [...counts].find(([, count]) => count >= majority(words.length))?.[0] ?? own;
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
