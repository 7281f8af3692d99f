/** ReLU by itself, and dropout: a mask of 0 and 1 / (1 - p) from Philox words. */
import { loadLanes, storeLanes } from "./rows";

const M0: v128 = i32x4.splat(0xd2511f53);
const M1: v128 = i32x4.splat(0xcd9e8d57);

/**
 * Number 16 g + 4 w + l of the mask is word w of Philox block index + 4 g + l: `scale` where the word is at least
 * `threshold` = p 2^32, otherwise 0. Writes whole groups of 16.
 */
export function dropoutMask(
  out: usize, groups: i32, threshold: i32, scale: f32, index: i32,
  seedLow: i32, seedHigh: i32, stream: i32, roundLow: i32, roundHigh: i32,
): void {
  const keep = f32x4.splat(scale);
  const bound = i32x4.splat(threshold);
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
    v128.store(out, v128.and(keep, i32x4.ge_u(c0, bound)));
    v128.store(out, v128.and(keep, i32x4.ge_u(c1, bound)), 16);
    v128.store(out, v128.and(keep, i32x4.ge_u(c2, bound)), 32);
    v128.store(out, v128.and(keep, i32x4.ge_u(c3, bound)), 48);
    out += 64;
  }
}

/** out = x y. */
export function multiply(x: usize, y: usize, out: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    v128.store(out, f32x4.mul(v128.load(x), v128.load(y)));
    x += 16; y += 16; out += 16;
  }
  if (count > 0) storeLanes(out, f32x4.mul(loadLanes(x, count), loadLanes(y, count)), count);
}

/** out = max(x, 0); NaN stays NaN. */
export function relu(x: usize, out: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    v128.store(out, f32x4.pmax(v128.load(x), f32x4.splat(0)));
    x += 16; out += 16;
  }
  if (count > 0) storeLanes(out, f32x4.pmax(loadLanes(x, count), f32x4.splat(0)), count);
}

/** out = dy where y > 0, else 0. */
export function reluGradient(y: usize, dy: usize, out: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    v128.store(out, v128.and(v128.load(dy), f32x4.gt(v128.load(y), f32x4.splat(0))));
    y += 16; dy += 16; out += 16;
  }
  if (count > 0) storeLanes(out, v128.and(loadLanes(dy, count), f32x4.gt(loadLanes(y, count), f32x4.splat(0))), count);
}
