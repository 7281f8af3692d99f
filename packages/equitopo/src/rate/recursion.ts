/**
 * Linear recursions over k vectors a node, u = (u_1, ..., u_k), with numbers for coefficients:
 *
 *   u_a+ = sum over b of stay_ab u_b + mix_ab W(t) u_b.
 *
 * That is what becomes of a method's disagreement without gradients, or where all nodes have the same quadratic objective,
 * along an eigenvector of its matrix; vectors are scaled so that only the step times the eigenvalue, `step`, is left.
 */

import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";

export interface Recursion {
  /** k. */
  readonly vectors: number;
  /** k x k numbers, row by row. */
  readonly stay: readonly number[];
  readonly mix: readonly number[];
}

/**
 * The methods whose disagreement is a matter of W and one step: the step times the largest curvature.
 *
 * - "lazy" (exact diffusion, NIDS, D2 over rounds that change), "plain" (D2 on W itself): (x, y) with y the x before,
 *   x+ = V ((2 - step) x - (1 - step) y), V = (I + W)/2 or W.
 * - "extra": x+ = (I + W) x - (I + W)/2 y - step (x - y).
 * - "dsgt", "diging": (x, g Y), x+ = W(x - y) or W x - y, y+ = W y + step (x+ - x).
 */
export const recursions = {
  lazy: (step = 0) => {
    const [x, y] = [1 - step / 2, (step - 1) / 2];
    return { vectors: 2, stay: [x, y, 1, 0], mix: [x, y, 0, 0] };
  },
  plain: (step = 0) => ({ vectors: 2, stay: [0, 0, 1, 0], mix: [2 - step, step - 1, 0, 0] }),
  extra: (step = 0) => ({ vectors: 2, stay: [1 - step, step - 0.5, 1, 0], mix: [1, -0.5, 0, 0] }),
  dsgt: (step = 0) => ({ vectors: 2, stay: [0, 0, -step, 0], mix: [1, -1, step, 1 - step] }),
  diging: (step = 0) => ({ vectors: 2, stay: [0, -1, -step, -step], mix: [1, 0, step, 1] }),
} satisfies Record<string, (step?: number) => Recursion>;

/** All vectors after a round; rows of any width. */
export function advanced(recursion: Recursion, round: Round, state: readonly Float64Array[]) {
  return advancedOver(recursion, [round], state);
}

/** The same where what is sent goes through several rounds in place of one. */
export function advancedOver(
  { vectors, stay, mix }: Recursion,
  rounds: readonly Round[],
  state: readonly Float64Array[],
) {
  return state.map((_, a) => {
    const rest = combined(stay.slice(vectors * a, vectors * (a + 1)), state);
    const sent = mix.slice(vectors * a, vectors * (a + 1));
    if (sent.every((weight) => weight === 0)) return rest;
    const heard = combined(sent, state);
    const image = through(rounds, heard);
    for (let k = 0; k < rest.length; k++) rest[k] += image[k];
    return rest;
  });
}

/** What so many rounds make of rows of any width. */
export function through(rounds: readonly Round[], x: Float64Array): Float64Array {
  return rounds.reduce((image, round) => applyRound(round, image, new Float64Array(x.length)), x);
}

/** sum over b of weights_b x_b. */
export function combined(weights: readonly number[], vectors: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(vectors[0].length);
  weights.forEach((weight, b) => {
    if (weight === 0) return;
    const x = vectors[b];
    for (let k = 0; k < sum.length; k++) sum[k] += weight * x[k];
  });
  return sum;
}
