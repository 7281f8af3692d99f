/**
 * The other rounds: a matching pair by pair in place, a sparse list of edges, the exact mean. Each does rows (pairs,
 * columns) lo .. hi - 1, a thread's share; the definition, bit for bit, is src/round/apply.ts.
 */

import { load1, load2, measure, rowDistance, round, store1, store2, two } from "./rows";
import { addWeighted } from "./shifts";

/**
 * Rows a and b exchange: a = s a + w b, b = s b + w a. Where SAME is two bytes, s = w (the best eta): both rows become the
 * same sum, from one multiplication each.
 */
@inline
function exchange<T, SAME>(a: usize, b: usize, d: i32, self: f64, weight: f64): void {
  const s = f64x2.splat(self), w = f64x2.splat(weight);
  let count = d;
  for (; count >= 4; count -= 4) {
    const a0 = load2<T>(a), a1 = load2<T>(a + two<T>());
    const b0 = load2<T>(b), b1 = load2<T>(b + two<T>());
    const y0 = f64x2.add(f64x2.mul(s, a0), f64x2.mul(w, b0)), y1 = f64x2.add(f64x2.mul(s, a1), f64x2.mul(w, b1));
    store2<T>(a, y0);
    store2<T>(a + two<T>(), y1);
    store2<T>(b, sizeof<SAME>() > 1 ? y0 : f64x2.add(f64x2.mul(s, b0), f64x2.mul(w, a0)));
    store2<T>(b + two<T>(), sizeof<SAME>() > 1 ? y1 : f64x2.add(f64x2.mul(s, b1), f64x2.mul(w, a1)));
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

/** Pairs lo .. hi - 1 of (i, j), in place: both rows of a pair are read once and written once; i = j is idle. */
export function matchRows<T>(
  x: usize, pairs: usize, d: i32, self: f64, weight: f64, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  const bytes = <usize>d * sizeof<T>();
  for (let p = lo; p < hi; p++) {
    const i = load<i32>(pairs + (<usize>p << 3)), j = load<i32>(pairs + (<usize>p << 3), 4);
    if (i != j) {
      if (self == weight) exchange<T, u16>(x + i * bytes, x + j * bytes, d, self, weight);
      else exchange<T, u8>(x + i * bytes, x + j * bytes, d, self, weight);
    }
    if (mean != 0) {
      store<f64>(out + (<usize>i << 3), rowDistance<T>(x + i * bytes, d, mean));
      if (i != j) store<f64>(out + (<usize>j << 3), rowDistance<T>(x + j * bytes, d, mean));
    }
  }
}

/**
 * The doubles at acc = self x_i + the edges from e on (FIRST is two bytes), or += them: as many as C has bytes. Where their
 * rows are read goes through memory (see locate in shifts.ts). Answers with the edge after them.
 */
@inline
function addEdges<T, C, FIRST>(
  x: usize, own: usize, acc: usize, d: i32, bytes: usize, self: f64, from: usize, weights: usize, e: i32, table: usize,
): i32 {
  for (let k: i32 = 0; k < <i32>sizeof<C>(); k++) {
    store<usize>(table + (<usize>k << 2), x + load<u32>(from + (<usize>(e + k) << 2)) * bytes);
  }
  addWeighted<T, C, FIRST, u16>(own, acc, d, self, table, weights + (<usize>e << 3), 0);
  return e + <i32>sizeof<C>();
}

/** The doubles at acc = self x_i + the edges e .. end - 1, four at a time. */
@inline
function sumEdges<T>(
  x: usize, own: usize, acc: usize, d: i32, bytes: usize, self: f64, from: usize, weights: usize, e: i32, end: i32,
  table: usize,
): void {
  if (e + 4 <= end) e = addEdges<T, u32, u16>(x, own, acc, d, bytes, self, from, weights, e, table);
  else if (e + 2 <= end) e = addEdges<T, u16, u16>(x, own, acc, d, bytes, self, from, weights, e, table);
  else e = addEdges<T, u8, u16>(x, own, acc, d, bytes, self, from, weights, e, table);
  while (e + 4 <= end) e = addEdges<T, u32, u8>(x, own, acc, d, bytes, self, from, weights, e, table);
  if (e + 2 <= end) e = addEdges<T, u16, u8>(x, own, acc, d, bytes, self, from, weights, e, table);
  if (e < end) addEdges<T, u8, u8>(x, own, acc, d, bytes, self, from, weights, e, table);
}

/** Rows shorter than this are summed number by number. */
const SHORT: i32 = 8;

/** Rows first + lo .. of a CSR list: start, from, weights and self begin at row `first`; acc has room for every thread. */
export function sparseRows<T>(
  x: usize, y: usize, d: i32, self: usize, start: usize, from: usize, weights: usize, first: i32, acc: usize,
  mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  acc += <usize>part * ((<usize>d << 3) + 64);
  const bytes = <usize>d * sizeof<T>();
  const origin = load<i32>(start);
  for (let r = lo; r < hi; r++) {
    const begin = load<i32>(start + (<usize>r << 2)) - origin, end = load<i32>(start + (<usize>r << 2), 4) - origin;
    const s = load<f64>(self + (<usize>r << 3));
    const own = x + <usize>(first + r) * bytes;
    const to = y + <usize>(first + r) * bytes;
    if (begin == end || d < SHORT) {
      for (let k: usize = 0; k < bytes; k += sizeof<T>()) {
        let sum = s * load1<T>(own + k);
        for (let e = begin; e < end; e++) {
          sum += load<f64>(weights + (<usize>e << 3)) * load1<T>(x + load<u32>(from + (<usize>e << 2)) * bytes + k);
        }
        store1<T>(to + k, sum);
      }
    } else {
      const sums = sizeof<T>() == 8 ? to : acc + 16;
      sumEdges<T>(x, own, sums, d, bytes, s, from, weights, begin, end, acc);
      if (sizeof<T>() == 4) round<T>(sums, to, d);
    }
    measure<T>(y, d, mean, out, first + r, first + r + 1);
  }
}

/** mean[k] = (0 + x_0k + x_1k + ...) / n for columns lo .. hi - 1. */
export function columnMeans<T>(x: usize, n: i32, d: i32, mean: usize, part: i32, lo: i32, hi: i32): void {
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
export function meanRows<T>(x: usize, d: i32, keep: f64, average: usize, mean: usize, out: usize, part: i32, lo: i32, hi: i32): void {
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
