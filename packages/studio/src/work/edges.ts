/**
 * The edges of a round that are drawn: all of them, or as many as fit into a picture, evenly picked. All chords of one
 * shift touch one circle, so a round of shifts keeps its shape when it is thinned.
 */

import type { Round } from "equitopo";
import { forEachEdge, forEachEdgeInto } from "equitopo/internal/round";

/** So many chords can still be distinguished in a picture, and are drawn in a few milliseconds. */
const MOST_EDGES = 1500;

/** What is planned, set against what arrives. O(edges), but O(most) for shifts and means that all arrive. */
export function pickEdges(planned: Round, arriving: Round, symmetric: boolean, most = MOST_EDGES) {
  const all = countEdges(planned, symmetric);
  const stride = Math.max(1, all / most);
  /** from, to, from, to, ...; where the round is symmetric each pair once. */
  const ends: number[] = [];
  /** 1 for each of these whose message does not arrive. */
  const dropped: number[] = [];
  const take = (from: number, to: number) => {
    ends.push(from, to);
    dropped.push(planned === arriving || arrives(arriving, from, to) ? 0 : 1);
  };
  const { n, kind } = planned;
  if (kind === "circulant" || kind === "mean") {
    // Edge number k goes to node k mod n, by one shift after the other: a picked edge is found without those before it.
    for (let next = 0; next < all; next += stride) {
      const index = Math.ceil(next);
      if (index >= all) break;
      const [shift, to] = [Math.floor(index / n), index % n];
      const length = kind === "mean" ? shift + 1 : planned.shifts[shift];
      take((to - length + n) % n, to);
    }
  } else {
    let [index, next] = [0, 0];
    forEachEdge(planned, (from, to) => {
      if (symmetric && from >= to) return;
      if (index++ < next) return;
      next += stride;
      take(from, to);
    });
  }
  // Of the whole round, not of what is drawn.
  const allDropped = planned === arriving ? 0 : all - countEdges(arriving, symmetric);
  return { ends: Int32Array.from(ends), dropped: Uint8Array.from(dropped), all, allDropped };
}

/** Messages of the round; where it is symmetric, exchanges. */
function countEdges(round: Round, symmetric: boolean): number {
  let all = 0;
  if (round.kind === "mean") all = round.n * (round.n - 1);
  else if (round.kind === "circulant") all = round.n * round.shifts.length;
  else forEachEdge(round, () => all++);
  return symmetric ? all / 2 : all;
}

/** Whether a message of a round is among those that come through. O(degree). */
export function arrives(round: Round, from: number, to: number): boolean {
  let found = false;
  forEachEdgeInto(round, to, (node) => {
    found ||= node === from;
  });
  return found;
}
