/**
 * What an attack is: what a liar says in place of its row. A liar is otherwise a node like others: it has data, computes
 * gradients, mixes what it hears, and keeps a true row; only what it sends is not that row. It says the same to all that
 * hear it in an exchange. What is said is a function of the rows, the seed and the exchange: a run with liars repeats to
 * the last bit.
 */

import type { Options, Values } from "../../input/option.ts";
import type { AnyFamily } from "../../input/registry.ts";
import type { Rows } from "../../round/round.ts";

/** What a liar knows when it speaks. */
export interface Scene {
  /** The liar's own number. */
  readonly node: number;
  /** The exchange of the run. */
  readonly exchange: number;
  readonly seed: number;
  /** What honest nodes send in this exchange; empty at a real peer, which sees none of it in time. */
  readonly honest: readonly Rows[];
}

/** An attack with its options settled: writes what is said in place of the liar's own row. */
export type Lie = (own: Rows, scene: Scene, out: Rows) => void;

/** A member of the registry of attacks: one file each. */
export interface AttackFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  readonly source: string;
  /** Whether a liar needs nothing but its own row: such an attack real peers can play, too. */
  readonly alone: boolean;
  /** Whether the liars' data is to have wrong labels (ProblemContext.mislabelled). */
  readonly mislabels?: true;
  create(options: Values<O>): Lie;
}

/** A member for `attacks.add` or a plug-in, its options' types inferred. */
export function defineAttack<O extends Options>(member: AttackFamily<O>): AttackFamily<O> {
  return member;
}
