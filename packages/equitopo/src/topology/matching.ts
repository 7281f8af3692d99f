/**
 * The one-peer undirected rounds of OU-EquiDyn: who is paired with whom for label difference v and start s
 * (0-based, 1 <= v < n, 0 <= s < n). Three constructions of the paper, with true nonnegative mod (docs/errata.md, 1 and 2):
 *
 * - greedy (Alg. 2): from s on, each node j is connected with j + v unless one of them is taken already;
 * - greedyPartner (Alg. 4): the same from node i's perspective in O(1), never looking at other nodes;
 * - euclidPartner (Alg. 5): the cycles of i -> i + v are cut into consecutive pairs. O(log n), and fewer idle nodes.
 */

import { integer, nodes } from "../input/input.ts";
import { bezout, mulMod } from "../number/integers.ts";

/** Refuses label differences, starts and nodes that are none. */
function checkChoice(n: number, v: number, s: number, i: number): void {
  const labels = Number.isSafeInteger(v) && Number.isSafeInteger(s) && Number.isSafeInteger(i) && n <= 0x7fffffff;
  if (labels && v > 0 && v < n && s >= 0 && s < n && i >= 0 && i < n) return;
  nodes(n);
  integer("v", v, 1, n - 1);
  integer("s", s, 0, n - 1);
  integer("i", i, 0, n - 1);
}

/**
 * Alg. 2: partner[i] for all nodes, i itself where idle. O(n).
 *
 * @example
 * ```ts
 * import { greedyMatching } from "equitopo/topology";
 * greedyMatching(7, 2, 0).join(" ") // => "2 3 0 1 6 5 4"
 * ```
 */
export function greedyMatching(n: number, v: number, s: number): Int32Array {
  checkChoice(n, v, s, 0);
  // A plain loop: Int32Array.from with a function takes longer than the round that is applied afterwards.
  const partner = new Int32Array(n);
  for (let i = 0; i < n; i++) partner[i] = i;
  for (let step = 0; step < n; step++) {
    const j = s + step < n ? s + step : s + step - n;
    const i = j + v < n ? j + v : j + v - n;
    if (partner[i] === i && partner[j] === j) {
      partner[i] = j;
      partner[j] = i;
    }
  }
  return partner;
}

/**
 * Alg. 4: node i's partner, or i itself. O(1).
 *
 * @example
 * ```ts
 * import { greedyPartner } from "equitopo/topology";
 * greedyPartner(7, 2, 0, 4) // => 6
 * ```
 */
export function greedyPartner(n: number, v: number, s: number, i: number): number {
  checkChoice(n, v, s, i);
  const q = 2 * v <= n ? v : n - v;
  // k(i): the label counted from s, or from s - q when the label difference runs backwards.
  let k = 2 * v <= n ? i - s : i - s + q;
  if (k < 0) k += n;
  else if (k >= n) k -= n;
  const d = Math.floor(k / q);
  const r = k - d * q;
  const last = Math.floor((n - 1 - r) / q);
  if ((last & 1) === 0 && d === last) return i;
  const j = (d & 1) === 0 ? i + q : i - q;
  return j < 0 ? j + n : j >= n ? j - n : j;
}

/** Alg. 5: node i's partner, or i itself. O(log n). */
export function euclidPartner(n: number, v: number, s: number, i: number): number {
  checkChoice(n, v, s, i);
  return partnerInCycle(n, v, s, i, bezout(v, n));
}

function partnerInCycle(n: number, v: number, s: number, i: number, { d, b }: { d: number; b: number }): number {
  const length = n / d;
  const label = i < s ? i - s + n : i - s;
  const m = mulMod(Math.floor(label / d), b, length);
  if (length % 2 === 1 && m === length - 1) return i;
  const j = m % 2 === 0 ? i + v : i - v;
  return j < 0 ? j + n : j >= n ? j - n : j;
}

/**
 * Alg. 5 for all nodes. O(n).
 *
 * @example
 * ```ts
 * import { euclidMatching } from "equitopo/topology";
 * euclidMatching(7, 2, 0).join(" ") // => "2 3 0 1 6 5 4"
 * ```
 */
export function euclidMatching(n: number, v: number, s: number): Int32Array {
  checkChoice(n, v, s, 0);
  const euclid = bezout(v, n);
  const partner = new Int32Array(n);
  for (let i = 0; i < n; i++) partner[i] = partnerInCycle(n, v, s, i, euclid);
  return partner;
}
