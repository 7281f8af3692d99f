/**
 * Message loss: each message is lost with probability p, independently of all others. Whether the message from j to i in
 * exchange t is lost is a function of (seed, t, j, i) alone, so that a peer can compute the fate of its own messages.
 *
 * Undirected rounds exchange: the message from i to j and the one from j to i are lost together or not at all.
 */

import { high32, philox } from "../random/philox.ts";
import { streams } from "../random/stream.ts";

const words = new Uint32Array(4);

/** Whether the message from -> to is lost in exchange t; p is rounded to a multiple of 2^-32. O(1). */
export function isLost(p: number, seed: number, t: number, from: number, to: number, exchange: boolean): boolean {
  const swap = exchange && from > to;
  philox(seed | 0, high32(seed), swap ? to : from, swap ? from : to, streams.drop, t | 0, words);
  return words[0] < p * 4294967296;
}
