/**
 * M shifts, y_i = s x_i + sum_j w_j x_(i-u_j), straight from x. The order of additions is the definition's
 * (src/round/apply.ts): own weight first, then the shifts as stored, in double.
 */

import { load1, load2, measure, round, two } from "./rows";

/**
 * Where the m shifts of what stands at x are read, written to `table`; shifts before `straight` do not wrap around.
 * Through memory, because V8 would move the computation of an address into the loop that uses it.
 */
@inline
export function locate(table: usize, x: usize, bytes: usize, total: usize, shifts: usize, m: i32, straight: i32): void {
  for (let j: i32 = 0; j < m; j++) {
    const from = x - load<u32>(shifts + (<usize>j << 2)) * bytes;
    store<usize>(table + (<usize>j << 2), j < straight ? from : from + total);
  }
}

/**
 * `count` doubles at acc = s x + w_0 x_0 + ... (FIRST is two bytes), or += w_0 x_0 + ..., for C neighbouring shifts:
 * the sums stay in registers over C additions, and every stream is read in a long run. Where W is one byte, the numbers are
 * weighted already. C, FIRST and W are given by the size of a type, so that the compiler drops the rest. `table` is
 * locate's.
 */
@inline
export function addWeighted<T, C, FIRST, W>(
  x: usize, acc: usize, count: i32, self: f64, table: usize, weights: usize, j: i32,
): void {
  table += <usize>j << 2;
  let p0 = load<usize>(table);
  let p1 = sizeof<C>() > 1 ? load<usize>(table, 4) : 0;
  let p2 = sizeof<C>() > 2 ? load<usize>(table, 8) : 0;
  let p3 = sizeof<C>() > 2 ? load<usize>(table, 12) : 0;
  let p4 = sizeof<C>() > 4 ? load<usize>(table, 16) : 0;
  let p5 = sizeof<C>() > 4 ? load<usize>(table, 20) : 0;
  let p6 = sizeof<C>() > 4 ? load<usize>(table, 24) : 0;
  let p7 = sizeof<C>() > 4 ? load<usize>(table, 28) : 0;
  const w = weights + (<usize>j << 3);
  const s2 = f64x2.splat(self);
  const w0 = sizeof<W>() > 1 ? v128.load64_splat(w) : s2;
  // Eight at once have one weight.
  const w1 = sizeof<W>() > 1 && sizeof<C>() > 1 && sizeof<C>() < 8 ? v128.load64_splat(w, 8) : w0;
  const w2 = sizeof<W>() > 1 && sizeof<C>() == 4 ? v128.load64_splat(w, 16) : w0;
  const w3 = sizeof<W>() > 1 && sizeof<C>() == 4 ? v128.load64_splat(w, 24) : w0;
  // One pair is summed and stored before the next one's loads: V8 keeps loads and stores in order, and would otherwise
  // bring all loads forward and run out of registers.
  const pairs: usize = sizeof<W>() > 1 ? 2 : 4;
  const end = acc + (<usize>(count & ~(2 * <i32>pairs - 1)) << 3);
  while (acc < end) {
    addPair<T, C, FIRST, W>(x, acc, s2, w0, w1, w2, w3, p0, p1, p2, p3, p4, p5, p6, p7, 0);
    addPair<T, C, FIRST, W>(x, acc, s2, w0, w1, w2, w3, p0, p1, p2, p3, p4, p5, p6, p7, 1);
    if (sizeof<W>() == 1) {
      addPair<T, C, FIRST, W>(x, acc, s2, w0, w1, w2, w3, p0, p1, p2, p3, p4, p5, p6, p7, 2);
      addPair<T, C, FIRST, W>(x, acc, s2, w0, w1, w2, w3, p0, p1, p2, p3, p4, p5, p6, p7, 3);
    }
    acc += pairs << 4;
    x += pairs * two<T>();
    p0 += pairs * two<T>();
    if (sizeof<C>() > 1) p1 += pairs * two<T>();
    if (sizeof<C>() > 2) {
      p2 += pairs * two<T>();
      p3 += pairs * two<T>();
    }
    if (sizeof<C>() > 4) {
      p4 += pairs * two<T>();
      p5 += pairs * two<T>();
      p6 += pairs * two<T>();
      p7 += pairs * two<T>();
    }
  }
  for (count &= 2 * <i32>pairs - 1; count > 0; count--) {
    let sum = sizeof<FIRST>() > 1 ? self * load1<T>(x) : load<f64>(acc);
    sum += weighted<T, W>(w, p0);
    if (sizeof<C>() > 1) sum += weighted<T, W>(w + 8, p1);
    if (sizeof<C>() > 2) {
      sum += weighted<T, W>(w + 16, p2);
      sum += weighted<T, W>(w + 24, p3);
    }
    if (sizeof<C>() > 4) {
      sum += weighted<T, W>(w, p4);
      sum += weighted<T, W>(w, p5);
      sum += weighted<T, W>(w, p6);
      sum += weighted<T, W>(w, p7);
    }
    store<f64>(acc, sum);
    acc += 8;
    x += sizeof<T>();
    p0 += sizeof<T>();
    if (sizeof<C>() > 1) p1 += sizeof<T>();
    if (sizeof<C>() > 2) {
      p2 += sizeof<T>();
      p3 += sizeof<T>();
    }
    if (sizeof<C>() > 4) {
      p4 += sizeof<T>();
      p5 += sizeof<T>();
      p6 += sizeof<T>();
      p7 += sizeof<T>();
    }
  }
}

/** One number of a stream, times the weight at w. */
@inline
function weighted<T, W>(w: usize, p: usize): f64 {
  return sizeof<W>() > 1 ? load<f64>(w) * load1<T>(p) : load1<T>(p);
}

/** a + w times two numbers of a stream. */
@inline
function plus<T, W>(a: v128, w: v128, p: usize): v128 {
  return f64x2.add(a, sizeof<W>() > 1 ? f64x2.mul(w, load2<T>(p)) : load2<T>(p));
}

@inline
function addPair<T, C, FIRST, W>(
  x: usize, acc: usize, s: v128, w0: v128, w1: v128, w2: v128, w3: v128,
  p0: usize, p1: usize, p2: usize, p3: usize, p4: usize, p5: usize, p6: usize, p7: usize, q: usize,
): void {
  const at = q * two<T>();
  let a = sizeof<FIRST>() > 1 ? f64x2.mul(s, load2<T>(x + at)) : v128.load(acc + (q << 4));
  a = plus<T, W>(a, w0, p0 + at);
  if (sizeof<C>() > 1) a = plus<T, W>(a, w1, p1 + at);
  if (sizeof<C>() > 2) a = plus<T, W>(plus<T, W>(a, w2, p2 + at), w3, p3 + at);
  if (sizeof<C>() > 4) {
    a = plus<T, W>(plus<T, W>(a, w0, p4 + at), w0, p5 + at);
    a = plus<T, W>(plus<T, W>(a, w0, p6 + at), w0, p7 + at);
  }
  v128.store(acc + (q << 4), a);
}

/** All m >= 2 shifts of `count` numbers at x into the doubles at acc, which hold s x already unless `first`. */
export function sumWeighted<T>(
  x: usize, acc: usize, count: i32, first: bool, self: f64, table: usize, weights: usize, m: i32, equal: i32,
): void {
  let j: i32 = 0;
  if (first) {
    if (equal && m >= 8) {
      addWeighted<T, u64, u16, u16>(x, acc, count, self, table, weights, 0);
      j = 8;
    } else if (m >= 4) {
      addWeighted<T, u32, u16, u16>(x, acc, count, self, table, weights, 0);
      j = 4;
    } else {
      addWeighted<T, u16, u16, u16>(x, acc, count, self, table, weights, 0);
      j = 2;
    }
  }
  if (equal) for (; j + 8 <= m; j += 8) addWeighted<T, u64, u8, u16>(x, acc, count, self, table, weights, j);
  for (; j + 4 <= m; j += 4) {
    addWeighted<T, u32, u8, u16>(x, acc, count, self, table, weights, j);
  }
  if (j + 2 <= m) {
    addWeighted<T, u16, u8, u16>(x, acc, count, self, table, weights, j);
    j += 2;
  }
  if (j < m) addWeighted<T, u8, u8, u16>(x, acc, count, self, table, weights, j);
}

/** All m shifts of already weighted numbers onto the doubles at acc. */
export function sumPlain(acc: usize, count: i32, table: usize, m: i32): void {
  let j: i32 = 0;
  for (; j + 8 <= m; j += 8) addWeighted<f64, u64, u8, u8>(acc, acc, count, 0, table, 0, j);
  if (j + 4 <= m) {
    addWeighted<f64, u32, u8, u8>(acc, acc, count, 0, table, 0, j);
    j += 4;
  }
  if (j + 2 <= m) {
    addWeighted<f64, u16, u8, u8>(acc, acc, count, 0, table, 0, j);
    j += 2;
  }
  if (j < m) addWeighted<f64, u8, u8, u8>(acc, acc, count, 0, table, 0, j);
}

/** to = weight x as doubles, rows lo .. hi - 1. */
export function scaleRows<T>(x: usize, to: usize, d: i32, weight: f64, part: i32, lo: i32, hi: i32): void {
  scale<T>(x + <usize>lo * d * sizeof<T>(), to + (<usize>lo * d << 3), (hi - lo) * d, weight);
}

@inline
function scale<T>(x: usize, to: usize, count: i32, weight: f64): void {
  const w = f64x2.splat(weight);
  for (; count >= 4; count -= 4) {
    v128.store(to, f64x2.mul(w, load2<T>(x)));
    v128.store(to, f64x2.mul(w, load2<T>(x + two<T>())), 16);
    x += 2 * two<T>();
    to += 32;
  }
  for (; count > 0; count--) {
    store<f64>(to, weight * load1<T>(x));
    x += sizeof<T>();
    to += 8;
  }
}

/**
 * M >= 2 shifts, straight from x, `block` rows at a time: for shifts that are few, or an x that is in cache anyway.
 * Where `scaled` is not 0, it holds w x as doubles, w being the weight of all shifts: the same product wherever it is
 * added, multiplied once.
 */
export function shiftsRows<T>(
  x: usize, y: usize, n: i32, d: i32, self: f64, shifts: usize, weights: usize, m: i32, equal: i32, table: usize,
  scaled: usize, block: i32, acc: usize, mean: usize, out: usize, part: i32, lo: i32, hi: i32,
): void {
  table += <usize>part * m << 2;
  acc += <usize>part * block * d << 3;
  const bytes = <usize>d * sizeof<T>();
  const wide = <usize>d << 3;
  let straight: i32 = 0;
  while (lo < hi) {
    while (straight < m && load<i32>(shifts + (<usize>straight << 2)) <= lo) straight++;
    let end = min(hi, lo + block);
    if (straight < m) end = min(end, load<i32>(shifts + (<usize>straight << 2)));
    const from = x + lo * bytes;
    const to = y + lo * bytes;
    const sum = sizeof<T>() == 8 ? to : acc;
    const count = (end - lo) * d;
    if (scaled != 0) {
      locate(table, scaled + lo * wide, wide, n * wide, shifts, m, straight);
      scale<T>(from, sum, count, self);
      sumPlain(sum, count, table, m);
    } else {
      locate(table, from, bytes, n * bytes, shifts, m, straight);
      sumWeighted<T>(from, sum, count, true, self, table, weights, m, equal);
    }
    if (sizeof<T>() == 4) round<T>(acc, to, count);
    measure<T>(y, d, mean, out, lo, end);
    lo = end;
  }
}
