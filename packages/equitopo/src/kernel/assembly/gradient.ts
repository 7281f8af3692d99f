/**
 * Gradients of linear models, node after node, the data read once. For node i with rows a_k (K of d numbers):
 *
 *   s_k = a_k . x_i,   g_i = sum_k r_k a_k,   r_k = s_k - b_k (least squares) or 1 / (1 + exp s_k) (logistic),
 *
 * in blocks of rows that stay in the first cache: all s, then all r, then g; so each loop is bound by throughput, not
 * by one row's latency. At d = 10 (the paper's) x_i and g_i stay in registers. Least squares with d <= K goes through
 * g_i = H_i x_i + m_i, H_i = A_i^T A_i, m_i = -A_i^T b_i, d + 1 rows in place of K.
 *
 * The order of sums, which the plain versions in test/problem/linear-reference.ts share: s = (sum over even j) + (sum
 * over odd j), a last j of odd d going to the even sum; g by ascending k; H x by ascending columns, after m.
 */

import { expMinusAbs, madd, sigmoidOfMinus, softplus, splat } from "./elementary";

/** Rows in a block: 5 kB at d = 10. */
const BLOCK: i32 = 64;

/** The sums of both lanes of a and of b, as one vector. */
@inline
function lanes(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

/** s_k = a_k . x, any d. */
function dots(row: usize, x: usize, d: i32, count: i32, s: usize): void {
  const size = <usize>d << 3;
  const even = <usize>(d >> 1) << 4;
  let k: i32 = 0;
  for (; k + 1 < count; k += 2) {
    const next = row + size;
    let sum0 = splat(0), sum1 = splat(0);
    for (let at: usize = 0; at < even; at += 16) {
      const v = v128.load(x + at);
      sum0 = madd(sum0, v128.load(row + at), v);
      sum1 = madd(sum1, v128.load(next + at), v);
    }
    if (d & 1) {
      const v = v128.load64_zero(x + even);
      sum0 = madd(sum0, v128.load64_zero(row + even), v);
      sum1 = madd(sum1, v128.load64_zero(next + even), v);
    }
    v128.store(s, lanes(sum0, sum1));
    row = next + size;
    s += 16;
  }
  if (k < count) {
    let sum = splat(0);
    for (let at: usize = 0; at < even; at += 16) sum = madd(sum, v128.load(row + at), v128.load(x + at));
    if (d & 1) sum = madd(sum, v128.load64_zero(row + even), v128.load64_zero(x + even));
    store<f64>(s, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

/** The same at d = 10. */
function dots10(row: usize, x: usize, count: i32, s: usize): void {
  const x0 = v128.load(x), x1 = v128.load(x, 16), x2 = v128.load(x, 32), x3 = v128.load(x, 48), x4 = v128.load(x, 64);
  const end = s + (<usize>(count & ~1) << 3);
  while (s < end) {
    let s0 = f64x2.mul(v128.load(row), x0);
    let s1 = f64x2.mul(v128.load(row, 80), x0);
    s0 = madd(s0, v128.load(row, 16), x1);
    s1 = madd(s1, v128.load(row, 96), x1);
    s0 = madd(s0, v128.load(row, 32), x2);
    s1 = madd(s1, v128.load(row, 112), x2);
    s0 = madd(s0, v128.load(row, 48), x3);
    s1 = madd(s1, v128.load(row, 128), x3);
    s0 = madd(s0, v128.load(row, 64), x4);
    s1 = madd(s1, v128.load(row, 144), x4);
    v128.store(s, lanes(s0, s1));
    row += 160;
    s += 16;
  }
  if (count & 1) dots(row, x, 10, 1, s);
}

/** g += sum_k r_k a_k, any d: two rows at a time, so that g is read and written half as often. */
function accumulate(row: usize, r: usize, d: i32, count: i32, g: usize): void {
  const size = <usize>d << 3;
  const even = <usize>(d >> 1) << 4;
  let k: i32 = 0;
  for (; k + 1 < count; k += 2) {
    const next = row + size;
    const r0 = v128.load64_splat(r), r1 = v128.load64_splat(r, 8);
    for (let at: usize = 0; at < even; at += 16) {
      v128.store(g + at, madd(madd(v128.load(g + at), r0, v128.load(row + at)), r1, v128.load(next + at)));
    }
    if (d & 1) {
      const first = load<f64>(g + even) + load<f64>(r) * load<f64>(row + even);
      store<f64>(g + even, first + load<f64>(r, 8) * load<f64>(next + even));
    }
    row = next + size;
    r += 16;
  }
  if (k < count) {
    const last = load<f64>(r);
    for (let at: usize = 0; at < size; at += 8) store<f64>(g + at, load<f64>(g + at) + last * load<f64>(row + at));
  }
}

/** g = from + sum_k r_k a_k at d = 10. */
function accumulate10(row: usize, r: usize, count: i32, from: usize, g: usize): void {
  let g0 = v128.load(from), g1 = v128.load(from, 16), g2 = v128.load(from, 32);
  let g3 = v128.load(from, 48), g4 = v128.load(from, 64);
  const end = r + (<usize>count << 3);
  while (r < end) {
    const r0 = v128.load64_splat(r);
    g0 = madd(g0, r0, v128.load(row));
    g1 = madd(g1, r0, v128.load(row, 16));
    g2 = madd(g2, r0, v128.load(row, 32));
    g3 = madd(g3, r0, v128.load(row, 48));
    g4 = madd(g4, r0, v128.load(row, 64));
    row += 80;
    r += 8;
  }
  v128.store(g, g0);
  v128.store(g, g1, 16);
  v128.store(g, g2, 32);
  v128.store(g, g3, 48);
  v128.store(g, g4, 64);
}

/** out += sigma noise, `bytes` of it. */
function addNoise(out: usize, bytes: usize, noise: usize, sigma: f64): void {
  if (sigma == 0) return;
  const scale = splat(sigma);
  const end = out + bytes;
  for (; out + 8 < end; out += 16, noise += 16) v128.store(out, madd(v128.load(out), scale, v128.load(noise)));
  if (out < end) store<f64>(out, load<f64>(out) + sigma * load<f64>(noise));
}

/** out = A^T (A x - b) + sigma noise at `count` nodes; `scratch` has room for a block of numbers. */
export function squaresGradient(
  features: usize, targets: usize, K: i32, d: i32, x: usize, out: usize, count: i32,
  noise: usize, sigma: f64, scratch: usize,
): void {
  const size = <usize>d << 3;
  const end = out + size * count;
  memory.fill(out, 0, end - out);
  for (let g = out; g < end; g += size, x += size) {
    for (let k: i32 = 0; k < K; k += BLOCK) {
      const rows = min(BLOCK, K - k);
      if (d == 10) dots10(features, x, rows, scratch);
      else dots(features, x, d, rows, scratch);
      for (let at: usize = 0; at < <usize>rows << 3; at += 8) {
        store<f64>(scratch + at, load<f64>(scratch + at) - load<f64>(targets + at));
      }
      if (d == 10) accumulate10(features, scratch, rows, g, g);
      else accumulate(features, scratch, d, rows, g);
      features += size * rows;
      targets += <usize>rows << 3;
    }
  }
  addNoise(out, end - out, noise, sigma);
}

/** out = m + H x + sigma noise at `count` nodes; `normal` holds m and the d columns of H, node after node. */
export function normalGradient(
  normal: usize, d: i32, x: usize, out: usize, count: i32, noise: usize, sigma: f64,
): void {
  const size = <usize>d << 3;
  const end = out + size * count;
  for (let g = out; g < end; g += size, x += size) {
    if (d == 10) {
      accumulate10(normal + size, x, d, normal, g);
    } else {
      memory.copy(g, normal, size);
      accumulate(normal + size, x, d, d, g);
    }
    normal += size * (d + 1);
  }
  addNoise(out, end - out, noise, sigma);
}

/** out = 2 R x / (1 + x^2)^2 - g / K + sigma noise at `count` nodes; the rows of `features` are y_k h_k. */
export function logisticGradient(
  features: usize, K: i32, d: i32, x: usize, out: usize, count: i32,
  noise: usize, sigma: f64, R: f64, scratch: usize,
): void {
  const size = <usize>d << 3;
  const end = out + size * count;
  memory.fill(out, 0, end - out);
  for (let g = out, at = x; g < end; g += size, at += size) {
    for (let k: i32 = 0; k < K; k += BLOCK) {
      const rows = min(BLOCK, K - k);
      if (d == 10) dots10(features, at, rows, scratch);
      else dots(features, at, d, rows, scratch);
      // An odd count works on one number too many: the scratch has room.
      const stop = scratch + (<usize>rows << 3);
      for (let s = scratch; s < stop; s += 16) v128.store(s, sigmoidOfMinus(v128.load(s)));
      if (d == 10) accumulate10(features, scratch, rows, g, g);
      else accumulate(features, scratch, d, rows, g);
      features += size * rows;
    }
  }
  const twice = 2 * R;
  for (let g = out; g < end; g += 8, x += 8) {
    const v = load<f64>(x);
    const w = 1 + v * v;
    store<f64>(g, (twice * v) / (w * w) - load<f64>(g) / <f64>K);
  }
  addNoise(out, end - out, noise, sigma);
}

/** The sum over a node's rows of ln(1 + exp(-a_k . x)), at `count` nodes and one point x: one number per node. `scratch`: two blocks. */
export function logisticLoss(features: usize, K: i32, d: i32, x: usize, out: usize, count: i32, scratch: usize): void {
  const size = <usize>d << 3;
  for (let i: i32 = 0; i < count; i++, out += 8) {
    let sum = splat(0);
    let last: f64 = 0;
    for (let k: i32 = 0; k < K; k += BLOCK) {
      const rows = min(BLOCK, K - k);
      if (d == 10) dots10(features, x, rows, scratch);
      else dots(features, x, d, rows, scratch);
      // An odd count works on one number too many, but adds only its first.
      const end = scratch + (<usize>rows << 3);
      for (let s = scratch; s < end; s += 16) v128.store(s, expMinusAbs(v128.load(s)), BLOCK << 3);
      let s = scratch;
      for (; s + 8 < end; s += 16) {
        sum = f64x2.add(sum, softplus(f64x2.neg(v128.load(s)), v128.load(s, BLOCK << 3)));
      }
      if (s < end) last = f64x2.extract_lane(softplus(f64x2.neg(v128.load(s)), v128.load(s, BLOCK << 3)), 0);
      features += size * rows;
    }
    store<f64>(out, f64x2.extract_lane(sum, 0) + last + f64x2.extract_lane(sum, 1));
  }
}
