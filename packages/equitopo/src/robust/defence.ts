/**
 * What a defence is: how a node mixes when it does not trust what it hears. Plain mixing is x_i + sum_j w_ij (x_j - x_i),
 * so a node that sends 1e30 in place of x_j decides what x_i becomes. A defence limits each difference before it is
 * added:
 *
 *   y_i = x_i + sum_j w_ij phi(x_j - x_i),
 *
 * so that a node goes by its own model, which it knows to be honest. It needs nothing of the others but their rows: the
 * simulator calls it row by row, a real peer for its own row, the same function and the same bits. A row that did not come
 * adds nothing, and its weight stays with x_i.
 *
 * The order of additions is part of the definition: x first, then the rows as they are given, in double, rounded once.
 */

import type { Options, Values } from "../input/option.ts";
import type { AnyFamily } from "../input/registry.ts";
import type { Rows } from "../round/round.ts";
import type { Topology } from "../topology/topology.ts";

/** A defence with its options settled. */
export interface Defence {
  /** The kind and all options: plain JSON. */
  readonly spec: DefenceSpec;
  /**
   * Writes y from one's own row x and the rows heard, whose weights sum to at most 1. y is neither x nor one of the rows.
   * Answers the weights that the rows had in the end, 0 where one was left out and its exchange is void; undefined where
   * each number has weights of its own.
   */
  row(y: Rows, x: Rows, weights: readonly number[], rows: readonly Rows[]): readonly number[] | undefined;
  /** The most that one row of weight 1 can move x, in the 2-norm; undefined where it is bounded by honest rows instead. */
  readonly reach?: number;
  /** How many liars among the rows heard it withstands coordinate by coordinate; undefined where it counts none. */
  readonly withstands?: number;
  /** Why it can do nothing over this topology; undefined where it can. */
  unfit?(topology: Topology): string | undefined;
}

/** `{ kind, ...options }` as a spec has it. */
export interface DefenceSpec {
  readonly kind: string;
  readonly [option: string]: unknown;
}

/** A member of the registry of defences: one file each. */
export interface DefenceFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  readonly source: string;
  /** Whether an exchange of equal weights between honest nodes keeps their sum, whatever they hold. */
  readonly keepsMean: boolean;
  create(options: Values<O>): Omit<Defence, "spec">;
}

/** A member for `defences.add` or a plug-in, its options' types inferred. */
export function defineDefence<O extends Options>(member: DefenceFamily<O>): DefenceFamily<O> {
  return member;
}
