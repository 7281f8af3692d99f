/** Packing for tiles.ts. */
import { panelWidth } from "./tiles";

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
