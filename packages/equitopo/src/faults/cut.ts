/**
 * Cut links: from round `from` on (until before round `until`, if it is mended) two nodes hear nothing of each other, in
 * either direction. For both, what the other one sends is a lost message.
 */

import { InputError, integer, onlyKeys } from "../input/input.ts";

export interface Cut {
  readonly pair: readonly [number, number];
  /** The first round in which the link is down. */
  readonly from: number;
  /** The first round in which it is there again; never where it is left out. */
  readonly until?: number;
}

/** The schedule, checked. */
export function checkCuts(n: number, cuts: readonly Cut[]): readonly Cut[] {
  for (const cut of cuts) {
    onlyKeys("a cut", cut, ["pair", "from", "until"]);
    const { pair, from, until } = cut;
    if (!Array.isArray(pair) || pair.length !== 2 || pair[0] === pair[1]) {
      throw new InputError("the pair of a cut must be two different nodes", pair, "name two");
    }
    for (const node of pair) integer("a node of a cut", node, 0, n - 1);
    integer("the from of a cut", from, 0);
    if (until !== undefined && !(integer("the until of a cut", until, 0) > from)) {
      throw new InputError(`until must lie after from = ${from}`, until, `try until = ${from + 1}`);
    }
  }
  return cuts;
}

/** Whether the link between two nodes is down in round t; undefined where no link is. O(cuts), then O(1) a question. */
export function cutAt(n: number, cuts: readonly Cut[], t: number): ((from: number, to: number) => boolean) | undefined {
  const down = new Set<number>();
  for (const { pair, from, until } of cuts) {
    if (t >= from && (until === undefined || t < until)) down.add(Math.min(...pair) * n + Math.max(...pair));
  }
  return down.size === 0 ? undefined : (from, to) => down.has(Math.min(from, to) * n + Math.max(from, to));
}
