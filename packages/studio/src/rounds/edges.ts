/**
 * The edges of a round that are drawn: all of them, or as many as a picture has room for, evenly picked. All chords of one
 * shift touch one circle, so a round of shifts keeps its shape when it is thinned.
 */

import type { Round } from "equitopo";
import { forEachEdge, forEachEdgeInto } from "equitopo/round";

/** So many chords are told apart in a picture, and drawn in a few milliseconds. */
export const MOST_EDGES = 1500;

export interface Edges {
  /** from, to, from, to, ...; where the round is symmetric each pair once, the lower label first. */
  readonly ends: Int32Array;
  /** 1 for each of these whose message does not arrive. */
  readonly lost: Uint8Array;
  /** How many there are in the whole round, and how many of them do not arrive. */
  readonly all: number;
  readonly allLost: number;
}

/** What is planned, set against what arrives. O(edges), but O(most) for shifts and means that all arrive. */
export function pickEdges(planned: Round, arriving: Round, symmetric: boolean, most = MOST_EDGES): Edges {
  const all = countEdges(planned, symmetric);
  const stride = Math.max(1, all / most);
  const ends: number[] = [];
  const lost: number[] = [];
  let next = 0;
  edgesByIndex(planned, symmetric, (index, from, to) => {
    if (index < next) return next;
    next += stride;
    ends.push(from, to);
    lost.push(planned === arriving || arrives(arriving, from, to) ? 0 : 1);
    return next;
  });
  const allLost = planned === arriving ? 0 : all - countEdges(arriving, symmetric);
  return { ends: Int32Array.from(ends), lost: Uint8Array.from(lost), all, allLost };
}

/** Messages of the round; where it is symmetric, exchanges. */
function countEdges(round: Round, symmetric: boolean): number {
  const { n } = round;
  const half = symmetric ? 2 : 1;
  switch (round.kind) {
    case "circulant":
      return (n * round.shifts.length) / half;
    case "sparse":
      return round.start[n] / half;
    case "mean":
      return (n * (n - 1)) / half;
    case "grouped": {
      let count = 0;
      forEachEdge(round, () => count++);
      return count / half;
    }
    case "matching": {
      let paired = 0;
      for (let i = 0; i < n; i++) if (round.partner[i] !== i) paired++;
      return paired / half;
    }
  }
}

/** Calls visit with edge after edge and its number; visit says which number it wants next, and rounds that can, jump there. */
function edgesByIndex(
  round: Round,
  symmetric: boolean,
  visit: (index: number, from: number, to: number) => number,
): void {
  const { n } = round;
  if (round.kind === "circulant" || round.kind === "mean") {
    const count = countEdges(round, symmetric);
    for (let index = 0; index < count; ) {
      const [shift, to] = [Math.floor(index / n), index % n];
      const length = round.kind === "mean" ? shift + 1 : round.shifts[shift];
      index = Math.max(index + 1, Math.ceil(visit(index, (to - length + n) % n, to)));
    }
    return;
  }
  let index = 0;
  forEachEdge(round, (from, to) => {
    if (!symmetric || from < to) visit(index++, from, to);
  });
}

/** Whether a message of a round is among those that come through. */
export function arrives(round: Round, from: number, to: number): boolean {
  const { n } = round;
  switch (round.kind) {
    case "circulant":
      return round.shifts.includes((to - from + n) % n);
    case "matching":
      return round.partner[to] === from;
    case "mean":
      return true;
    case "sparse":
      return round.from.subarray(round.start[to], round.start[to + 1]).includes(from);
    case "grouped": {
      let found = false;
      forEachEdgeInto(round, to, (node) => {
        found ||= node === from;
      });
      return found;
    }
  }
}
