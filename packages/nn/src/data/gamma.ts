/**
 * Gamma and Dirichlet variates from a random stream, the same in every engine. Marsaglia and Tsang (2000): with
 * d = a - 1/3 and z normal, d (1 + z / sqrt(9 d))^3 is accepted where ln u < z^2 / 2 + d - d v + d ln v; below a = 1,
 * gamma(a) = gamma(a + 1) u^(1/a). Logarithms throughout: for small a the values themselves are zero in floating point.
 */

import type { RandomStream } from "equitopo/internal/random";
import { cosSinTurn, exp, log } from "equitopo/number";

const pair = new Float64Array(2);

function normal(stream: RandomStream): number {
  const radius = Math.sqrt(-2 * log((stream.word() + 0.5) / 4294967296));
  cosSinTurn(stream.word(), pair);
  return radius * pair[0];
}

/** The logarithm of a gamma(shape, 1) variate. */
export function logGamma(stream: RandomStream, shape: number): number {
  if (shape < 1) return logGamma(stream, shape + 1) + log((stream.word() + 0.5) / 4294967296) / shape;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = normal(stream);
    const root = 1 + c * z;
    const u = (stream.word() + 0.5) / 4294967296;
    if (root <= 0) continue;
    const v = root * root * root;
    if (log(u) < 0.5 * z * z + d - d * v + d * log(v)) return log(d) + log(v);
  }
}

/** A point of the symmetric Dirichlet distribution: n nonnegative numbers that sum to one. */
export function dirichlet(stream: RandomStream, n: number, alpha: number): Float64Array {
  const out = Float64Array.from({ length: n }, () => logGamma(stream, alpha));
  const top = out.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    out[k] = exp(out[k] - top);
    sum += out[k];
  }
  for (let k = 0; k < n; k++) out[k] /= sum;
  return out;
}
