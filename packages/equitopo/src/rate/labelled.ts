/**
 * Gains and stability of blocks of m rounds under labels drawn anew for every block. The mean over all labels of P M P^T is,
 * on disagreements, tr(Pi M Pi)/(n - 1) times the identity; so what a block does to the mean squares and products of
 * vectors is a matrix of a few numbers, all of them traces of the block's own rounds, and no direction is served better than
 * another: the worst gain is the rms gain.
 *
 * With A_t = W(t) ... W(0) and B_t = sum over s <= t of W(t) ... W(s), DSGD with fixed gradients h takes s, its disagreement
 * at the start of a block, to A_t s + B_t h after round t. Hence with p = E|s|^2 / |h|^2 and q = E<s, h> / |h|^2
 *
 *   q = (tr A q + tr B) / (n - 1),   p = (|A|^2 p + 2 <A, B> q + |B|^2) / (n - 1)   at t = m - 1.
 *
 * O(m n edges), and O(m^2 n edges) for the noise; one column in place of n where all rounds are circulant.
 */

import { centre, dot } from "../number/vectors.ts";
import { applyRound } from "../round/apply.ts";
import { add } from "./dense.ts";
import { spectralRadius } from "./eigenvalues.ts";
import type { Gains } from "./gains.ts";
import { forEachColumns } from "./labels.ts";
import { applyPair } from "./pair.ts";
import { advanced, type Recursion } from "./recursion.ts";
import type { RoundSequence } from "./sequence.ts";

/** The largest n where rounds are not circulant: a few seconds. */
const MOST_NODES = 1024;

/** A block, round by round. */
function roundsOf({ labelled, block }: RoundSequence) {
  return Array.from({ length: block! }, (_, t) => labelled!.round(t));
}

/** undefined where n is too large. Over two vectors a node (pair.ts) only x outlives a block. */
export function labelledGains(topology: RoundSequence): Gains | undefined {
  const { n, labelled } = topology;
  const rounds = roundsOf(topology);
  const m = rounds.length;
  // For every round |A|^2, <A, B>, |B|^2 and the noise that was put in since the start of the block.
  const traces = rounds.map(() => ({ aa: 0, ab: 0, bb: 0, noise: 0 }));
  let [a, b] = [0, 0];
  const isDone = forEachColumns(rounds, MOST_NODES, (start, times) => {
    const weight = times / (n - 1);
    const kept: Float64Array[] = [];
    const responses = rounds.map(() => new Float64Array(start.length));
    const heard = new Float64Array(start.length);
    for (let s = 0; s < m; s++) {
      const x = start.slice();
      const z = start.slice();
      for (let t = s; t < m; t++) {
        if (labelled?.pair !== undefined) applyPair(rounds[t], labelled.pair(t), x, z, heard);
        else x.set(applyRound(rounds[t], x, heard));
        centre(x, start.length / n);
        if (s === 0) kept.push(x.slice());
        add(responses[t], x);
        traces[t].noise += weight * dot(x, x);
      }
    }
    traces.forEach((trace, t) => {
      trace.aa += weight * dot(kept[t], kept[t]);
      trace.ab += weight * dot(kept[t], responses[t]);
      trace.bb += weight * dot(responses[t], responses[t]);
    });
    a += weight * dot(start, kept[m - 1]);
    b += weight * dot(start, responses[m - 1]);
  });
  if (!isDone) return undefined;
  const { aa, ab, bb, noise } = traces[m - 1];
  // What a block does not shrink adds up without end.
  if (aa > 1 - 1e-13) return { rms: Infinity, worst: Infinity, noise: Infinity, method: "exact" };
  const q = b / (1 - a);
  const p = (2 * ab * q + bb) / (1 - aa);
  const settled = noise / (1 - aa);
  const rootOfMean = (square: (trace: (typeof traces)[0]) => number) =>
    Math.sqrt(traces.reduce((sum, trace) => sum + square(trace), 0) / m);
  const gain = rootOfMean((trace) => trace.aa * p + 2 * trace.ab * q + trace.bb);
  return { rms: gain, worst: gain, noise: rootOfMean((trace) => trace.aa * settled + trace.noise), method: "exact" };
}

/** The radius of a recursion in mean square, per round; undefined where n is too large. */
export function labelledRadius(topology: RoundSequence, recursion: Recursion): number | undefined {
  const { n } = topology;
  const rounds = roundsOf(topology);
  const { vectors } = recursion;
  const products = new Float64Array(vectors ** 4);
  const isDone = forEachColumns(rounds, MOST_NODES, (start, times) => {
    // What becomes of all vectors where only vector c is not 0.
    const ends = Array.from({ length: vectors }, (_, c) => {
      let state = Array.from({ length: vectors }, (_, a) => (a === c ? start : new Float64Array(start.length)));
      for (const round of rounds) state = advanced(recursion, round, state);
      for (const end of state) centre(end, start.length / n);
      return state;
    });
    for (let at = 0; at < products.length; at++) {
      const [a, b, c, d] = [3, 2, 1, 0].map((digit) => Math.floor(at / vectors ** digit) % vectors);
      products[at] += (times / (n - 1)) * dot(ends[c][a], ends[d][b]);
    }
  });
  return isDone ? spectralRadius(products, vectors ** 2) ** (1 / rounds.length) : undefined;
}
