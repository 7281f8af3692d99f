/**
 * Crashed nodes: from round `from` on (until before round `until`, if it comes back) a node neither sends nor receives,
 * and its row stays as it was. For everybody else its messages are lost ones.
 */

import { InputError, integer, onlyKeys } from "../input/input.ts";

export interface Crash {
  readonly node: number;
  /** The first round that the node misses. */
  readonly from: number;
  /** The first round that it takes part in again; never where it is left out. */
  readonly until?: number;
}

/** The schedule, checked. */
export function checkCrashes(n: number, crashes: readonly Crash[]): readonly Crash[] {
  for (const crash of crashes) {
    onlyKeys("a crash", crash, ["node", "from", "until"]);
    integer("the node of a crash", crash.node, 0, n - 1);
    integer("the from of a crash", crash.from, 0);
    if (crash.until !== undefined && !(integer("the until of a crash", crash.until, 0) > crash.from)) {
      throw new InputError(`until must lie after from = ${crash.from}`, crash.until, `try until = ${crash.from + 1}`);
    }
  }
  return crashes;
}

/** Who is down in round t: 1 for each such node; undefined where nobody is. O(crashes). */
export function crashedAt(n: number, crashes: readonly Crash[], t: number): Uint8Array | undefined {
  let down: Uint8Array | undefined;
  for (const { node, from, until } of crashes) {
    if (t < from || (until !== undefined && t >= until)) continue;
    down ??= new Uint8Array(n);
    down[node] = 1;
  }
  return down;
}
