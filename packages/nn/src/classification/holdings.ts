/**
 * What some nodes hold: the images that are kept here, and which of them a node sees in which step. All of the data in the
 * simulator; at a peer its own share and nothing of the others', so that its memory does not grow with n. Data that is
 * dealt anew every epoch is nobody's for long: there the file is kept as it is.
 */

import { InputError } from "equitopo/internal/input";
import type { Dataset } from "../data/dataset.ts";
import type { OpenData } from "../data/member.ts";
import { type BatchSchedule, dealtSchedule, shareSchedule } from "../data/schedule.ts";
import { chooseSplit, type Shares, splitData } from "../data/split.ts";
import type { Settings } from "./settings.ts";

/** Plain data, so that it can be sent to threads. */
export interface Holdings {
  readonly train: Dataset;
  /** For every node the images that it holds, by their number in `train`; empty for nodes whose data is not here. */
  readonly shares: Shares | null;
  /** Images that every node sees in an epoch. */
  readonly images: number;
}

/** Images that every node sees in an epoch; refuses what cannot be split. */
export function imagesPerNode({ n, batch, split, seed }: Settings, data: OpenData): number {
  if (data.own !== undefined) return batch * data.own.stepsPerEpoch;
  if (chooseSplit(split).member.shares !== undefined) splitData(data.labels(), n, split, seed);
  return Math.ceil(data.count / n);
}

export function holdingsOf(settings: Settings, data: OpenData, first: number, count: number): Holdings {
  const { n, split, seed } = settings;
  const images = imagesPerNode(settings, data);
  if (data.own !== undefined) {
    const { of } = data.own;
    const sets = Array.from({ length: count }, (_, k) => of(first + k));
    return { images, ...joined(n, first, sets) };
  }
  if (chooseSplit(split).member.shares === undefined) return { images, shares: null, train: data.train() };
  const shares = splitData(data.labels(), n, split, seed);
  if (count === n) return { images, shares, train: data.train() };
  const index: number[] = [];
  const kept = shares.map((share, node) =>
    node < first || node >= first + count ? nothing : share.map((image) => index.push(image) - 1),
  );
  return { images, shares: kept, train: data.train(Int32Array.from(index)) };
}

const nothing = new Int32Array(0);

/** Several nodes' own sets, one after another. */
function joined(n: number, first: number, sets: readonly Dataset[]): Pick<Holdings, "train" | "shares"> {
  const shares: Int32Array[] = new Array(n).fill(nothing);
  let count = 0;
  sets.forEach((set, k) => {
    if (set.count === 0) throw new InputError("a node's file holds at least one example", set.name, "check the file");
    shares[first + k] = Int32Array.from({ length: set.count }, (_, j) => count + j);
    count += set.count;
  });
  if (sets.length === 1) return { shares, train: sets[0] };
  const size = sets[0].images.length / sets[0].count;
  const bytes = sets.every(({ images }) => images instanceof Uint8Array);
  const images = bytes ? new Uint8Array(count * size) : new Float32Array(count * size);
  const labels = new Int32Array(count);
  sets.forEach((set, k) => {
    const at = shares[first + k][0];
    images.set(set.images, at * size);
    labels.set(set.labels, at);
  });
  return { shares, train: { ...sets[0], count, images, labels } };
}

export function scheduleOf(
  { n, batch, seed }: Pick<Settings, "n" | "batch" | "seed">,
  { shares, images, train }: Holdings,
): BatchSchedule {
  return shares === null
    ? dealtSchedule({ count: train.count, n, batch, seed })
    : shareSchedule({ shares, batch, seed, images });
}
