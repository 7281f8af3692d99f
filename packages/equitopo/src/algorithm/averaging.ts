/**
 * Averaging as iterations over rows, for gossip over all rows and for peers with one each:
 *
 *   one vector:   x <- W(t) x;
 *   two vectors:  x or z is sent, and what a node hears is mixed into both (PairRound); z starts as x.
 */

import type { Rows } from "../round/round.ts";
import type { PairRound, Topology } from "../topology/topology.ts";
import type { Mix, Running } from "./algorithm.ts";
import { mixPair } from "./rows.ts";

/** The mean of x by the rounds of a topology, over `count` rows. `rows` makes rows of x's type. */
export function averaging(topology: Topology, x: Rows, count: number, rows: (width: number) => Rows): Running {
  const { pair } = topology;
  if (pair === undefined) {
    const state = { x };
    return {
      state,
      *iterate() {
        [state.x] = yield { vectors: [state.x] };
      },
    };
  }
  const state = { x, z: rows(x.length / count) };
  state.z.set(x);
  const step = pairStep(state, count, rows(x.length / count));
  return { state, iterate: (t) => step(pair(t)) };
}

/** A vector of every node in the two forms that are mixed, and memory for the one that is sent. */
export interface Held {
  x: Rows;
  readonly z: Rows;
  sent: Rows;
}

/** A two-vector round on one or more vectors, in one exchange. */
export function* pairRound(
  held: readonly Held[],
  count: number,
  pair: PairRound,
): Generator<Mix, void, readonly Rows[]> {
  for (const { x, z, sent } of held) sent.set(pair.sends === "x" ? x : z);
  const heard = new Uint8Array(count).fill(1);
  const mixed = yield { vectors: held.map(({ sent }) => sent), heard };
  held.forEach((one, v) => {
    one.sent = mixed[v];
    mixPair(one.x, one.z, one.sent, heard, pair);
  });
}

/** The two-vector step on a state; `spare` is memory for the vector that is sent. */
export function pairStep(
  { x, z }: { readonly x: Rows; readonly z: Rows },
  count: number,
  spare: Rows,
): (pair: PairRound) => Generator<Mix, void, readonly Rows[]> {
  const held = [{ x, z, sent: spare }];
  return (pair) => pairRound(held, count, pair);
}
