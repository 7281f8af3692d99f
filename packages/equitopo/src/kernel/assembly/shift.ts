/**
 * One shift, y_i = s x_i + w x_(i-u): two streaming reads and one write. Rows lo .. hi - 1, a thread's share.
 *
 * Where `mean` is not 0, here and in the other kernels of a round, the squared distance of each new row to that mean row
 * goes to out[row] while the row is in cache.
 */

import { load1, load2, measure, store1, store2, two } from "./rows";

/** Rows made between two measurings: few enough to be in the first cache still. */
const MEASURED: i32 = 16;

/** y = s a + w b over `count` numbers. */
@inline
function blend<T>(a: usize, b: usize, y: usize, count: i32, s: f64, w: f64): void {
  const s2 = f64x2.splat(s), w2 = f64x2.splat(w);
  for (; count >= 8; count -= 8) {
    const y0 = f64x2.add(f64x2.mul(s2, load2<T>(a)), f64x2.mul(w2, load2<T>(b)));
    const y1 = f64x2.add(f64x2.mul(s2, load2<T>(a + two<T>())), f64x2.mul(w2, load2<T>(b + two<T>())));
    const y2 = f64x2.add(f64x2.mul(s2, load2<T>(a + 2 * two<T>())), f64x2.mul(w2, load2<T>(b + 2 * two<T>())));
    const y3 = f64x2.add(f64x2.mul(s2, load2<T>(a + 3 * two<T>())), f64x2.mul(w2, load2<T>(b + 3 * two<T>())));
    store2<T>(y, y0);
    store2<T>(y + two<T>(), y1);
    store2<T>(y + 2 * two<T>(), y2);
    store2<T>(y + 3 * two<T>(), y3);
    a += 4 * two<T>();
    b += 4 * two<T>();
    y += 4 * two<T>();
  }
  for (; count > 0; count--) {
    store1<T>(y, s * load1<T>(a) + w * load1<T>(b));
    a += sizeof<T>();
    b += sizeof<T>();
    y += sizeof<T>();
  }
}

/** One shift by `shift` rows. */
export function shiftRows<T>(
  x: usize, y: usize, n: i32, d: i32, self: f64, shift: i32, weight: f64,
  mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  const bytes = <usize>d * sizeof<T>();
  while (lo < hi) {
    let end = lo < shift && shift < hi ? shift : hi;
    if (mean != 0 && lo + MEASURED < end) end = lo + MEASURED;
    const from = lo < shift ? lo - shift + n : lo - shift;
    blend<T>(x + lo * bytes, x + from * bytes, y + lo * bytes, (end - lo) * d, self, weight);
    measure<T>(y, d, mean, out, lo, end);
    lo = end;
  }
}
