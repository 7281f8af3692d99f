/**
 * The logistic function, its integral and the logarithm, two at a time: fdlibm's polynomials, as in the plain versions
 * `sigmoid`, `softplus` and `log` of src/number/elementary.ts, with the same bits.
 */

@inline
export function splat(value: f64): v128 {
  return f64x2.splat(value);
}

@inline
export function madd(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** x = k ln 2 + r: adding 1.5 2^52 rounds to an integer, which then stands in the low bits. */
const ROUND: f64 = 6755399441055744.0;

@inline
function nearestPower(x: v128): v128 {
  return madd(splat(ROUND), x, splat(1.4426950408889634));
}

@inline
function rest(x: v128, shifted: v128): v128 {
  const k = f64x2.sub(shifted, splat(ROUND));
  const high = f64x2.sub(x, f64x2.mul(k, splat(0.6931471803691238)));
  return f64x2.sub(high, f64x2.mul(k, splat(1.9082149292705877e-10)));
}

/** 2 - c of e^r = (2 - c + 2 r) / (2 - c). */
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

@inline
function power(shifted: v128): v128 {
  return i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52);
}

/** 1 / (1 + e^x) with one division; beyond +-708 as at +-708. */
@inline
export function sigmoidOfMinus(x: v128): v128 {
  const bounded = f64x2.pmax(splat(-708), f64x2.pmin(splat(708), x));
  const shifted = nearestPower(bounded);
  const r = rest(bounded, shifted);
  const below = denominator(r);
  return f64x2.div(below, f64x2.add(below, f64x2.mul(power(shifted), f64x2.add(below, f64x2.add(r, r)))));
}

/** e^-|x|, the first half of softplus; beyond 708 as at 708. */
@inline
export function expMinusAbs(x: v128): v128 {
  const minus = f64x2.neg(f64x2.pmin(splat(708), f64x2.abs(x)));
  const shifted = nearestPower(minus);
  const r = rest(minus, shifted);
  return f64x2.mul(power(shifted), f64x2.add(splat(1), f64x2.div(f64x2.add(r, r), denominator(r))));
}

/** ln m for m in [sqrt(1/2), sqrt(2)], by the series of atanh. */
@inline
export function logSeries(m: v128): v128 {
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
  return f64x2.sub(f, f64x2.sub(half, f64x2.mul(s, f64x2.add(half, tail))));
}

/** ln(1 + e^x) = max(x, 0) + ln(1 + u), u = e^-|x|; ln(1 + u) = ln w + u - (w - 1), w = 1 + u as rounded. */
@inline
export function softplus(x: v128, u: v128): v128 {
  const w = f64x2.add(splat(1), u);
  // ln w for w in [1, 2]: m = w or w / 2.
  const large = f64x2.gt(w, splat(1.4142135623730951));
  const m = v128.bitselect(f64x2.mul(w, splat(0.5)), w, large);
  const log = f64x2.add(v128.and(splat(0.6931471805599453), large), logSeries(m));
  const lost = f64x2.sub(u, f64x2.sub(w, splat(1)));
  return f64x2.add(f64x2.pmax(splat(0), x), f64x2.add(log, lost));
}
