import { load1, load2, store1, two } from "./rows";

/** Where row j lies: `places` is a table of addresses. */
@inline
function row(places: usize, j: i32): usize {
  return load<u32>(places + (<usize>j << 2));
}

/** Stores four numbers, and adds to `seen` the signs of (exponent + 1): one of all ones overflows into the sign. */
@inline
function keep4<T>(y: usize, low: v128, high: v128, seen: v128): v128 {
  if (sizeof<T>() == 8) {
    v128.store(y, low);
    v128.store(y, high, 16);
    const mask = i64x2.splat(0x7ff0000000000000), one = i64x2.splat(0x10000000000000);
    const both = v128.or(i64x2.add(v128.and(low, mask), one), i64x2.add(v128.and(high, mask), one));
    return v128.or(seen, both);
  }
  const four = v128.shuffle<i64>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
  v128.store(y, four);
  return v128.or(seen, i32x4.add(v128.and(four, i32x4.splat(0x7f800000)), i32x4.splat(0x800000)));
}

/**
 * y = sum_j weights[j] row_j, j = 0 .. sources - 1 in that order, at least two: products and sums in double, float32 rows rounded
 * once. y may be row 0. Answers 1 where all of y is finite: then all the rows are, for what is not is not in a sum either.
 */
export function combineRows<T>(y: usize, places: usize, weights: usize, sources: i32, count: i32): i32 {
  const a = row(places, 0), b = row(places, 1);
  const v = v128.load64_splat(weights), w = v128.load64_splat(weights, 8);
  let seen = i32x4.splat(0);
  let k: i32 = 0;
  for (; k + 4 <= count; k += 4) {
    const at = <usize>k * sizeof<T>();
    let low = f64x2.add(f64x2.mul(v, load2<T>(a + at)), f64x2.mul(w, load2<T>(b + at)));
    let high = f64x2.add(f64x2.mul(v, load2<T>(a + at + two<T>())), f64x2.mul(w, load2<T>(b + at + two<T>())));
    for (let j: i32 = 2; j < sources; j++) {
      const p = row(places, j) + at;
      const more = v128.load64_splat(weights + (<usize>j << 3));
      low = f64x2.add(low, f64x2.mul(more, load2<T>(p)));
      high = f64x2.add(high, f64x2.mul(more, load2<T>(p + two<T>())));
    }
    seen = keep4<T>(y + at, low, high, seen);
  }
  let finite = sizeof<T>() == 8 ? (i64x2.bitmask(seen) == 0) : (i32x4.bitmask(seen) == 0);
  for (; k < count; k++) {
    const at = <usize>k * sizeof<T>();
    let sum = load<f64>(weights) * load1<T>(a + at);
    for (let j: i32 = 1; j < sources; j++) sum += load<f64>(weights + (<usize>j << 3)) * load1<T>(row(places, j) + at);
    store1<T>(y + at, sum);
    const stored = load1<T>(y + at);
    finite = finite && stored - stored == 0;
  }
  return finite ? 1 : 0;
}
