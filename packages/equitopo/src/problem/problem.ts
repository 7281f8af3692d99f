/**
 * A problem: f = 1/n sum_i f_i over n nodes, given by its gradients. A user's own is a dimension and a gradient function.
 */

import type { Rows } from "../round/round.ts";

export interface Problem {
  readonly name: string;
  readonly n: number;
  /** The dimension of a model. */
  readonly d: number;
  /**
   * The stochastic gradients of nodes first .. first + count - 1 at their rows x (count rows of d), in iteration t.
   * Noise is a function of (seed, node, t), so that one peer computes for itself what the simulator computes for it.
   */
  gradient(x: Rows, t: number, out: Rows, first: number, count: number): void;
  /** Where every node starts (d numbers); zeros where it is left out. */
  readonly start?: Rows;
  /** What is recorded along the way: name -> value, from all n rows. */
  metrics(x: Rows): Readonly<Record<string, number>>;
}

/** A member of the problem registry: one file each. */
export interface ProblemFamily {
  readonly name: string;
  readonly summary: string;
  readonly source: string;
  /** The options it takes beside n. */
  readonly options: readonly string[];
  /** Of what it records, the one that its figure shows. */
  readonly metric: string;
  create(options: { n: number }): Problem;
}
