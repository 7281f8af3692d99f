/**
 * e^x in single precision for four numbers up to 88: x = k ln 2 + r, |r| <= ln(2)/2, and a polynomial of degree 7 for e^r
 * (Cephes' coefficients; two units in the last place). Multiplications and additions alone, so that every engine agrees.
 */

@inline
export function exp4(x: v128): v128 {
  const k = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504)));
  // ln 2 in two parts, the first short enough that k times it is exact.
  const r = f32x4.sub(f32x4.sub(x, f32x4.mul(k, f32x4.splat(0.693359375))), f32x4.mul(k, f32x4.splat(-2.12194440e-4)));
  let tail = f32x4.splat(1.9875691500e-4);
  tail = f32x4.add(f32x4.mul(tail, r), f32x4.splat(1.3981999507e-3));
  tail = f32x4.add(f32x4.mul(tail, r), f32x4.splat(8.3334519073e-3));
  tail = f32x4.add(f32x4.mul(tail, r), f32x4.splat(4.1665795894e-2));
  tail = f32x4.add(f32x4.mul(tail, r), f32x4.splat(1.6666665459e-1));
  tail = f32x4.add(f32x4.mul(tail, r), f32x4.splat(5.0000001201e-1));
  const value = f32x4.add(f32x4.add(f32x4.mul(f32x4.mul(tail, r), r), r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
  // Below, 2^k is no normal number; minus infinity ends here, too.
  return v128.andnot(f32x4.mul(value, power), f32x4.lt(x, f32x4.splat(-87)));
}

/** The first `count` lanes of v, the others `rest`. */
@inline
export function firstLanes(v: v128, count: i32, rest: f32): v128 {
  return v128.bitselect(v, f32x4.splat(rest), i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count)));
}

@inline
export function sumLanes(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

@inline
export function maxLanes(v: v128): f32 {
  const a = max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1));
  return max(a, max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)));
}
