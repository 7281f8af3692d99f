/**
 * Gradients of linear models, node after node, the data read once. For node i with rows a_k (K of d numbers):
 *
 *   s_k = a_k . x_i,   g_i = sum_k r_k a_k,   r_k = s_k - b_k (least squares) or 1 / (1 + exp s_k) (logistic),
 *
 * in blocks of rows that stay in the first cache: all s, then all r, then g; so each loop is bound by throughput, not
 * by one row's latency. At d = 10 (the paper's) x_i and g_i stay in registers. Least squares with d <= K goes through
 * g_i = H_i x_i + m_i, H_i = A_i^T A_i, m_i = -A_i^T b_i, d + 1 rows in place of K.
 *
 * The order of sums, which the plain versions in src/problem/linear-reference.ts share: s = (sum over even j) + (sum
 * over odd j), a last j of odd d going to the even sum; g by ascending k; H x by ascending columns, after m.
 */

/** Rows in a block: 5 kB at d = 10. */
const BLOCK: i32 = 64;

// @ts-ignore: decorator
@inline
function splat(value: f64): v128 {
  return f64x2.splat(value);
}

// @ts-ignore: decorator
@inline
function madd(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** The sums of both lanes of a and of b, as one vector. */
// @ts-ignore: decorator
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

/** The sum over a node's rows of ln(1 + exp(-a_k . x)), at `count` nodes and one point x: one number a node. */
export function logisticLoss(features: usize, K: i32, d: i32, x: usize, out: usize, count: i32, scratch: usize): void {
  const size = <usize>d << 3;
  for (let i: i32 = 0; i < count; i++, out += 8) {
    let sum = splat(0);
    let last: f64 = 0;
    for (let k: i32 = 0; k < K; k += BLOCK) {
      const rows = min(BLOCK, K - k);
      if (d == 10) dots10(features, x, rows, scratch);
      else dots(features, x, d, rows, scratch);
      let s = scratch;
      for (const end = scratch + (<usize>(rows & ~1) << 3); s < end; s += 16) {
        sum = f64x2.add(sum, softplus(f64x2.neg(v128.load(s))));
      }
      if (rows & 1) last = f64x2.extract_lane(softplus(f64x2.neg(v128.load64_splat(s))), 0);
      features += size * rows;
    }
    store<f64>(out, f64x2.extract_lane(sum, 0) + last + f64x2.extract_lane(sum, 1));
  }
}

/** x = k ln 2 + r: adding 1.5 2^52 rounds to an integer, which then stands in the low bits. */
const ROUND: f64 = 6755399441055744.0;

// @ts-ignore: decorator
@inline
function nearestPower(x: v128): v128 {
  return madd(splat(ROUND), x, splat(1.4426950408889634));
}

// @ts-ignore: decorator
@inline
function rest(x: v128, shifted: v128): v128 {
  const k = f64x2.sub(shifted, splat(ROUND));
  const high = f64x2.sub(x, f64x2.mul(k, splat(0.6931471803691238)));
  return f64x2.sub(high, f64x2.mul(k, splat(1.9082149292705877e-10)));
}

/** 2 - c of e^r = (2 - c + 2 r) / (2 - c). */
// @ts-ignore: decorator
@inline
function denominator(r: v128): v128 {
  const t = f64x2.mul(r, r);
  let tail = splat(4.1381367970572385e-8);
  tail = madd(splat(-0.0000016533902205465252), t, tail);
  tail = madd(splat(0.00006613756321437934), t, tail);
  tail = madd(splat(-0.0027777777777015593), t, tail);
  tail = madd(splat(0.16666666666666602), t, tail);
  return f64x2.sub(splat(2), f64x2.sub(r, f64x2.mul(t, tail)));
}

// @ts-ignore: decorator
@inline
function power(shifted: v128): v128 {
  return i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52);
}

/** 1 / (1 + e^x) with one division; src/elementary.ts has the plain version of this and what follows. */
// @ts-ignore: decorator
@inline
function sigmoidOfMinus(x: v128): v128 {
  const bounded = f64x2.pmax(splat(-708), f64x2.pmin(splat(708), x));
  const shifted = nearestPower(bounded);
  const r = rest(bounded, shifted);
  const below = denominator(r);
  return f64x2.div(below, f64x2.add(below, f64x2.mul(power(shifted), f64x2.add(below, f64x2.add(r, r)))));
}

/** ln(1 + e^x) = max(x, 0) + ln(1 + u), u = e^-|x|; ln(1 + u) = ln w + (u - (w - 1)) / w with w = 1 + u as rounded. */
// @ts-ignore: decorator
@inline
function softplus(x: v128): v128 {
  const minus = f64x2.neg(f64x2.pmin(splat(708), f64x2.abs(x)));
  const shifted = nearestPower(minus);
  const r = rest(minus, shifted);
  const below = denominator(r);
  const u = f64x2.mul(power(shifted), f64x2.add(splat(1), f64x2.div(f64x2.add(r, r), below)));
  const w = f64x2.add(splat(1), u);
  // ln w for w in [1, 2]: m = w or w / 2, ln m by the series of atanh.
  const large = f64x2.gt(w, splat(1.4142135623730951));
  const m = v128.bitselect(f64x2.mul(w, splat(0.5)), w, large);
  const f = f64x2.sub(m, splat(1));
  const s = f64x2.div(f, f64x2.add(splat(2), f));
  const z = f64x2.mul(s, s);
  let tail = splat(0.14798198605116586);
  tail = madd(splat(0.15313837699209373), z, tail);
  tail = madd(splat(0.1818357216161805), z, tail);
  tail = madd(splat(0.22222198432149784), z, tail);
  tail = madd(splat(0.2857142874366239), z, tail);
  tail = madd(splat(0.3999999999940942), z, tail);
  tail = madd(splat(0.6666666666666735), z, tail);
  tail = f64x2.mul(z, tail);
  const half = f64x2.mul(f64x2.mul(splat(0.5), f), f);
  const series = f64x2.sub(f, f64x2.sub(half, f64x2.mul(s, f64x2.add(half, tail))));
  const log = f64x2.add(v128.and(splat(0.6931471805599453), large), series);
  const lost = f64x2.div(f64x2.sub(u, f64x2.sub(w, splat(1))), w);
  return f64x2.add(f64x2.pmax(splat(0), x), f64x2.add(log, lost));
}
