/**
 * A rule of local steps as a linear model of disagreement. An outer step with local drift d (what the inner steps did to a
 * node's model) takes the k vectors that a node keeps, s = (anchor phi, momentum), to
 *
 *   s+ = A s + a d + W (B s + b d),
 *
 * W being the product of the rounds of that outer step: every vector that is sent goes through all of them. The rules in
 * this form, with rate eta and momentum mu (gossip-diloco; slowmo by the topology):
 *
 *   m+ = mu m + d,  phi+ = W (phi + eta (d + mu m+)):   A = (0 0; 0 mu), a = (0, 1), B = (1 eta mu^2; 0 0), b = (eta (1 + mu), 0)
 *   m+ = mu m + W (phi + d) - phi,  phi+ = phi + eta m+:  A = (1 - eta, eta mu; -1, mu), a = 0, B = (eta 0; 1 0), b = (eta, 1)
 */

import type { Recursion } from "./recursion.ts";

/** A and B are `stay` and `mix`. */
export interface OuterModel extends Recursion {
  /** a and b, k numbers each. */
  readonly drift: { readonly stay: readonly number[]; readonly mix: readonly number[] };
  /** Rounds of the topology in an outer step. */
  readonly rounds: number;
  /** An exact mean in the place of W. */
  readonly mean?: true;
  /** How far the mean of all nodes moves in the long run where d is always 1: eta / (1 - mu). */
  readonly speed: number;
}

/**
 * The model as a recursion over one vector more, the drift, of which nothing is left after a step: what drives a recursion
 * then is what that vector is set to before each step.
 */
export function driven({ vectors: k, stay, mix, drift }: OuterModel): Recursion {
  const widened = (matrix: readonly number[], column: readonly number[]) => [
    ...column.flatMap((last, a) => [...matrix.slice(k * a, k * (a + 1)), last]),
    ...new Array<number>(k + 1).fill(0),
  ];
  return { vectors: k + 1, stay: widened(stay, drift.stay), mix: widened(mix, drift.mix) };
}
