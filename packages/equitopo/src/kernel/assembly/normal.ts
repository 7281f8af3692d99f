/**
 * Philox 4x32-10 on four counters at once, and Box and Muller's transform on two pairs at once.
 * The plain version, line for line, is src/random/normal.ts; the bits are the same.
 */

const M0: v128 = i32x4.splat(0xd2511f53);
const M1: v128 = i32x4.splat(0xcd9e8d57);

/** Writes normals 4 index .. 4 (index + 4 groups) - 1: `groups` times four blocks, 16 doubles each. */
export function fillNormal(
  out: usize, groups: i32, index: i32,
  seedLow: i32, seedHigh: i32, stream: i32, roundLow: i32, roundHigh: i32,
): void {
  for (let group: i32 = 0; group < groups; group++) {
    let c0 = i32x4.add(i32x4.splat(index + 4 * group), i32x4(0, 1, 2, 3));
    let c1 = i32x4.splat(roundLow);
    let c2 = i32x4.splat(stream);
    let c3 = i32x4.splat(roundHigh);
    let k0: i32 = seedLow;
    let k1: i32 = seedHigh;
    for (let round: i32 = 0; round < 10; round++) {
      const p0 = i64x2.extmul_low_i32x4_u(c0, M0);
      const p1 = i64x2.extmul_high_i32x4_u(c0, M0);
      const q0 = i64x2.extmul_low_i32x4_u(c2, M1);
      const q1 = i64x2.extmul_high_i32x4_u(c2, M1);
      const low0 = v128.shuffle<i32>(p0, p1, 0, 2, 4, 6);
      const high0 = v128.shuffle<i32>(p0, p1, 1, 3, 5, 7);
      const low1 = v128.shuffle<i32>(q0, q1, 0, 2, 4, 6);
      const high1 = v128.shuffle<i32>(q0, q1, 1, 3, 5, 7);
      c0 = v128.xor(v128.xor(high1, c1), i32x4.splat(k0));
      c1 = low1;
      c2 = v128.xor(v128.xor(high0, c3), i32x4.splat(k1));
      c3 = low0;
      k0 += 0x9e3779b9;
      k1 += 0xbb67ae85;
    }
    boxMuller(out, c0, c1);
    boxMuller(out + 16, c2, c3);
    // The upper two lanes, moved down.
    boxMuller(out + 64, v128.shuffle<i64>(c0, c0, 1, 0), v128.shuffle<i64>(c1, c1, 1, 0));
    boxMuller(out + 80, v128.shuffle<i64>(c2, c2, 1, 0), v128.shuffle<i64>(c3, c3, 1, 0));
    out += 128;
  }
}

// @ts-ignore: decorator
@inline
function k(value: f64): v128 {
  return f64x2.splat(value);
}

// @ts-ignore: decorator
@inline
function step(z: v128, tail: v128, coefficient: f64): v128 {
  return f64x2.add(k(coefficient), f64x2.mul(z, tail));
}

/** Lanes 0 and 1 of (a, b) give two normals each: the first pair to out, the second, one block on, to out + 32. */
// @ts-ignore: decorator
@inline
function boxMuller(out: usize, a: v128, b: v128): void {
  // ln((a + 1/2) / 2^32)
  let m = f64x2.add(f64x2.convert_low_i32x4_u(a), k(0.5));
  let exponent = i64x2.sub(i64x2.shr_u(m, 52), i64x2.splat(1023));
  m = v128.or(v128.and(m, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3ff0000000000000));
  const large = f64x2.gt(m, k(1.4142135623730951));
  m = v128.bitselect(f64x2.mul(m, k(0.5)), m, large);
  exponent = i64x2.sub(exponent, large); // a true lane is -1
  const e = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponent, exponent, 0, 2, 0, 2));
  const f = f64x2.sub(m, k(1));
  const s = f64x2.div(f, f64x2.add(k(2), f));
  const w = f64x2.mul(s, s);
  let tail = k(1.479819860511658591e-1);
  tail = step(w, tail, 1.531383769920937332e-1);
  tail = step(w, tail, 1.818357216161805012e-1);
  tail = step(w, tail, 2.222219843214978396e-1);
  tail = step(w, tail, 2.857142874366239149e-1);
  tail = step(w, tail, 3.999999999940941908e-1);
  tail = step(w, tail, 6.666666666666735130e-1);
  tail = f64x2.mul(w, tail);
  const half = f64x2.mul(f64x2.mul(k(0.5), f), f);
  const log = f64x2.add(
    f64x2.mul(f64x2.sub(e, k(32)), k(0.6931471805599453)),
    f64x2.sub(f, f64x2.sub(half, f64x2.mul(s, f64x2.add(half, tail)))),
  );
  const radius = f64x2.sqrt(f64x2.mul(k(-2), log));

  // cos and sin of 2 pi b / 2^32
  const quarter = i32x4.shr_u(i32x4.add(b, i32x4.splat(0x20000000)), 30);
  const x = f64x2.mul(f64x2.convert_low_i32x4_s(i32x4.sub(b, i32x4.shl(quarter, 30))), k(1.4629180792671596e-9));
  const z = f64x2.mul(x, x);
  let sin = k(1.58969099521155010221e-10);
  sin = step(z, sin, -2.50507602534068634195e-8);
  sin = step(z, sin, 2.75573137070700676789e-6);
  sin = step(z, sin, -1.98412698298579493134e-4);
  sin = step(z, sin, 8.33333333332248946124e-3);
  sin = step(z, sin, -1.66666666666666324348e-1);
  sin = f64x2.add(x, f64x2.mul(f64x2.mul(x, z), sin));
  let cos = k(-1.13596475577881948265e-11);
  cos = step(z, cos, 2.08757232129817482790e-9);
  cos = step(z, cos, -2.75573143513906633035e-7);
  cos = step(z, cos, 2.48015872894767294178e-5);
  cos = step(z, cos, -1.38888888888741095749e-3);
  cos = step(z, cos, 4.16666666666666019037e-2);
  cos = f64x2.add(f64x2.sub(k(1), f64x2.mul(k(0.5), z)), f64x2.mul(f64x2.mul(z, z), cos));

  // Odd quarters swap the two; cos is negative in quarters 1 and 2, sin in 2 and 3.
  const wide = i64x2.extend_low_i32x4_u(quarter);
  const turned = i64x2.neg(v128.and(wide, i64x2.splat(1)));
  const upper = i64x2.shl(i64x2.shr_u(wide, 1), 63);
  const cosSign = v128.xor(upper, i64x2.shl(wide, 63));
  const c = v128.xor(v128.bitselect(sin, cos, turned), cosSign);
  const d = v128.xor(v128.bitselect(cos, sin, turned), upper);
  const left = f64x2.mul(radius, c);
  const right = f64x2.mul(radius, d);
  v128.store(out, v128.shuffle<f64>(left, right, 0, 2));
  v128.store(out + 32, v128.shuffle<f64>(left, right, 1, 3));
}
