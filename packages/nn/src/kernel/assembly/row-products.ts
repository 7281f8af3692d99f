/**
 * The gradient of a weight matrix over many rows, dw[i][j] = sum over rows of x[i] g[j], by the product of tiles.ts: x is
 * turned round and g packed, some hundred rows at a time, so that both stay in the caches. oc is a multiple of four.
 * Scratch: rowsScratch of kernels.ts.
 */
import { pack } from "./pack";
import { tiles } from "./tiles";

/** `rows` rows of `columns` numbers, `pitch` apart, as columns `length` numbers long. */
function turn(x: usize, pitch: i32, rows: i32, columns: i32, out: usize, length: i32): void {
  const step = <usize>length << 2;
  for (let r: i32 = 0; r < rows; r++) {
    let to = out + (<usize>r << 2);
    let j: i32 = 0;
    for (; j + 4 <= columns; j += 4) {
      const v = v128.load(x + (<usize>j << 2));
      v128.store32_lane(to, v, 0);
      v128.store32_lane(to + step, v, 1);
      v128.store32_lane(to + 2 * step, v, 2);
      v128.store32_lane(to + 3 * step, v, 3);
      to += 4 * step;
    }
    for (; j < columns; j++) {
      store<f32>(to, load<f32>(x + (<usize>j << 2)));
      to += step;
    }
    x += <usize>pitch << 2;
  }
}

export function rowsWeightGradient(
  x: usize, pitch: i32, ic: i32, g: usize, outPitch: i32, oc: i32, rows: i32, together: i32, dw: usize, scratch: usize,
): void {
  const packed = scratch + (<usize>(ic * together) << 2);
  for (let from: i32 = 0; from < rows; from += together) {
    const count = min(together, rows - from);
    turn(x + (<usize>(from * pitch) << 2), pitch, count, ic, scratch, count);
    pack(g + (<usize>(from * outPitch) << 2), 1, 0, count, <usize>outPitch << 2, oc, 4, 0, packed);
    tiles(
      scratch, 0, <usize>count << 2, dw, 0, <usize>oc << 2, 1, ic,
      packed, oc >> 2, 1, 1, count, 0, 0, from > 0, false,
    );
  }
}
