/**
 * Philox 4x32-10 on four counters at once, and Box and Muller's transform on two pairs at once.
 * The plain version, line for line, is src/random/normal.ts; the bits are the same.
 */

import { logSeries, madd, splat } from "./elementary";

/** Multipliers and key increments, laid out like the words: lanes 0 and 1 go with c0, lanes 2 and 3 with c2. */
const M: v128 = i32x4(0xd2511f53, 0xd2511f53, 0xcd9e8d57, 0xcd9e8d57);
const W: v128 = i32x4(0x9e3779b9, 0x9e3779b9, 0xbb67ae85, 0xbb67ae85);

/** Groups in a chunk: 8 kB of `out`, which stay in the first cache from words to normals. */
const CHUNK: i32 = 64;

/**
 * Writes normals 4 index .. 4 (index + 4 groups) - 1: `groups` times four blocks, 16 doubles each.
 * Words, radii and angles in three loops: each alone has short enough a chain that several iterations run at once.
 */
export function fillNormal(
  out: usize, groups: i32, index: i32,
  seedLow: i32, seedHigh: i32, stream: i32, roundLow: i32, roundHigh: i32,
): void {
  for (let done: i32 = 0; done < groups; done += CHUNK) {
    const count = min(CHUNK, groups - done);
    words(out, count, index + 4 * done, seedLow, seedHigh, stream, roundLow, roundHigh);
    const end = out + (<usize>count << 7);
    // A group's 128 bytes: first its words, then also its radii, at last its normals.
    for (let at = out; at < end; at += 128) {
      const even0 = v128.load(at);
      const even1 = v128.load(at, 32);
      v128.store(at, radius(even0), 64);
      v128.store(at, radius(upper(even0)), 80);
      v128.store(at, radius(even1), 96);
      v128.store(at, radius(upper(even1)), 112);
    }
    for (; out < end; out += 128) {
      const odd0 = v128.load(out, 16);
      const odd1 = v128.load(out, 48);
      const radius0 = v128.load(out, 64);
      const radius1 = v128.load(out, 80);
      const radius2 = v128.load(out, 96);
      const radius3 = v128.load(out, 112);
      turn(out, radius0, odd0);
      turn(out + 16, radius1, upper(odd0));
      turn(out + 64, radius2, odd1);
      turn(out + 80, radius3, upper(odd1));
    }
  }
}

/** The upper two words of a vector, moved down. */
@inline
function upper(words: v128): v128 {
  return v128.shuffle<i64>(words, words, 1, 0);
}

/** The words of `groups` times four blocks, 64 bytes at every 128th byte. */
@inline
function words(
  out: usize, groups: i32, index: i32,
  seedLow: i32, seedHigh: i32, stream: i32, roundLow: i32, roundHigh: i32,
): void {
  const start = v128.shuffle<i64>(i32x4.splat(roundLow), i32x4.splat(roundHigh), 0, 2);
  const seed = v128.shuffle<i64>(i32x4.splat(seedLow), i32x4.splat(seedHigh), 0, 2);
  let first = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(stream), 0, index), 1, index + 1);
  for (let group: i32 = 0; group < groups; group++) {
    // Of blocks 0 and 1, then of blocks 2 and 3: (c0, c0, c2, c2) and (c1, c1, c3, c3).
    let even0 = first;
    let even1 = i32x4.add(first, i32x4(2, 2, 0, 0));
    let odd0 = start;
    let odd1 = start;
    let key = seed;
    for (let round: i32 = 0; round < 10; round++) {
      const p0 = i64x2.extmul_low_i32x4_u(even0, M);
      const q0 = i64x2.extmul_high_i32x4_u(even0, M);
      const p1 = i64x2.extmul_low_i32x4_u(even1, M);
      const q1 = i64x2.extmul_high_i32x4_u(even1, M);
      even0 = v128.xor(v128.shuffle<i32>(q0, p0, 1, 3, 5, 7), v128.xor(odd0, key));
      even1 = v128.xor(v128.shuffle<i32>(q1, p1, 1, 3, 5, 7), v128.xor(odd1, key));
      odd0 = v128.shuffle<i32>(q0, p0, 0, 2, 4, 6);
      odd1 = v128.shuffle<i32>(q1, p1, 0, 2, 4, 6);
      key = i32x4.add(key, W);
    }
    v128.store(out, even0);
    v128.store(out, odd0, 16);
    v128.store(out, even1, 32);
    v128.store(out, odd1, 48);
    first = i32x4.add(first, i32x4(4, 4, 0, 0));
    out += 128;
  }
}

/** sqrt(-2 ln((a + 1/2) / 2^32)) of lanes 0 and 1. */
@inline
function radius(a: v128): v128 {
  let m = f64x2.add(f64x2.convert_low_i32x4_u(a), splat(0.5));
  let exponent = i64x2.sub(i64x2.shr_u(m, 52), i64x2.splat(1023));
  m = v128.or(v128.and(m, i64x2.splat(0x000fffffffffffff)), i64x2.splat(0x3ff0000000000000));
  const large = f64x2.gt(m, splat(1.4142135623730951));
  m = v128.bitselect(f64x2.mul(m, splat(0.5)), m, large);
  exponent = i64x2.sub(exponent, large); // a true lane is -1
  const e = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(exponent, exponent, 0, 2, 0, 2));
  const log = f64x2.add(f64x2.mul(f64x2.sub(e, splat(32)), splat(0.6931471805599453)), logSeries(m));
  return f64x2.sqrt(f64x2.mul(splat(-2), log));
}

/** The radii times cos and sin of 2 pi b / 2^32: lane 0's pair to out, lane 1's, one block on, to out + 32. */
@inline
function turn(out: usize, radius: v128, b: v128): void {
  const quarter = i32x4.shr_u(i32x4.add(b, i32x4.splat(0x20000000)), 30);
  const x = f64x2.mul(f64x2.convert_low_i32x4_s(i32x4.sub(b, i32x4.shl(quarter, 30))), splat(1.4629180792671596e-9));
  const z = f64x2.mul(x, x);
  let sin = splat(1.58969099521155010221e-10);
  sin = madd(splat(-2.50507602534068634195e-8), z, sin);
  sin = madd(splat(2.75573137070700676789e-6), z, sin);
  sin = madd(splat(-1.98412698298579493134e-4), z, sin);
  sin = madd(splat(8.33333333332248946124e-3), z, sin);
  sin = madd(splat(-1.66666666666666324348e-1), z, sin);
  sin = f64x2.add(x, f64x2.mul(f64x2.mul(x, z), sin));
  let cos = splat(-1.13596475577881948265e-11);
  cos = madd(splat(2.08757232129817482790e-9), z, cos);
  cos = madd(splat(-2.75573143513906633035e-7), z, cos);
  cos = madd(splat(2.48015872894767294178e-5), z, cos);
  cos = madd(splat(-1.38888888888741095749e-3), z, cos);
  cos = madd(splat(4.16666666666666019037e-2), z, cos);
  cos = f64x2.add(f64x2.sub(splat(1), f64x2.mul(splat(0.5), z)), f64x2.mul(f64x2.mul(z, z), cos));

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
