/**
 * A round without its lost messages, which is a round again. Somebody has to keep the weight of a message that did not
 * arrive:
 *
 * - the receiver ("receiver"):  w_ii += w_ij. Rows still sum to 1, so the states stay averages of states; columns no
 *   longer do, so in a directed round the mean of all x drifts. In an undirected round an exchange fails on both sides,
 *   W stays symmetric and doubly stochastic, and the mean is exact.
 * - the sender ("sender"):      w_jj += w_ij. Columns still sum to 1, so the sum of all x is exact, but rows do not: x is
 *   then the numerator of push-sum, whose weights follow the same round (push-sum.ts). The sender has to learn that a
 *   message was lost (an acknowledgement that does not come).
 */

import { InputError } from "../input/input.ts";
import { type FlatRound, forEachEdgeInto, type MatchingRound, type Round, selfWeight } from "../round/round.ts";
import { thinGroups } from "./thin-groups.ts";

/** The complete graph has to be written out, edge by edge, once messages are lost. */
const MAX_COMPLETE = 4096;

/**
 * The round without the edges that `lost` names; O(edges). A matching stays a matching, and a grouped round a grouped one,
 * whose leaders are those of that exchange (thin-groups.ts).
 */
export function thinRound(
  round: Round,
  lost: (from: number, to: number) => boolean,
  keeper: "receiver" | "sender",
  exchange = 0,
): Round {
  if (round.kind === "grouped") return thinGroups(round, exchange, { inside: lost, between: lost }, keeper);
  return thinFlat(round, lost, keeper);
}

/** The same for rounds of one level. */
export function thinFlat(
  round: FlatRound,
  lost: (from: number, to: number) => boolean,
  keeper: "receiver" | "sender",
): FlatRound {
  const { n } = round;
  if (round.kind === "matching") return thinMatching(round, lost);
  if (round.kind === "mean" && n > MAX_COMPLETE) {
    throw new InputError(`n must be at most ${MAX_COMPLETE} for faults on a complete graph`, n, "try another topology");
  }
  const self = Float64Array.from({ length: n }, (_, i) => selfWeight(round, i));
  const start = new Int32Array(n + 1);
  const room = edgeCount(round);
  const from = new Int32Array(room);
  const weights = new Float64Array(room);
  /** Who shares what with others: the keeper of somebody's weights that are not lost. */
  const shares = new Uint8Array(n);
  let edges = 0;
  for (let i = 0; i < n; i++) {
    forEachEdgeInto(round, i, (j, _, weight) => {
      const keeps = keeper === "receiver" ? i : j;
      if (lost(j, i)) self[keeps] += weight;
      else {
        shares[keeps] = 1;
        from[edges] = j;
        weights[edges++] = weight;
      }
    });
    start[i + 1] = edges;
  }
  // Who keeps all its weights keeps 1, whatever their sum rounds to: the row of a node that is down stays to the last bit.
  for (let i = 0; i < n; i++) if (shares[i] === 0) self[i] = 1;
  return Object.freeze({
    kind: "sparse",
    n,
    self,
    start,
    from: from.subarray(0, edges),
    weights: weights.subarray(0, edges),
  });
}

function thinMatching(round: MatchingRound, lost: (from: number, to: number) => boolean): MatchingRound {
  const partner = round.partner.map((j, i) => (i < j && lost(i, j) ? i : j));
  // The pair's other half follows the first.
  for (let i = 0; i < round.n; i++) if (partner[partner[i]] !== i) partner[i] = i;
  return Object.freeze({ ...round, partner });
}

function edgeCount(round: Exclude<FlatRound, MatchingRound>): number {
  if (round.kind === "circulant") return round.n * round.shifts.length;
  return round.kind === "sparse" ? round.start[round.n] : round.n * (round.n - 1);
}
