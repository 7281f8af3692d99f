/**
 * `{ n, round, self: [w_ii], edges: [[from, to, w_to,from], ...] }`, 0-based labels; `{ n, rounds: [{ round, self, edges },
 * ...] }` of a range of rounds.
 */

import { type CustomOptions, type Edge, InputError } from "equitopo";
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

export function readJson(text: string): CustomOptions {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`the file must be JSON (${(error as Error).message})`, excerpt(text), REMEDY);
  }
  const { n, self, edges } = (value ?? {}) as Record<string, unknown>;
  if (typeof n !== "number" || !isList(self) || !isList(edges)) {
    throw new InputError("the file must hold { n, self, edges }", excerpt(text), REMEDY);
  }
  edges.forEach((edge, k) => {
    if (isList(edge) && edge.length === 3 && edge.every((part) => typeof part === "number")) return;
    throw new InputError(`edge ${k} must be [from, to, weight]`, edge, "give three numbers");
  });
  return { n, self: self as number[], edges: edges as Edge[] };
}

const REMEDY = "write it as `equitopo graph --format json` does";

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
