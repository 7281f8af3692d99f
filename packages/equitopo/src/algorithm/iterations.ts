/** How most algorithms begin and go on: with their states, and a generator for each iteration. */

import type { Rows } from "../round/round.ts";
import { initialState, type Running, type State, type World } from "./algorithm.ts";

/** An algorithm at work: `states` are its rows beside x, as they begin; `saved` takes the place of all of them. */
export function iterations<T extends Readonly<Record<string, Rows>>>(
  world: World,
  saved: Readonly<State> | undefined,
  states: T,
  iterate: (state: ReturnType<typeof initialState<T>>, t: number) => ReturnType<Running["iterate"]>,
): Running {
  const state = initialState(world, saved, states);
  return { state, iterate: (t) => iterate(state, t) };
}

/** New rows that begin as x does. */
export function likeModels({ rows, passes, x0 }: World): Rows {
  const copy = rows();
  passes.copy(copy, x0);
  return copy;
}
