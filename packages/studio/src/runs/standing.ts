/** Where a network or a run stands, in numbers for people. Pure. */

import type { LivePeer, LiveSource } from "@equitopo/web";

export interface Standing {
  /** The run that the furthest behind is in. */
  readonly run: number;
  /** Of the run's peers, those that were heard of, are running, have ended, are gone. */
  readonly heard: number;
  readonly running: number;
  readonly ended: number;
  readonly gone: number;
  /** Updates done by those furthest behind and furthest ahead. */
  readonly least: number;
  readonly most: number;
  /** Updates; 0 where nobody is behind what it has heard of. */
  readonly largestLag: number;
  /** Sums over the peers. */
  readonly missed: number;
  readonly voided: number;
  readonly late: number;
  readonly reconnects: number;
  readonly refused: number;
  readonly bytes: number;
}

/** Undefined where nothing was heard of any peer: a simulation. O(peers). */
export function standingOf({ peers }: LiveSource): Standing | undefined {
  const all = Object.values(peers);
  if (all.length === 0) return undefined;
  // Who is gone holds nobody up, unless all are.
  const here = all.filter(({ state }) => state !== "gone");
  const counted = here.length === 0 ? all : here;
  const run = Math.min(...counted.map((peer) => peer.run));
  const rounds = counted.filter((peer) => peer.run === run).map(({ round }) => round + 1);
  const count = (state: LivePeer["state"]) => all.filter((peer) => peer.state === state).length;
  const sum = (name: "missed" | "voided" | "late" | "reconnects" | "refused") =>
    all.reduce((total, { faults }) => total + (faults?.[name] ?? 0), 0);
  return {
    ...{ run, heard: all.length, running: count("running"), ended: count("ended"), gone: count("gone") },
    ...{ least: Math.min(...rounds), most: Math.max(...rounds), largestLag: Math.max(0, ...all.map(({ lag }) => lag)) },
    ...{ missed: sum("missed"), voided: sum("voided"), late: sum("late") },
    ...{
      reconnects: sum("reconnects"),
      refused: sum("refused"),
      bytes: all.reduce((total, one) => total + one.bytes, 0),
    },
  };
}

/** All in order where there is room; else those furthest behind, in order. */
export function furthestBehind({ peers }: LiveSource, room: number): LivePeer[] {
  const byRank = (a: LivePeer, b: LivePeer) => a.rank - b.rank;
  const all = Object.values(peers);
  if (all.length <= room) return all.sort(byRank);
  return all
    .sort((a, b) => a.run - b.run || a.round - b.round || byRank(a, b))
    .slice(0, room)
    .sort(byRank);
}
