/**
 * Stale messages: each message that arrives is, with probability p, the one that its sender would have sent one round
 * earlier; the receiver takes it for the present one:
 *
 *   y_i = w_ii x_i(t) + sum over fresh j of w_ij x_j(t) + sum over stale j of w_ij x_j(t - 1).
 *
 * Rows still sum to 1; the mean moves in undirected rounds, too, because the two halves of an exchange are stale
 * independently of each other. In the first round nothing earlier is there, and x(-1) = x(0).
 */

import type { Mixer } from "../round/mixer.ts";
import { forEachEdgeInto, type Round, type Rows, type SparseRound, selfWeight } from "../round/round.ts";
import { SparseRows } from "../round/sparse-rows.ts";

/** A round cut in two: W = fresh + stale, both with the weights that they have in W. */
export interface SplitRound {
  /** Own weights and the messages of this round. */
  readonly fresh: SparseRound;
  /** The edges whose messages are one round old, own weights 0. */
  readonly stale: SparseRound;
}

/** Cuts a round by whose messages are stale; undefined where none is. O(n + edges). */
export function splitStale(round: Round, stale: (from: number, to: number) => boolean): SplitRound | undefined {
  const { n } = round;
  const [fresh, late] = [new SparseRows(n), new SparseRows(n)];
  for (let i = 0; i < n; i++) {
    forEachEdgeInto(round, i, (from, to, weight) => (stale(from, to) ? late : fresh).add(from, weight));
    fresh.endRow();
    late.endRow();
  }
  if (late.edges === 0) return undefined;
  const self = Float64Array.from({ length: n }, (_, i) => selfWeight(round, i));
  return { fresh: fresh.round(self), stale: late.round(new Float64Array(n)) };
}

/** Keeps the rows of one round earlier, and mixes with them where messages are stale. */
export class StaleMixer {
  readonly #mixer: Mixer;
  /** The rows before those that were mixed last: all that it remembers; undefined before the first round. */
  earlier: Rows | undefined;

  constructor(mixer: Mixer) {
    this.#mixer = mixer;
  }

  /** W x as Mixer.mix has it, with the stale part of the round (undefined: nothing is stale) taken of the rows before x. */
  mix(round: Round, split: SplitRound | undefined, x: Rows): Rows {
    const before = x.slice();
    const y = this.#mixer.mix(split?.fresh ?? round, x);
    if (split !== undefined) addStale(split.stale, this.earlier ?? before, y);
    this.earlier = before;
    return y;
  }
}

/** y += (the stale part of W) x(t - 1), in the order of the round's edges. */
function addStale({ n, start, from, weights }: SparseRound, earlier: Rows, y: Rows): void {
  const d = y.length / n;
  for (let i = 0; i < n; i++) {
    for (let e = start[i]; e < start[i + 1]; e++) {
      for (let k = 0; k < d; k++) y[i * d + k] += weights[e] * earlier[from[e] * d + k];
    }
  }
}
