/** M shifts by blocks of columns: for many shifts of rows that the caches cannot hold. The same bits as shifts.ts. */

import { load1, load2, round, two } from "./rows";
import { locate, sumPlain, sumWeighted } from "./shifts";

/**
 * Columns k .. k + panel - 1 of x, block of `width` columns by block, each block n short rows of doubles: times `weight`
 * to `packed`, times `self` to `sums`.
 */
function packPanel<T>(
  x: usize, n: i32, d: i32, k: i32, panel: i32, width: i32, weight: f64, self: f64, packed: usize, sums: usize,
): void {
  const w2 = f64x2.splat(weight), s2 = f64x2.splat(self);
  for (let i: i32 = 0; i < n; i++) {
    let from = x + (<usize>i * d + k) * sizeof<T>();
    for (let c: i32 = 0; c < panel; c += width) {
      let count = min(width, panel - c);
      let at = (<usize>n * c + <usize>i * count) << 3;
      for (; count >= 4; count -= 4) {
        const v = load2<T>(from), u = load2<T>(from + two<T>());
        v128.store(packed + at, f64x2.mul(w2, v));
        v128.store(packed + at, f64x2.mul(w2, u), 16);
        v128.store(sums + at, f64x2.mul(s2, v));
        v128.store(sums + at, f64x2.mul(s2, u), 16);
        from += 2 * two<T>();
        at += 32;
      }
      for (; count >= 2; count -= 2) {
        const v = load2<T>(from);
        v128.store(packed + at, f64x2.mul(w2, v));
        v128.store(sums + at, f64x2.mul(s2, v));
        from += two<T>();
        at += 16;
      }
      if (count > 0) {
        const v = load1<T>(from);
        store<f64>(packed + at, weight * v);
        store<f64>(sums + at, self * v);
        from += sizeof<T>();
      }
    }
  }
}

/** The sums, block by block, back to rows. */
function unpackPanel<T>(sums: usize, n: i32, d: i32, k: i32, panel: i32, width: i32, y: usize): void {
  for (let i: i32 = 0; i < n; i++) {
    const row = y + (<usize>i * d + k) * sizeof<T>();
    for (let c: i32 = 0; c < panel; c += width) {
      const count = min(width, panel - c);
      round<T>(sums + ((<usize>n * c + <usize>i * count) << 3), row + <usize>c * sizeof<T>(), count);
    }
  }
}

/**
 * M shifts, `width` columns at a time: packed columns (8 width n bytes) stay in the second cache while they are read
 * M times, the sums of `block` rows in the first. Equal weights are multiplied in once, while packing: w x is the same
 * product wherever it is added. Packing goes by panels of several blocks, so that x and y are streamed in long runs.
 * Here lo .. hi - 1 are panels of `panel` columns; `table`, `packed` and, after it, the sums have room for every thread.
 */
export function shiftsBlocks<T>(
  x: usize, y: usize, n: i32, d: i32, self: f64, shifts: usize, weights: usize, m: i32, equal: i32, table: usize,
  width: i32, panel: i32, block: i32, packed: usize, part: i32, lo: i32, hi: i32,
): void {
  table += <usize>part * m << 2;
  packed += <usize>part * n * panel << 4;
  const sums = packed + (<usize>n * panel << 3);
  for (let b = lo; b < hi; b++) {
    const k = b * panel;
    const columns = min(panel, d - k);
    packPanel<T>(x, n, d, k, columns, width, equal ? load<f64>(weights) : 1, self, packed, sums);
    for (let c: i32 = 0; c < columns; c += width) {
      const w = min(width, columns - c);
      const bytes = <usize>w << 3;
      const start = <usize>n * c << 3;
      const total = <usize>n * bytes;
      let straight: i32 = 0;
      let i: i32 = 0;
      while (i < n) {
        while (straight < m && load<i32>(shifts + (<usize>straight << 2)) <= i) straight++;
        let end = min(n, i + block);
        if (straight < m) end = min(end, load<i32>(shifts + (<usize>straight << 2)));
        const at = start + i * bytes;
        const count = (end - i) * w;
        locate(table, packed + at, bytes, total, shifts, m, straight);
        if (equal) sumPlain(sums + at, count, table, m);
        else sumWeighted<f64>(packed + at, sums + at, count, false, self, table, weights, m, 0);
        i = end;
      }
    }
    unpackPanel<T>(sums, n, d, k, columns, width, y);
  }
}
