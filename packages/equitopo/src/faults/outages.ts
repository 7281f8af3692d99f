/**
 * What is down for a while: from round `from` up to the one before round `until`, in which it is back.
 *
 * - A crashed node neither sends nor receives, and its row stays as it was; to all others its messages are dropped ones.
 * - Nothing passes over a cut link, in either direction: what either of its two nodes sends over it is dropped.
 */

import { InputError, integer, onlyKeys } from "../input/input.ts";

interface Outage {
  /** The first round in which it is down. */
  readonly from: number;
  /** The first round in which it is there again; never where it is left out. */
  readonly until?: number;
}

/** A node that crashes. */
export interface Crash extends Outage {
  readonly node: number;
}

/** A link that is cut. */
export interface Cut extends Outage {
  readonly pair: readonly [number, number];
}

export function checkCrashes(n: number, crashes: readonly Crash[]): readonly Crash[] {
  for (const crash of crashes) {
    onlyKeys("a crash", crash, ["node", "from", "until"]);
    integer("the node of a crash", crash.node, 0, n - 1);
    checkOutage("crash", crash);
  }
  return crashes;
}

export function checkCuts(n: number, cuts: readonly Cut[]): readonly Cut[] {
  for (const cut of cuts) {
    onlyKeys("a cut", cut, ["pair", "from", "until"]);
    const { pair } = cut;
    if (!Array.isArray(pair) || pair.length !== 2 || pair[0] === pair[1]) {
      throw new InputError("the pair of a cut must be two different nodes", pair, "name two");
    }
    for (const node of pair) integer("a node of a cut", node, 0, n - 1);
    checkOutage("cut", cut);
  }
  return cuts;
}

function checkOutage(kind: "crash" | "cut", { from, until }: Outage): void {
  integer(`the from of a ${kind}`, from, 0);
  if (until !== undefined && !(integer(`the until of a ${kind}`, until, 0) > from)) {
    throw new InputError(`until must lie after from = ${from}`, until, `try until = ${from + 1}`);
  }
}

const isDown = ({ from, until }: Outage, t: number) => t >= from && (until === undefined || t < until);

/** Which nodes are down in round t: 1 for each such node; undefined where none is. O(crashes). */
export function crashedAt(n: number, crashes: readonly Crash[], t: number): Uint8Array | undefined {
  let down: Uint8Array | undefined;
  for (const crash of crashes) {
    if (!isDown(crash, t)) continue;
    down ??= new Uint8Array(n);
    down[crash.node] = 1;
  }
  return down;
}

/** Whether the link between two nodes is down in round t; undefined where no link is. O(cuts), then O(1) a question. */
export function cutAt(n: number, cuts: readonly Cut[], t: number): ((from: number, to: number) => boolean) | undefined {
  const key = (a: number, b: number) => Math.min(a, b) * n + Math.max(a, b);
  const down = new Set(cuts.filter((cut) => isDown(cut, t)).map(({ pair }) => key(...pair)));
  return down.size === 0 ? undefined : (from, to) => down.has(key(from, to));
}
