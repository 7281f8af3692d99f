/**
 * Two numbers of a row at a time, as doubles: float32 rows are promoted on load and rounded once on store.
 * T is f64 or f32, the type of the rows.
 */

@inline
export function load2<T>(at: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(at);
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

@inline
export function store2<T>(at: usize, value: v128): void {
  if (sizeof<T>() == 8) v128.store(at, value);
  else v128.store64_lane(at, f32x4.demote_f64x2_zero(value), 0);
}

@inline
export function load1<T>(at: usize): f64 {
  return <f64>load<T>(at);
}

@inline
export function store1<T>(at: usize, value: f64): void {
  store<T>(at, <T>value);
}

/** Bytes of two numbers. */
@inline
export function two<T>(): usize {
  return 2 * sizeof<T>();
}

/**
 * sum_k (row_k - mean_k)^2: eight partial sums by k mod 8, p_0 .. p_7, added as
 * ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)). Its plain twin is src/round/distance.ts.
 */
export function rowDistance<T>(row: usize, d: i32, mean: usize): f64 {
  let p0 = f64x2.splat(0), p2 = p0, p4 = p0, p6 = p0;
  let k: i32 = 0;
  for (; k + 8 <= d; k += 8) {
    const e0 = f64x2.sub(load2<T>(row), v128.load(mean));
    const e2 = f64x2.sub(load2<T>(row + two<T>()), v128.load(mean, 16));
    const e4 = f64x2.sub(load2<T>(row + 2 * two<T>()), v128.load(mean, 32));
    const e6 = f64x2.sub(load2<T>(row + 3 * two<T>()), v128.load(mean, 48));
    p0 = f64x2.add(p0, f64x2.mul(e0, e0));
    p2 = f64x2.add(p2, f64x2.mul(e2, e2));
    p4 = f64x2.add(p4, f64x2.mul(e4, e4));
    p6 = f64x2.add(p6, f64x2.mul(e6, e6));
    row += 4 * two<T>();
    mean += 64;
  }
  // Up to seven numbers are left; in a half-filled pair the other lane adds 0.
  for (let pair: i32 = 0; k < d; pair++, k += 2) {
    let e: v128;
    if (k + 2 <= d) e = f64x2.sub(load2<T>(row), v128.load(mean));
    else e = f64x2.replace_lane(f64x2.splat(0), 0, load1<T>(row) - load<f64>(mean));
    e = f64x2.mul(e, e);
    if (pair == 0) p0 = f64x2.add(p0, e);
    else if (pair == 1) p2 = f64x2.add(p2, e);
    else if (pair == 2) p4 = f64x2.add(p4, e);
    else p6 = f64x2.add(p6, e);
    row += two<T>();
    mean += 16;
  }
  const sum = f64x2.add(f64x2.add(p0, p4), f64x2.add(p2, p6));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** out[i] = squared distance of row i, for rows lo .. hi - 1; nothing where no mean is given. */
@inline
export function measure<T>(rows: usize, d: i32, mean: usize, out: usize, lo: i32, hi: i32): void {
  if (mean == 0) return;
  for (let i: i32 = lo; i < hi; i++) {
    store<f64>(out + (<usize>i << 3), rowDistance<T>(rows + <usize>i * d * sizeof<T>(), d, mean));
  }
}

/** Doubles to rows. */
@inline
export function round<T>(from: usize, to: usize, count: i32): void {
  for (; count >= 4; count -= 4) {
    store2<T>(to, v128.load(from));
    store2<T>(to + two<T>(), v128.load(from, 16));
    from += 32;
    to += 2 * two<T>();
  }
  for (; count >= 2; count -= 2) {
    store2<T>(to, v128.load(from));
    from += 16;
    to += two<T>();
  }
  if (count > 0) store1<T>(to, load<f64>(from));
}

/** The distances of rows lo .. hi - 1, for rows that no kernel has just written. */
export function measureRows<T>(rows: usize, d: i32, mean: usize, out: usize, part: i32, lo: i32, hi: i32): void {
  measure<T>(rows, d, mean, out, lo, hi);
}
