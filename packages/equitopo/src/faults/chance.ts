/**
 * The faults that happen by chance, each independently of all others. Each is a function of (seed, exchange, nodes) alone:
 * a peer computes the fate of its own messages, and a run repeats. Probabilities are rounded to multiples of 2^-32. O(1) each.
 *
 * - A message is dropped. In undirected rounds two nodes exchange: the message from i to j and the one from j to i are
 *   dropped together or not at all.
 * - A node is absent: it neither sends nor receives, and its row stays as it was, as if it had crashed for one round.
 * - A message that arrives is stale: the one that its sender would have sent one round earlier (stale.ts).
 */

import { high32, philox } from "../random/philox.ts";
import { streams } from "../random/stream.ts";

const words = new Uint32Array(4);

/** Whether the message from -> to is dropped in exchange t; `exchange`: whether both directions share their fate. */
export function isDropped(p: number, seed: number, t: number, from: number, to: number, exchange: boolean): boolean {
  return exchange && from > to
    ? happens(p, seed, streams.drop, t, to, from)
    : happens(p, seed, streams.drop, t, from, to);
}

export function isAbsent(p: number, seed: number, t: number, node: number): boolean {
  return happens(p, seed, streams.absent, t, node, 0);
}

export function isStale(p: number, seed: number, t: number, from: number, to: number): boolean {
  return happens(p, seed, streams.stale, t, from, to);
}

function happens(p: number, seed: number, stream: number, t: number, a: number, b: number): boolean {
  philox(seed | 0, high32(seed), a, b, stream, t | 0, words);
  return words[0] < p * 4294967296;
}
