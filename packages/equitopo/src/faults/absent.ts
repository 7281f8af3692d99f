/**
 * Absent nodes: each node misses each exchange with probability p, independently of all others. It then neither sends nor
 * receives and its row stays as it was, as if it had crashed for one round. Whether node i misses exchange t is a
 * function of (seed, t, i) alone.
 */

import { high32, philox } from "../random/philox.ts";
import { streams } from "../random/stream.ts";

const words = new Uint32Array(4);

/** Whether the node misses exchange t; p is rounded to a multiple of 2^-32. O(1). */
export function isAbsent(p: number, seed: number, t: number, node: number): boolean {
  philox(seed | 0, high32(seed), node, 0, streams.absent, t | 0, words);
  return words[0] < p * 4294967296;
}
