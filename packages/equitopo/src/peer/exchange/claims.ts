/**
 * Which claims of progress a peer believes. Every letter states its sender's round, and a peer that fell behind, or comes
 * back, skips to the round of the others; so a false claim of a far round could mislead it. A round R is believed if
 * `witnesses` peers (two; one if the topology has no more for this peer) claim at least R, and R is
 *
 * - not beyond the last round of the runs, and
 * - within `slack` of a round that a majority of all n peers have reached, or
 * - within `slack` of what others can have reached, at 8 times this peer's own pace, since it was last in step with one of
 *   them; if it never was in step, and so knows no pace, within `slack` of the median of the rounds that it has heard.
 *
 * slack is usualLag(n): how far peers may be apart when nothing is wrong, and less than what makes one skip ahead. Pure: the
 * time is handed in. An answer costs a step for each claim that is not believed, beside those of the order (ranking.ts); before
 * this peer was ever in step, one for every second claim.
 */

import { rankingOf } from "./ranking.ts";
import type { Belief } from "./transport.ts";

/** How much faster than this peer's own pace others may have been. */
const generosity = 8;
/** Rounds per millisecond where no pace is known yet. */
const unknownPace = 1;

/** Rounds that peers may be apart when nothing is wrong: n - 1 on the slowest graph, and some. */
export function usualLag(n: number): number {
  return Math.max(32, 2 * n);
}

export function majority(n: number): number {
  return Math.floor(n / 2) + 1;
}

export type Claims = ReturnType<typeof claimsIn>;

/** The claims of the peers of a network of that size. */
export function claimsIn(size: number) {
  const slack = usualLag(size);
  const claimed = new Float64Array(size).fill(-1);
  /** Of those who claim no more than the last round. */
  const ranking = rankingOf(claimed, majority(size));
  let belief: Required<Belief> = { first: 0, last: Number.POSITIVE_INFINITY, witnesses: 2 };
  /** Where and when this peer was last in step with another, since when, and how far it has come meanwhile. */
  let step: { readonly round: number; readonly time: number } | undefined;
  let [since, way] = [0, 0];

  function put(peer: number, round: number): void {
    claimed[peer] = round;
    if (round >= 0 && round <= belief.last) ranking.place(peer);
    else ranking.remove(peer);
  }

  /** The claim in the middle of those heard; -1 where there is none. */
  function median(): number {
    let peer = ranking.next();
    for (let k = Math.floor(ranking.count / 2); k > 0; k--) peer = ranking.next(peer);
    return peer < 0 ? -1 : claimed[peer];
  }

  /** The last round that can be believed at that time. */
  function limit(time: number): number {
    if (step === undefined) return Math.max(ranking.marked, median()) + slack;
    const elapsed = step.time - since;
    const pace = elapsed > 0 ? way / elapsed : unknownPace;
    return Math.max(ranking.marked, step.round + generosity * pace * (time - step.time)) + slack;
  }

  return {
    believe(more: Belief): void {
      const { last } = belief;
      belief = { ...belief, ...more };
      if (belief.last === last) return;
      const rising = [...claimed.keys()].sort((a, b) => claimed[a] - claimed[b]);
      for (const peer of rising) ranking.remove(peer);
      for (const peer of rising) put(peer, claimed[peer]);
    },

    note(peer: number, round: number): void {
      if (round > claimed[peer]) put(peer, round);
    },

    /** An exchange of that round is over in which at least one partner took part. Meetings show no progress. */
    inStep(round: number, time: number): void {
      if (round < belief.first) return;
      if (step === undefined) since = time;
      // A leap counts as the slack at most: a peer that skipped ahead because others claimed so has not become faster.
      else way += Math.min(round - step.round, slack);
      step = { round, time };
    },

    reached(time: number): number {
      const most = limit(time);
      const witnesses = size <= 2 ? 1 : belief.witnesses;
      // A claim beyond the limit is not believed, but its sender counts as a witness of the rounds below.
      let higher = 0;
      for (let peer = ranking.next(); peer >= 0; peer = ranking.next(peer)) {
        if (++higher >= witnesses && claimed[peer] <= most) return claimed[peer];
      }
      return -1;
    },
  };
}
