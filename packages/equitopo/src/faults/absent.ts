/**
 * Absent nodes: in each exchange each node is away with probability p, independently of all others and of its own past.
 * One that is away neither sends nor receives, and its row stays as it was, as if it had crashed for this exchange alone.
 * Whether node i is away in exchange t is a function of (seed, t, i), so that a peer can compute it for its partners.
 */

import { high32, philox } from "../random/philox.ts";
import { streams } from "../random/stream.ts";

const words = new Uint32Array(4);

/** Whether node i is away in exchange t; p is rounded to a multiple of 2^-32. O(1). */
export function isAbsent(p: number, seed: number, t: number, i: number): boolean {
  philox(seed | 0, high32(seed), i, t | 0, streams.absence, high32(t), words);
  return words[0] < p * 4294967296;
}

/** Everybody who is down: those in `down` (left as it is) and those who are away; undefined where nobody is. O(n). */
export function withAbsent(
  n: number,
  down: Uint8Array | undefined,
  p: number,
  seed: number,
  t: number,
): Uint8Array | undefined {
  if (p === 0) return down;
  const all = down?.slice() ?? new Uint8Array(n);
  let any = down !== undefined;
  for (let i = 0; i < n; i++) {
    if (!isAbsent(p, seed, t, i)) continue;
    all[i] = 1;
    any = true;
  }
  return any ? all : undefined;
}
