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

/** The two-vector step on a state; `spare` is memory for the vector that is sent. */
export function pairStep(
  state: { x: Rows; z: Rows },
  count: number,
  spare: Rows,
): (pair: PairRound) => Generator<Mix, void, readonly Rows[]> {
  const heard = new Uint8Array(count);
  let memory = spare;
  return function* (pair) {
    memory.set(pair.sends === "x" ? state.x : state.z);
    heard.fill(1);
    [memory] = yield { vectors: [memory], heard };
    mixPair(state.x, state.z, memory, heard, pair);
  };
}
