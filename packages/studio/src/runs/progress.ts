/** How far a network or a run is, in numbers for people. Pure. */

import type { LivePeer, LiveSource } from "@equitopo/web";

/** Faults that are counted; of a network, the sums over its peers. */
export const faultNames = ["missed", "voided", "late", "reconnects", "refused"] as const;

export type NetworkProgress = NonNullable<ReturnType<typeof progressOf>>;

/** Undefined where nothing was heard of any peer: a simulation. O(peers). */
export function progressOf({ peers }: LiveSource) {
  const all = Object.values(peers);
  if (all.length === 0) return undefined;
  // Peers that are gone do not count, unless all are.
  const here = all.filter(({ state }) => state !== "gone");
  const counted = here.length === 0 ? all : here;
  const run = Math.min(...counted.map((peer) => peer.run));
  const rounds = counted.filter((peer) => peer.run === run).map(({ round }) => round + 1);
  const count = (state: LivePeer["state"]) => all.filter((peer) => peer.state === state).length;
  const sum = (of: (peer: LivePeer) => number) => all.reduce((total, peer) => total + of(peer), 0);
  const faults = faultNames.map((name) => [name, sum((peer) => peer.faults?.[name] ?? 0)]);
  return {
    ...(Object.fromEntries(faults) as Record<(typeof faultNames)[number], number>),
    /** The run that the furthest behind is in; of its peers, those that were heard of, are running, have ended, are gone. */
    ...{ run, heard: all.length, running: count("running"), ended: count("ended"), gone: count("gone") },
    /** Updates done by those furthest behind and furthest ahead. */
    ...{ least: Math.min(...rounds), most: Math.max(...rounds) },
    /** In updates; 0 where nobody is behind what it has heard of. */
    largestLag: Math.max(0, ...all.map(({ lag }) => lag)),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** All peers by rank if there is room; else those furthest behind, by rank. */
export function furthestBehind({ peers }: LiveSource, room: number): LivePeer[] {
  const byRank = (a: LivePeer, b: LivePeer) => a.rank - b.rank;
  const all = Object.values(peers);
  if (all.length <= room) return all.sort(byRank);
  return all
    .sort((a, b) => a.run - b.run || a.round - b.round || byRank(a, b))
    .slice(0, room)
    .sort(byRank);
}
