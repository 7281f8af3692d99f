/** Packing for tiles.ts, and the plain matrix product on top of it. */
import { panelWidth, tiles } from "./tiles";
import { copyRows } from "./rows";

/**
 * B into panels of 2, 3 or 1 vectors. Its rows (t, k), t < taps, k < depth, its columns j: entry at
 * b + t tapStep + k rowStep + j columnStep. Every panel begins with the start: the bias, or zeros where `bias` is 0.
 * Columns past the last are zeros. Takes (taps depth + 1) x columns rounded up to four.
 */
export function pack(
  b: usize, taps: i32, tapStep: usize, depth: i32, rowStep: usize, columns: i32, columnStep: usize, bias: usize, out: usize,
): void {
  let first: i32 = 0;
  for (let left = (columns + 3) >> 2; left > 0; ) {
    const width = panelWidth(left) << 2;
    const count = min(width, columns - first);
    for (let j: i32 = 0; j < width; j++) {
      store<f32>(out + (<usize>j << 2), j < count && bias != 0 ? load<f32>(bias + (<usize>(first + j) << 2)) : 0);
    }
    out += <usize>width << 2;
    for (let t: i32 = 0; t < taps; t++) {
      let row = b + <usize>t * tapStep + <usize>first * columnStep;
      for (let k: i32 = 0; k < depth; k++) {
        if (columnStep == 4 && count == width) {
          for (let j: usize = 0; j < <usize>width << 2; j += 16) v128.store(out + j, v128.load(row + j));
        } else {
          for (let j: i32 = 0; j < width; j++) {
            store<f32>(out + (<usize>j << 2), j < count ? load<f32>(row + <usize>j * columnStep) : 0);
          }
        }
        row += rowStep;
        out += <usize>width << 2;
      }
    }
    first += width;
    left -= width >> 2;
  }
}

/** C (m x n) = op(A) op(B), or C += op(A) op(B); rows lda, ldb, ldc numbers apart. Scratch: sgemmScratch of kernel/nn.ts. */
export function sgemm(
  transposeA: bool, transposeB: bool, m: i32, n: i32, k: i32,
  a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize,
): void {
  const padded = (n + 3) & ~3;
  if (transposeB) pack(b, 1, 0, k, 4, n, <usize>ldb << 2, 0, scratch);
  else pack(b, 1, 0, k, <usize>ldb << 2, n, 4, 0, scratch);
  const panels = scratch;
  scratch += <usize>((k + 1) * padded) << 2;
  if (transposeA) {
    for (let i: i32 = 0; i < m; i++) {
      for (let l: i32 = 0; l < k; l++) {
        store<f32>(scratch + (<usize>(i * k + l) << 2), load<f32>(a + (<usize>(l * lda + i) << 2)));
      }
    }
    a = scratch;
    lda = k;
    scratch += <usize>(m * k) << 2;
  }
  if (n & 3) {
    if (accumulate) copyRows(c, ldc, scratch, padded, n, m);
    tiles(a, 0, <usize>lda << 2, scratch, 0, <usize>padded << 2, 1, m, panels, padded >> 2, 1, 1, k, 0, 0, accumulate, false);
    copyRows(scratch, padded, c, ldc, n, m);
  } else {
    tiles(a, 0, <usize>lda << 2, c, 0, <usize>ldc << 2, 1, m, panels, n >> 2, 1, 1, k, 0, 0, accumulate, false);
  }
}
