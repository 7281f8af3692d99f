/**
 * Products of rounds over two vectors a node (CECA). A round takes (x, z) to
 *
 *   x' = a x + b H s,   z' = c z + d H s,   s = x or z, whichever is sent,   H: who hears whom,
 *
 * and all start with z = x; what counts is x at the end.
 */

import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import { applyTransposed, type PairWeights, type RoundSequence, workOf } from "./sequence.ts";
import { worked } from "./watch.ts";

type Memory = Float64Array;

/** What one round does to both vectors, in place; `heard` is scratch memory. */
export function applyPair(round: Round, pair: PairWeights, x: Memory, z: Memory, heard: Memory): void {
  const { sends, x: onX, z: onZ } = pair;
  applyRound(round, sends === "x" ? x : z, heard);
  for (let k = 0; k < x.length; k++) {
    x[k] = onX.own * x[k] + onX.heard * heard[k];
    z[k] = onZ.own * z[k] + onZ.heard * heard[k];
  }
}

/** The same backwards: the transposed round, one column; `sent` is scratch memory, too. */
function transposed(round: Round, pair: PairWeights, x: Memory, z: Memory, heard: Memory, sent: Memory): void {
  const { sends, x: onX, z: onZ } = pair;
  for (let k = 0; k < x.length; k++) sent[k] = onX.heard * x[k] + onZ.heard * z[k];
  applyTransposed(round, sent, heard);
  for (let k = 0; k < x.length; k++) {
    x[k] = onX.own * x[k] + (sends === "x" ? heard[k] : 0);
    z[k] = onZ.own * z[k] + (sends === "z" ? heard[k] : 0);
  }
}

/** x(0) = z(0) to x(m), and its transpose. */
export function pairProduct(topology: RoundSequence, m: number, first: number) {
  const { n } = topology;
  const steps = Array.from({ length: m }, (_, t) => {
    return { round: topology.round(first + t), pair: topology.pair!(first + t) };
  });
  const z = new Float64Array(n);
  const heard = new Float64Array(n);
  const sent = new Float64Array(n);
  return {
    forward(from: Float64Array, x: Float64Array): void {
      x.set(from);
      z.set(from);
      for (const { round, pair } of steps) {
        applyPair(round, pair, x, z, heard);
        worked(workOf(round) + 2 * n);
      }
    },
    backward(from: Float64Array, x: Float64Array): void {
      x.set(from);
      z.fill(0);
      for (let k = m - 1; k >= 0; k--) {
        transposed(steps[k].round, steps[k].pair, x, z, heard, sent);
        worked(workOf(steps[k].round) + 2 * n);
      }
      for (let i = 0; i < n; i++) x[i] += z[i];
    },
  };
}
