/**
 * y = sum_j weights[j] rows_j, j = 0 .. sources - 1 in that order, over `count` numbers (rounded up to 4; the memory after
 * the rows is there): products and sums in double, float32 rows rounded once. Row j is at rows + j stride.
 */
export function combineRows32(y: usize, rows: usize, stride: usize, sources: i32, weights: usize, count: i32): void {
  for (let k: i32 = 0; k < count; k += 4) {
    let p = rows + (<usize>k << 2);
    let w = v128.load64_splat(weights);
    let low = f64x2.mul(w, f64x2.promote_low_f32x4(v128.load64_zero(p)));
    let high = f64x2.mul(w, f64x2.promote_low_f32x4(v128.load64_zero(p, 8)));
    for (let j: i32 = 1; j < sources; j++) {
      p += stride;
      w = v128.load64_splat(weights + (<usize>j << 3));
      low = f64x2.add(low, f64x2.mul(w, f64x2.promote_low_f32x4(v128.load64_zero(p))));
      high = f64x2.add(high, f64x2.mul(w, f64x2.promote_low_f32x4(v128.load64_zero(p, 8))));
    }
    const out = y + (<usize>k << 2);
    v128.store64_lane(out, f32x4.demote_f64x2_zero(low), 0);
    v128.store64_lane(out, f32x4.demote_f64x2_zero(high), 0, 8);
  }
}

/** The same for float64 rows. */
export function combineRows64(y: usize, rows: usize, stride: usize, sources: i32, weights: usize, count: i32): void {
  for (let k: i32 = 0; k < count; k += 4) {
    let p = rows + (<usize>k << 3);
    let w = v128.load64_splat(weights);
    let low = f64x2.mul(w, v128.load(p));
    let high = f64x2.mul(w, v128.load(p, 16));
    for (let j: i32 = 1; j < sources; j++) {
      p += stride;
      w = v128.load64_splat(weights + (<usize>j << 3));
      low = f64x2.add(low, f64x2.mul(w, v128.load(p)));
      high = f64x2.add(high, f64x2.mul(w, v128.load(p, 16)));
    }
    const out = y + (<usize>k << 3);
    v128.store(out, low);
    v128.store(out, high, 16);
  }
}
