/**
 * The parts of a saved run. A checkpoint is a flat list of vectors; each name begins with the part that the vector belongs to:
 *
 * - state:   the algorithm's states, x among them;
 * - problem: what the problem keeps (Problem.state);
 * - meter:   messages and bytes counted so far;
 * - record:  the record so far;
 * - drift:   how far mixing has moved the mean;
 * - course:  `round`, the topology's next round, if only every H-th iteration exchanges. Older checkpoints of such runs do not
 *            have it and are refused, because the older version went through other rounds. `repairs`, if a peer knew of a
 *            repair of trackers to come.
 */

import { type Exchanges, firstRound } from "../../algorithm/algorithm.ts";
import { InputError } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";
import type { Rows } from "../../round/round.ts";

const names = ["state", "problem", "meter", "record", "drift", "course"] as const;

type Vectors = Readonly<Record<string, Rows>>;

export type Parts = { readonly [name in (typeof names)[number]]?: Vectors | undefined };

/** All parts as one list of vectors. */
export const joinParts = (parts: Parts): Record<string, Rows> =>
  Object.assign({}, ...names.map((name) => prefixed(`${name}.`, parts[name] ?? {})));

/** The parts of a list of vectors; a part without vectors is empty. */
export function splitParts(vectors: Vectors): Required<{ [name in (typeof names)[number]]: Record<string, Rows> }> {
  const parts = names.map((name) => [name, within(`${name}.`, vectors)]);
  return Object.fromEntries(parts);
}

/** The part `course` of a run that has done so many updates. */
export function roundPart(exchanges: Exchanges | undefined, updates: number): Vectors | undefined {
  if (exchanges === undefined || (exchanges.every ?? 1) === 1) return undefined;
  return { round: Float64Array.of(firstRound(exchanges, updates)) };
}

/** Refuses a saved run whose next round is not the one that this version would take. */
export function requireRounds(exchanges: Exchanges | undefined, updates: number, saved: Vectors = {}): void {
  const wanted = roundPart(exchanges, updates)?.["round"][0];
  if (wanted === undefined || wanted === saved["round"]?.[0]) return;
  const rule = "a checkpoint of local steps must be of a version in which exchange k uses round k of the topology";
  const remedy = "remove it to begin without a checkpoint";
  throw new InputError(rule, "one of an older version, which used round t in iteration t", remedy);
}

/** Gives a problem back what it had kept. */
export function restoreProblem({ state }: Pick<Problem, "state">, saved: Vectors = {}): void {
  for (const [name, values] of Object.entries(saved)) state?.[name]?.set(values);
}

/** The same entries under longer names. */
export const prefixed = <T>(prefix: string, entries: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [prefix + name, value]));

/** The entries whose names begin with the prefix, under the rest of their names. */
export function within<T>(prefix: string, entries: Readonly<Record<string, T>>): Record<string, T> {
  const found = Object.entries(entries).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length), value]));
}
