/**
 * What rounds leave of the disagreement where every message (in undirected rounds: every exchange) is dropped with
 * probability p, in the root of the mean square. A receiver keeps the weight of what does not arrive: W' = q W + p I + N with
 * q = 1 - p, and N adds p q w_ij^2 (x_j - x_i)^2 of noise for every edge. Exact for random pairs, for one random partner a
 * node in rounds that treat all directions alike, and for fixed circulants: a form sum_k c_k |x_k|^2 of the Fourier modes
 * stays one,
 *
 *   c_k  <-  c_k |q lambda_k + p|^2 + p q sum_u w_u^2 |1 - w^ku|^2 g_u,
 *
 * where g_u is what the form makes of a unit of noise: mean c for one node's, half of mean c_k |1 - w^ku|^2 for a pair's.
 */

import type { Topology } from "equitopo";

type Circulant = Extract<ReturnType<Topology["round"]>, { readonly kind: "circulant" }>;

/** What one round leaves at most, and what a stretch of them does. */
export interface Lossy {
  readonly single: number;
  readonly leaves: number;
  readonly stretch: number;
}

/** Cosines that may be summed: a second or so. */
const MOST_WORK = 2e7;

/** Undefined where no closed form is known. O(n degree period). */
export function lossyRate(topology: Topology, drop: number): Lossy | undefined {
  const { n, moments, maxDegree, period, symmetric } = topology;
  if (topology.pair !== undefined || topology.stochastic !== undefined || (topology.block ?? 1) > 1) return undefined;
  const [p, q] = [drop, 1 - drop];
  const alone = (square: number): Lossy => ({ single: Math.sqrt(square), leaves: Math.sqrt(square), stretch: 1 });
  // A pair that exchanges leaves what it leaves, one that does not leaves all.
  if (topology.kind === "random" && symmetric && maxDegree === 1) return alone(q * topology.rate().rate ** 2 + p);
  if (moments !== undefined && maxDegree === 1) {
    // Of y = (W - I) x, a node's part arrives or does not.
    const moved = moments.square - 2 * moments.mean + 1;
    return alone(1 + 2 * q * (moments.mean - 1) + q * (q + p * (1 - 1 / n)) * moved);
  }
  if (period === undefined || topology.kind === "random" || n * maxDegree * period > MOST_WORK) return undefined;
  const roots = Array.from({ length: n }, (_, m) => (2 * Math.PI * m) / n).map(
    (angle): Root => [Math.cos(angle), Math.sin(angle)],
  );
  const all = Float64Array.from({ length: n }, (_, k) => (k === 0 ? 0 : 1));
  let form: Float64Array = all;
  let single = 0;
  // Backwards: the form of what is left at the end, as one of what was there before.
  for (let t = period - 1; t >= 0; t--) {
    const round = topology.round(t);
    if (round.kind !== "circulant") return undefined;
    form = formBefore(round, form, { p, symmetric, roots });
    single = Math.max(single, largest(formBefore(round, all, { p, symmetric, roots })));
  }
  return { single: Math.sqrt(single), leaves: Math.sqrt(largest(form)), stretch: period };
}

type Root = readonly [re: number, im: number];

const largest = (form: Float64Array) => form.reduce((most, c) => Math.max(most, c), 0);

/** The form of x that is a form of W' x in the mean. O(n degree). */
function formBefore(
  { n, self, shifts, weights }: Circulant,
  form: Float64Array,
  { p, symmetric, roots }: { readonly p: number; readonly symmetric: boolean; readonly roots: readonly Root[] },
): Float64Array {
  const q = 1 - p;
  const mean = form.reduce((sum, c) => sum + c, 0) / n;
  const noise = Array.from(shifts, (shift, j) => {
    const apart = (k: number) => 2 * (1 - roots[(k * shift) % n][0]);
    const made = symmetric ? form.reduce((sum, c, k) => sum + c * apart(k), 0) / n / 2 : mean;
    return p * q * weights[j] ** 2 * made;
  });
  return form.map((c, k) => {
    if (k === 0) return 0;
    let [re, im, added] = [self, 0, 0];
    for (let j = 0; j < shifts.length; j++) {
      const [cos, sin] = roots[(k * shifts[j]) % n];
      re += weights[j] * cos;
      im += weights[j] * sin;
      added += noise[j] * 2 * (1 - cos);
    }
    return c * ((q * re + p) ** 2 + (q * im) ** 2) + added;
  });
}
