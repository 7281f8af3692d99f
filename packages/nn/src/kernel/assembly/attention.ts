/**
 * Causal attention of several heads. Each of `length` positions has a row of 3 x channels numbers: its query, key and
 * value; head h has numbers h size to h size + size - 1 of each, size a multiple of four. In a head
 *
 *   P[i, k] = softmax over k <= i of q_i . k_k / sqrt(size),   y_i = sum over k <= i of M[i, k] P[i, k] v_k,
 *
 * M a mask of dropout or 1. P (and M) are kept for the gradient: for each head of each text `length` rows of `pitch`
 * numbers, pitch being length rounded up to eight, zeros past the diagonal. The triangle above the diagonal costs nothing but
 * the ends of its blocks. Scratch: attentionScratch of kernels.ts.
 */
import { exp4, firstLanes, maxLanes, sumLanes } from "./exponential";
import { outer } from "./outer";
import { pack } from "./pack";
import { copyRows } from "./rows";
import { tiles } from "./tiles";

/** c[i, k] = a_i . b_k for k <= i, and further to the end of the eights. */
function products(
  a: usize, aStep: usize, b: usize, bStep: usize, length: i32, size: i32, c: usize, cStep: usize, packed: usize,
): void {
  for (let k: i32 = 0; k < length; k += 8) {
    const columns = min<i32>(8, length - k);
    pack(b + k * bStep, 1, 0, size, 4, columns, bStep, 0, packed);
    tiles(
      a + k * aStep, 0, aStep, c + k * cStep + (<usize>k << 2), 0, cStep, 1, length - k,
      packed, (columns + 3) >> 2, 1, 1, size, 0, 0, false, false,
    );
  }
}

/** c_i = sum over k <= i of p[i, k] b_k; p is zero past the diagonal. */
function sums(
  p: usize, pStep: usize, b: usize, bStep: usize, length: i32, size: i32, c: usize, cStep: usize, packed: usize,
): void {
  for (let j: i32 = 0; j < size; j += 8) {
    const columns = min<i32>(8, size - j);
    const at = <usize>j << 2;
    pack(b + at, 1, 0, length, bStep, columns, 4, 0, packed);
    for (let i: i32 = 0; i < length; i += 16) {
      const rows = min<i32>(16, length - i);
      tiles(
        p + i * pStep, 0, pStep, c + i * cStep + at, 0, cStep, 1, rows,
        packed, (columns + 3) >> 2, 1, 1, min(length, i + 16), 0, 0, false, false,
      );
    }
  }
}

/** c_k = sum over i >= k of p[i, k] g_i; rows of g and c are `size` numbers, one after another. */
function backSums(p: usize, pStep: usize, g: usize, length: i32, size: i32, c: usize): void {
  const step = <usize>size << 2;
  memory.fill(c, 0, length * step);
  for (let k: i32 = 0; k < length; ) {
    const from = p + k * pStep + (<usize>k << 2);
    const rows = length - k;
    for (let j: i32 = 0; j < size; ) {
      const at = k * step + (<usize>j << 2);
      const wide = size - j >= 8;
      if (rows < 4) outer<u8, u8>(from, 0, pStep, g + at, step, 1, rows, c + at);
      else if (wide) outer<u32, u16>(from, 0, pStep, g + at, step, 1, rows, c + at);
      else outer<u32, u8>(from, 0, pStep, g + at, step, 1, rows, c + at);
      j += rows >= 4 && wide ? 8 : 4;
    }
    k += rows < 4 ? 1 : 4;
  }
}

/** Row i of scores becomes its softmax over the first i + 1, times `scale` before. */
function softmaxRow(row: usize, count: i32, scale: f32, pitch: i32): void {
  let top = f32x4.splat(-Infinity);
  for (let k: i32 = 0; k < count; k += 4) {
    top = f32x4.max(top, firstLanes(v128.load(row + (<usize>k << 2)), count - k, -Infinity));
  }
  const most = f32x4.splat(maxLanes(top)), by = f32x4.splat(scale);
  let sum = f32x4.splat(0);
  for (let k: i32 = 0; k < count; k += 4) {
    const at = row + (<usize>k << 2);
    const e = exp4(f32x4.mul(by, f32x4.sub(firstLanes(v128.load(at), count - k, -Infinity), most)));
    v128.store(at, e);
    sum = f32x4.add(sum, e);
  }
  const share = f32x4.splat(<f32>1 / sumLanes(sum));
  let k: i32 = 0;
  for (; k < count; k += 4) {
    const at = row + (<usize>k << 2);
    v128.store(at, f32x4.mul(v128.load(at), share));
  }
  for (; k < pitch; k += 4) v128.store(row + (<usize>k << 2), f32x4.splat(0));
}

function times(x: usize, y: usize, out: usize, count: i32): void {
  for (let j: usize = 0; j < <usize>count << 2; j += 16) {
    v128.store(out + j, f32x4.mul(v128.load(x + j), v128.load(y + j)));
  }
}

/** mask = 0: nothing is dropped. */
export function attention(
  x: usize, texts: i32, length: i32, heads: i32, size: i32, pitch: i32, mask: usize, p: usize, y: usize, scratch: usize,
): void {
  const channels = <usize>(heads * size) << 2;
  const xStep = 3 * channels;
  const pStep = <usize>pitch << 2;
  const square = <usize>length * pStep;
  const scale = <f32>1 / sqrt<f32>(<f32>size);
  const packed = scratch + square;
  for (let n: i32 = 0; n < texts; n++) {
    for (let h: i32 = 0; h < heads; h++) {
      const q = x + (<usize>(h * size) << 2);
      products(q, xStep, q + channels, xStep, length, size, p, pStep, packed);
      for (let i: i32 = 0; i < length; i++) softmaxRow(p + i * pStep, i + 1, scale, pitch);
      if (mask) times(p, mask, scratch, length * pitch);
      sums(mask ? scratch : p, pStep, q + 2 * channels, xStep, length, size, y + (<usize>(h * size) << 2), channels, packed);
      p += square;
      if (mask) mask += square;
    }
    x += length * xStep;
    y += length * channels;
  }
}

/** dx, overwritten. */
export function attentionGradient(
  x: usize, dy: usize, texts: i32, length: i32, heads: i32, size: i32, pitch: i32, mask: usize, p: usize, dx: usize,
  scratch: usize,
): void {
  const channels = <usize>(heads * size) << 2;
  const xStep = 3 * channels;
  const pStep = <usize>pitch << 2;
  const square = <usize>length * pStep;
  const scale = f32x4.splat(<f32>1 / sqrt<f32>(<f32>size));
  const rowBytes = <usize>size << 2;
  const g = scratch + square; // rows of one head, together
  const back = g + <usize>length * rowBytes;
  const packed = back + <usize>length * rowBytes;
  for (let n: i32 = 0; n < texts; n++) {
    for (let h: i32 = 0; h < heads; h++) {
      const at = <usize>(h * size) << 2;
      const q = x + at, dq = dx + at;
      copyRows(dy + at, heads * size, g, size, size, length);
      if (mask) times(p, mask, scratch, length * pitch);
      backSums(mask ? scratch : p, pStep, g, length, size, back);
      copyRows(back, size, dq + 2 * channels, 3 * heads * size, size, length);
      products(g, rowBytes, q + 2 * channels, xStep, length, size, scratch, pStep, packed);
      for (let i: i32 = 0; i < length; i++) {
        const row = scratch + i * pStep, shares = p + i * pStep, kept = mask + i * pStep;
        let sum = f32x4.splat(0);
        let k: usize = 0;
        for (; k <= <usize>i << 2; k += 16) {
          const d = mask ? f32x4.mul(v128.load(row + k), v128.load(kept + k)) : v128.load(row + k);
          v128.store(row + k, d);
          sum = f32x4.add(sum, f32x4.mul(d, v128.load(shares + k)));
        }
        const mean = f32x4.splat(sumLanes(sum));
        for (k = 0; k <= <usize>i << 2; k += 16) {
          const d = f32x4.mul(v128.load(shares + k), f32x4.sub(v128.load(row + k), mean));
          v128.store(row + k, f32x4.mul(d, scale));
        }
        for (; k < pStep; k += 16) v128.store(row + k, f32x4.splat(0));
      }
      sums(scratch, pStep, q + channels, xStep, length, size, dq, xStep, packed);
      copyRows(q, 3 * heads * size, g, size, size, length);
      backSums(scratch, pStep, g, length, size, back);
      copyRows(back, size, dq + channels, 3 * heads * size, size, length);
      p += square;
      if (mask) mask += square;
    }
    x += length * xStep;
    dx += length * xStep;
    dy += length * channels;
  }
}
