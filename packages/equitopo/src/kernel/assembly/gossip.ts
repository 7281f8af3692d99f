/**
 * The other rounds: a matching pair by pair in place, a sparse list of edges, the exact mean. Each does rows (pairs,
 * columns) lo .. hi - 1, a thread's share; the definition, bit for bit, is src/round/apply.ts.
 */

import { load1, load2, measure, rowDistance, store1, store2, two } from "./rows";

/** Pairs lo .. hi - 1 of (i, j), in place: both rows of a pair are read once and written once; i = j is idle. */
function matchRows<T>(
  x: usize, pairs: usize, d: i32, self: f64, weight: f64, mean: usize, out: usize, lo: i32, hi: i32,
): void {
  const bytes = <usize>d * sizeof<T>();
  const s2 = f64x2.splat(self), w2 = f64x2.splat(weight);
  for (let p = lo; p < hi; p++) {
    const i = load<i32>(pairs + (<usize>p << 3)), j = load<i32>(pairs + (<usize>p << 3), 4);
    if (i != j) {
      let a = x + i * bytes, b = x + j * bytes;
      let count = d;
      for (; count >= 4; count -= 4) {
        const a0 = load2<T>(a), a1 = load2<T>(a + two<T>());
        const b0 = load2<T>(b), b1 = load2<T>(b + two<T>());
        store2<T>(a, f64x2.add(f64x2.mul(s2, a0), f64x2.mul(w2, b0)));
        store2<T>(a + two<T>(), f64x2.add(f64x2.mul(s2, a1), f64x2.mul(w2, b1)));
        store2<T>(b, f64x2.add(f64x2.mul(s2, b0), f64x2.mul(w2, a0)));
        store2<T>(b + two<T>(), f64x2.add(f64x2.mul(s2, b1), f64x2.mul(w2, a1)));
        a += 2 * two<T>();
        b += 2 * two<T>();
      }
      for (; count > 0; count--) {
        const a0 = load1<T>(a), b0 = load1<T>(b);
        store1<T>(a, self * a0 + weight * b0);
        store1<T>(b, self * b0 + weight * a0);
        a += sizeof<T>();
        b += sizeof<T>();
      }
    }
    if (mean != 0) {
      store<f64>(out + (<usize>i << 3), rowDistance<T>(x + i * bytes, d, mean));
      if (i != j) store<f64>(out + (<usize>j << 3), rowDistance<T>(x + j * bytes, d, mean));
    }
  }
}

/** Rows first + lo .. of a CSR list: start, from, weights and self begin at row `first`. */
function sparseRows<T>(
  x: usize, y: usize, d: i32, self: usize, start: usize, from: usize, weights: usize, first: i32,
  mean: usize, out: usize, lo: i32, hi: i32,
): void {
  const bytes = <usize>d * sizeof<T>();
  const origin = load<i32>(start);
  for (let r = lo; r < hi; r++) {
    const begin = load<i32>(start + (<usize>r << 2)) - origin, end = load<i32>(start + (<usize>r << 2), 4) - origin;
    const s = load<f64>(self + (<usize>r << 3));
    const s2 = f64x2.splat(s);
    const row = <usize>(first + r) * bytes;
    let k: usize = 0;
    let count = d;
    for (; count >= 16; count -= 16) {
      const own = x + row + k;
      let y0 = f64x2.mul(s2, load2<T>(own)), y1 = f64x2.mul(s2, load2<T>(own + two<T>()));
      let y2 = f64x2.mul(s2, load2<T>(own + 2 * two<T>())), y3 = f64x2.mul(s2, load2<T>(own + 3 * two<T>()));
      let y4 = f64x2.mul(s2, load2<T>(own + 4 * two<T>())), y5 = f64x2.mul(s2, load2<T>(own + 5 * two<T>()));
      let y6 = f64x2.mul(s2, load2<T>(own + 6 * two<T>())), y7 = f64x2.mul(s2, load2<T>(own + 7 * two<T>()));
      for (let e = begin; e < end; e++) {
        const w = v128.load64_splat(weights + (<usize>e << 3));
        const p = x + load<u32>(from + (<usize>e << 2)) * bytes + k;
        y0 = f64x2.add(y0, f64x2.mul(w, load2<T>(p)));
        y1 = f64x2.add(y1, f64x2.mul(w, load2<T>(p + two<T>())));
        y2 = f64x2.add(y2, f64x2.mul(w, load2<T>(p + 2 * two<T>())));
        y3 = f64x2.add(y3, f64x2.mul(w, load2<T>(p + 3 * two<T>())));
        y4 = f64x2.add(y4, f64x2.mul(w, load2<T>(p + 4 * two<T>())));
        y5 = f64x2.add(y5, f64x2.mul(w, load2<T>(p + 5 * two<T>())));
        y6 = f64x2.add(y6, f64x2.mul(w, load2<T>(p + 6 * two<T>())));
        y7 = f64x2.add(y7, f64x2.mul(w, load2<T>(p + 7 * two<T>())));
      }
      const to = y + row + k;
      store2<T>(to, y0);
      store2<T>(to + two<T>(), y1);
      store2<T>(to + 2 * two<T>(), y2);
      store2<T>(to + 3 * two<T>(), y3);
      store2<T>(to + 4 * two<T>(), y4);
      store2<T>(to + 5 * two<T>(), y5);
      store2<T>(to + 6 * two<T>(), y6);
      store2<T>(to + 7 * two<T>(), y7);
      k += 8 * two<T>();
    }
    for (; count >= 2; count -= 2) {
      let y0 = f64x2.mul(s2, load2<T>(x + row + k));
      for (let e = begin; e < end; e++) {
        const w = v128.load64_splat(weights + (<usize>e << 3));
        y0 = f64x2.add(y0, f64x2.mul(w, load2<T>(x + load<u32>(from + (<usize>e << 2)) * bytes + k)));
      }
      store2<T>(y + row + k, y0);
      k += two<T>();
    }
    if (count > 0) {
      let sum = s * load1<T>(x + row + k);
      for (let e = begin; e < end; e++) {
        sum += load<f64>(weights + (<usize>e << 3)) * load1<T>(x + load<u32>(from + (<usize>e << 2)) * bytes + k);
      }
      store1<T>(y + row + k, sum);
    }
    measure<T>(y, d, mean, out, first + r, first + r + 1);
  }
}

/** mean[k] = (0 + x_0k + x_1k + ...) / n for columns lo .. hi - 1. */
function columnMeans<T>(x: usize, n: i32, d: i32, mean: usize, lo: i32, hi: i32): void {
  const bytes = <usize>d * sizeof<T>();
  let k = lo;
  const by = f64x2.splat(<f64>n);
  for (; k + 8 <= hi; k += 8) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
    let p = x + <usize>k * sizeof<T>();
    for (let i: i32 = 0; i < n; i++) {
      s0 = f64x2.add(s0, load2<T>(p));
      s1 = f64x2.add(s1, load2<T>(p + two<T>()));
      s2 = f64x2.add(s2, load2<T>(p + 2 * two<T>()));
      s3 = f64x2.add(s3, load2<T>(p + 3 * two<T>()));
      p += bytes;
    }
    const to = mean + (<usize>k << 3);
    v128.store(to, f64x2.div(s0, by));
    v128.store(to, f64x2.div(s1, by), 16);
    v128.store(to, f64x2.div(s2, by), 32);
    v128.store(to, f64x2.div(s3, by), 48);
  }
  for (; k < hi; k++) {
    let sum: f64 = 0;
    let p = x + <usize>k * sizeof<T>();
    for (let i: i32 = 0; i < n; i++) {
      sum += load1<T>(p);
      p += bytes;
    }
    store<f64>(mean + (<usize>k << 3), sum / <f64>n);
  }
}

/** x_i <- keep x_i + (1 - keep) average, in place. */
function meanRows<T>(x: usize, d: i32, keep: f64, average: usize, mean: usize, out: usize, lo: i32, hi: i32): void {
  const bytes = <usize>d * sizeof<T>();
  const rest = 1 - keep;
  const k2 = f64x2.splat(keep), r2 = f64x2.splat(rest);
  for (let i = lo; i < hi; i++) {
    let p = x + i * bytes;
    let a = average;
    let count = d;
    for (; count >= 2; count -= 2) {
      store2<T>(p, f64x2.add(f64x2.mul(k2, load2<T>(p)), f64x2.mul(r2, v128.load(a))));
      p += two<T>();
      a += 16;
    }
    if (count > 0) store1<T>(p, keep * load1<T>(p) + rest * load<f64>(a));
    measure<T>(x, d, mean, out, i, i + 1);
  }
}

// Once for float64 and once for float32 rows; `part` is the thread's number.

export function matchRows64(
  x: usize, pairs: usize, d: i32, self: f64, weight: f64, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  matchRows<f64>(
    x, pairs, d, self, weight, mean, out, lo, hi,
  );
}

export function matchRows32(
  x: usize, pairs: usize, d: i32, self: f64, weight: f64, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  matchRows<f32>(
    x, pairs, d, self, weight, mean, out, lo, hi,
  );
}

export function sparseRows64(
  x: usize, y: usize, d: i32, self: usize, start: usize, from: usize, weights: usize, first: i32, mean: usize, out:
  usize, part: i32, lo: i32, hi: i32,
): void {
  sparseRows<f64>(
    x, y, d, self, start, from, weights, first, mean, out, lo, hi,
  );
}

export function sparseRows32(
  x: usize, y: usize, d: i32, self: usize, start: usize, from: usize, weights: usize, first: i32, mean: usize, out:
  usize, part: i32, lo: i32, hi: i32,
): void {
  sparseRows<f32>(
    x, y, d, self, start, from, weights, first, mean, out, lo, hi,
  );
}

export function columnMeans64(
  x: usize, n: i32, d: i32, mean: usize, part: i32, lo: i32, hi: i32,
): void {
  columnMeans<f64>(
    x, n, d, mean, lo, hi,
  );
}

export function columnMeans32(
  x: usize, n: i32, d: i32, mean: usize, part: i32, lo: i32, hi: i32,
): void {
  columnMeans<f32>(
    x, n, d, mean, lo, hi,
  );
}

export function meanRows64(
  x: usize, d: i32, keep: f64, average: usize, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  meanRows<f64>(
    x, d, keep, average, mean, out, lo, hi,
  );
}

export function meanRows32(
  x: usize, d: i32, keep: f64, average: usize, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  meanRows<f32>(
    x, d, keep, average, mean, out, lo, hi,
  );
}
