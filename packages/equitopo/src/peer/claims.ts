/**
 * Which claims of progress a peer believes. Every letter says its sender's round, and a peer that fell behind, or comes
 * back, goes where the others are; so whoever claims a round of the far future could carry others away. A round R is
 * believed where `witnesses` peers (two; one where the topology has no more for this peer) claim at least R, and R is
 *
 * - not beyond the last round of the runs, and
 * - within `slack` of a round that a majority of all n peers have reached, or
 * - within what time allows since this peer was last in step with somebody, at 8 times its own pace, and `slack`; or,
 *   where it never was in step and so knows no pace, within `slack` of the median of those that it has heard.
 *
 * slack is usualLag(n): what peers may be apart when nothing is wrong, and less than what makes one skip ahead. Pure, but
 * for the time that it is told. O(n log n) an answer.
 */

import type { Topology } from "../topology/topology.ts";
import { usualLag } from "./gather.ts";
import { majority } from "./opening.ts";
import type { Belief } from "./transport.ts";

/** How much faster than this peer's own pace others may have been. */
const generosity = 8;
/** Rounds per millisecond where no pace is known yet. */
const unknownPace = 1;

/** How many witnesses a peer can ask for: one where it hears of a single neighbour, whatever the round. O(period). */
export function witnessesOf(topology: Topology, rank: number): 1 | 2 {
  const found = new Set<number>();
  const rounds = Math.min(topology.period ?? 256, 256);
  for (let t = 0; t < rounds && found.size < 2; t++) {
    for (const { node } of topology.peers(t, rank).from) found.add(node);
  }
  return found.size === 1 ? 1 : 2;
}

export class Claims {
  readonly #size: number;
  readonly #slack: number;
  readonly #claimed: Float64Array;
  #belief: Required<Belief> = { first: 0, last: Number.POSITIVE_INFINITY, witnesses: 2 };
  /** Where and when this peer was last in step with another, since when, and how far it has come meanwhile. */
  #step: { readonly round: number; readonly time: number } | undefined;
  #since = 0;
  #way = 0;

  constructor(size: number) {
    this.#size = size;
    this.#slack = usualLag(size);
    this.#claimed = new Float64Array(size).fill(-1);
  }

  believe(belief: Belief): void {
    this.#belief = { ...this.#belief, ...belief };
  }

  note(peer: number, round: number): void {
    if (round > this.#claimed[peer]) this.#claimed[peer] = round;
  }

  /** An exchange of that round is over in which at least one partner took part. Meetings show no progress. */
  inStep(round: number, time: number): void {
    if (round < this.#belief.first) return;
    if (this.#step === undefined) this.#since = time;
    // A leap counts as the slack at most: whoever leapt at the word of others has not become faster by it.
    else this.#way += Math.min(round - this.#step.round, this.#slack);
    this.#step = { round, time };
  }

  /** `more` is what else is known of a peer's round. */
  reached(time: number, more: (peer: number) => number): number {
    const { last } = this.#belief;
    const claims = this.#claimed.map((round, peer) => Math.max(round, more(peer)));
    const heard = claims.filter((round) => round >= 0 && round <= last).sort((a, b) => b - a);
    const limit = this.#limit(heard, time);
    const witnesses = this.#size <= 2 ? 1 : this.#belief.witnesses;
    // A claim beyond the limit is none, but who makes it does claim to have reached the rounds below.
    return heard.find((round, higher) => higher >= witnesses - 1 && round <= limit) ?? -1;
  }

  /** `heard` goes down. */
  #limit(heard: Float64Array, time: number): number {
    const most = heard[majority(this.#size) - 1] ?? -1;
    const step = this.#step;
    if (step === undefined) return Math.max(most, heard[Math.floor(heard.length / 2)] ?? -1) + this.#slack;
    const elapsed = step.time - this.#since;
    const pace = elapsed > 0 ? this.#way / elapsed : unknownPace;
    return Math.max(most, step.round + generosity * pace * (time - step.time)) + this.#slack;
  }
}
