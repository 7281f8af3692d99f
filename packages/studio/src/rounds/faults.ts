/** What clicks and forms do to the list of things that go wrong; all of it begins at the round that is shown. */

import type { Cut, Kill } from "../fault-fields.ts";

/** Whether an entry holds in round t. */
export function holds({ from, until }: { readonly from: number; readonly until?: number }, t: number): boolean {
  return t >= from && (until === undefined || t < until);
}

/** What is in force at t ends there; what had begun just there never was. */
function ended<E extends { readonly from: number; readonly until?: number }>(entry: E, t: number): E[] {
  if (!holds(entry, t)) return [entry];
  return entry.from === t ? [] : [{ ...entry, until: t }];
}

/** Node down from t on, or, where it is down, up again. */
export function turnNode(kills: readonly Kill[], node: number, t: number): Kill[] {
  if (kills.some((kill) => kill.node === node && holds(kill, t))) {
    return kills.flatMap((kill) => (kill.node === node ? ended(kill, t) : [kill]));
  }
  // It would come down again later anyway: once is enough.
  return [...kills.filter((kill) => kill.node !== node || kill.from < t), { node, from: t }];
}

const samePair = (a: Cut["pair"], b: Cut["pair"]) =>
  Math.min(...a) === Math.min(...b) && Math.max(...a) === Math.max(...b);

/** Link cut from t on, or, where it is cut, mended. */
export function turnLink(cuts: readonly Cut[], pair: Cut["pair"], t: number): Cut[] {
  if (cuts.some((cut) => samePair(cut.pair, pair) && holds(cut, t))) {
    return cuts.flatMap((cut) => (samePair(cut.pair, pair) ? ended(cut, t) : [cut]));
  }
  return [...cuts.filter((cut) => !samePair(cut.pair, pair) || cut.from < t), { pair, from: t }];
}
