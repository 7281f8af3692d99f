/**
 * `{ n, round, self: [w_ii], edges: [[from, to, w_to,from], ...] }`, 0-based labels; `{ n, rounds: [{ round, self, edges },
 * ...] }` of a range of rounds.
 */

import { selfWeight } from "equitopo/round";
import { type Drawing, edgesInto, type NumberedRound } from "./drawing.ts";

export function* writeJson({ rounds, isRange, note }: Drawing): Generator<string> {
  const [{ round }] = rounds;
  yield `{"n":${round.n},`;
  if (note !== undefined) yield `"note":${JSON.stringify(note)},\n`;
  if (!isRange) {
    yield* roundMembers(rounds[0]);
    yield "}\n";
    return;
  }
  yield `"rounds":[`;
  let separator = "\n{";
  for (const one of rounds) {
    yield separator;
    yield* roundMembers(one);
    yield "}";
    separator = ",\n{";
  }
  yield "]}\n";
}

function* roundMembers({ round, number }: NumberedRound): Generator<string> {
  const { n } = round;
  yield `"round":${number},\n"self":[`;
  let separator = "";
  for (let i = 0; i < n; i++) {
    yield `${separator}${selfWeight(round, i)}`;
    separator = ",";
  }
  yield `],\n"edges":[`;
  separator = "\n";
  for (let to = 0; to < n; to++) {
    for (const { from, weight } of edgesInto(round, to)) {
      yield `${separator}[${from},${to},${weight}]`;
      separator = ",\n";
    }
  }
  yield "]";
}
