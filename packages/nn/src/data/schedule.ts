/**
 * Which images a node sees in which step. All nodes take the same steps: an epoch is ceil(average share) images per node,
 * in batches, the last one smaller. A node's images are an endless sequence of passes over its share, each in a new
 * random order; with equal shares an epoch is one pass, a small share begins its next pass earlier, a large one later.
 * A pure function of (seed, epoch, step, node), so training resumes anywhere.
 */

import { integer } from "equitopo/input";
import { RandomStream, streams } from "equitopo/internal/random";
import type { Shares } from "./split.ts";

export interface BatchSchedule {
  readonly n: number;
  readonly stepsPerEpoch: number;
  /** Images that every node sees in an epoch. */
  readonly imagesPerEpoch: number;
  /** The images of one step of one node, by their number in the data set. */
  indices(epoch: number, step: number, node: number): Int32Array;
}

/**
 * @example
 * ```ts
 * import { shareSchedule, splitData } from "@equitopo/nn";
 * const shares = splitData(new Uint8Array(100), 4, "iid", 1);
 * const schedule = shareSchedule({ shares, batch: 10, seed: 1 });
 * schedule.stepsPerEpoch // => 3
 * schedule.indices(0, 2, 0).length // => 5
 * ```
 */
export function shareSchedule(options: {
  readonly shares: Shares;
  readonly batch: number;
  readonly seed: number;
  /** Images per node in an epoch, where not all shares are known here. */
  readonly images?: number;
}): BatchSchedule {
  const { shares, seed } = options;
  const batch = integer("the batch", options.batch, 1);
  const n = shares.length;
  const images = options.images ?? Math.ceil(shares.reduce((sum, share) => sum + share.length, 0) / n);
  const stream = new RandomStream(seed, streams.shuffle);
  const held = new Map<number, { pass: number; order: Int32Array }>();

  function order(node: number, pass: number): Int32Array {
    const found = held.get(node);
    if (found?.pass === pass) return found.order;
    const made = stream.at(pass * n + node).permutation(shares[node].length);
    held.set(node, { pass, order: made });
    return made;
  }

  return {
    n,
    imagesPerEpoch: images,
    stepsPerEpoch: Math.ceil(images / batch),
    indices(epoch, step, node) {
      const share = shares[node];
      const size = Math.min(batch, images - step * batch);
      const out = new Int32Array(size);
      for (let k = 0, at = epoch * images + step * batch; k < size; k++, at++) {
        out[k] = share[order(node, Math.floor(at / share.length))[at % share.length]];
      }
      return out;
    },
  };
}

/**
 * As the paper's experiments ran: the data is dealt anew over the nodes in every epoch. The order of the epoch is
 * continued with its own beginning to a multiple of n, and node i takes every n-th image from the i-th on.
 */
export function dealtSchedule(options: { count: number; n: number; batch: number; seed: number }): BatchSchedule {
  const { seed } = options;
  const count = integer("the number of images", options.count, 1);
  const n = integer("the number of nodes", options.n, 1);
  const batch = integer("the batch", options.batch, 1);
  const images = Math.ceil(count / n);
  const stream = new RandomStream(seed, streams.shuffle);
  let held = -1;
  let order: Int32Array = new Int32Array(0);
  return {
    n,
    imagesPerEpoch: images,
    stepsPerEpoch: Math.ceil(images / batch),
    indices(epoch, step, node) {
      if (held !== epoch) {
        order = stream.at(epoch).permutation(count);
        held = epoch;
      }
      const size = Math.min(batch, images - step * batch);
      return Int32Array.from({ length: size }, (_, k) => order[((step * batch + k) * n + node) % count]);
    },
  };
}
