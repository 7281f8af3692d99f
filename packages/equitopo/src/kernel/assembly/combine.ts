import { load2, store2, two } from "./rows";

/**
 * y = sum_j weights[j] rows_j, j = 0 .. sources - 1 in that order, over `count` numbers (rounded up to 4; the memory after
 * the rows is there): products and sums in double, float32 rows rounded once. Row j is at rows + j stride.
 */
export function combineRows<T>(y: usize, rows: usize, stride: usize, sources: i32, weights: usize, count: i32): void {
  for (let k: i32 = 0; k < count; k += 4) {
    let p = rows + <usize>k * sizeof<T>();
    let w = v128.load64_splat(weights);
    let low = f64x2.mul(w, load2<T>(p));
    let high = f64x2.mul(w, load2<T>(p + two<T>()));
    for (let j: i32 = 1; j < sources; j++) {
      p += stride;
      w = v128.load64_splat(weights + (<usize>j << 3));
      low = f64x2.add(low, f64x2.mul(w, load2<T>(p)));
      high = f64x2.add(high, f64x2.mul(w, load2<T>(p + two<T>())));
    }
    const out = y + <usize>k * sizeof<T>();
    store2<T>(out, low);
    store2<T>(out + two<T>(), high);
  }
}
