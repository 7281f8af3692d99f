/** The nodes whose data a problem holds: all in the simulator, its own at a peer. */

import { InputError, integer } from "../input/input.ts";
import type { ProblemContext } from "./problem.ts";

/** Nodes first .. first + count - 1. */
export interface Share {
  readonly first: number;
  readonly count: number;
}

/** The share that is wanted of n nodes; all by default. */
export function shareOf(n: number, context: ProblemContext): Share {
  const first = integer("first", context.first ?? 0, 0, n - 1);
  return { first, count: integer("count", context.count ?? n - first, 1, n - first) };
}

/** Refuses an operation that needs the data of all nodes if only a share is held. */
export function requireAll(what: string, n: number, { count }: Share): void {
  if (count === n) return;
  const rule = `${what} need the data of all ${n} nodes`;
  throw new InputError(rule, `the data of ${count}`, "make the problem without a share");
}
