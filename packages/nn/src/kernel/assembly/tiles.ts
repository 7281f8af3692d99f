/**
 * The one product under every dense and convolutional layer: for output pixels (r, s), r < rows, s < columns,
 *
 *   C(r, s)[j] = start[j] + sum_(q < kh) sum_(p < kw) sum_(k < length) A(r, s)[q, p, k] B[q, p, k][j],
 *
 * A and C found by address arithmetic, B packed in panels of 4, 8 or 12 columns (pack.ts). The start is the bias, or C
 * itself (accumulate). Pixels go through in tiles of four or three; a tile that runs over the end repeats the last pixel,
 * and writes its result again. Steps through A: `skip` bytes after each run of `length`, `skipRow` after each kw of them.
 */

@inline
export function mac(sum: v128, x: v128, y: v128): v128 {
  return f32x4.add(sum, f32x4.mul(x, y));
}

@inline
function clamp(sum: v128, floor: v128): v128 {
  return f32x4.pmax(sum, floor); // this way round NaN stays NaN
}

/** Zero for ReLU, minus infinity otherwise; made anew for every tile, as every register is taken while one is summed. */
@inline
function least(relu: bool): v128 {
  return i32x4.splat(relu ? 0 : 0xff800000);
}

/** Vectors in the next panel when `left` are left: twos, and the odd rest as one panel of three. */
@inline
export function panelWidth(left: i32): i32 {
  return left == 3 || left == 1 ? left : 2;
}

export function tiles(
  a: usize, aRow: usize, aColumn: usize, c: usize, cRow: usize, cColumn: usize, rows: i32, columns: i32,
  b: usize, vectors: i32, kh: i32, kw: i32, length: i32, skip: usize, skipRow: usize, accumulate: bool, relu: bool,
): void {
  const depth: usize = <usize>(kh * kw * length + 1) << 4; // bytes of one vector of a panel, its start included
  for (let left = vectors; left > 0; ) {
    const width = panelWidth(left);
    if (width == 2) four<u16>(a, aRow, aColumn, c, cRow, cColumn, rows, columns, b, kh, kw, length, skip, skipRow, accumulate, relu);
    else if (width == 3) three(a, aRow, aColumn, c, cRow, cColumn, rows, columns, b, kh, kw, length, skip, skipRow, accumulate, relu);
    else four<u8>(a, aRow, aColumn, c, cRow, cColumn, rows, columns, b, kh, kw, length, skip, skipRow, accumulate, relu);
    left -= width;
    b += depth * width;
    c += <usize>width << 4;
  }
}

/** Four pixels by eight columns (V is two bytes) or by four. */
function four<V>(
  a: usize, aRow: usize, aColumn: usize, c: usize, cRow: usize, cColumn: usize, rows: i32, columns: i32,
  panel: usize, kh: i32, kw: i32, length: i32, skip: usize, skipRow: usize, accumulate: bool, relu: bool,
): void {
  const count = rows * columns;
  let r: usize = 0;
  let s: i32 = 0;
  for (let i: i32 = 0; i < count; i += 4) {
    let a0 = a + r * aRow + <usize>s * aColumn, c0 = c + r * cRow + <usize>s * cColumn;
    let a1 = a0, c1 = c0, a2 = a0, c2 = c0, a3 = a0, c3 = c0;
    if (++s == columns) { s = 0; r++; }
    if (i + 1 < count) {
      a1 = a + r * aRow + <usize>s * aColumn; c1 = c + r * cRow + <usize>s * cColumn;
      if (++s == columns) { s = 0; r++; }
    }
    if (i + 2 < count) {
      a2 = a + r * aRow + <usize>s * aColumn; c2 = c + r * cRow + <usize>s * cColumn;
      if (++s == columns) { s = 0; r++; }
    }
    if (i + 3 < count) {
      a3 = a + r * aRow + <usize>s * aColumn; c3 = c + r * cRow + <usize>s * cColumn;
      if (++s == columns) { s = 0; r++; }
    }
    let b = panel;
    let s00 = v128.load(b), s01 = sizeof<V>() > 1 ? v128.load(b, 16) : s00;
    let s10 = s00, s11 = s01, s20 = s00, s21 = s01, s30 = s00, s31 = s01;
    b += sizeof<V>() << 4;
    if (accumulate) {
      s00 = v128.load(c0); s10 = v128.load(c1); s20 = v128.load(c2); s30 = v128.load(c3);
      if (sizeof<V>() > 1) {
        s01 = v128.load(c0, 16); s11 = v128.load(c1, 16); s21 = v128.load(c2, 16); s31 = v128.load(c3, 16);
      }
    }
    for (let q: i32 = 0; q < kh; q++) {
      for (let p: i32 = 0; p < kw; p++) {
        const end = b + <usize>length * (sizeof<V>() << 4);
        while (b < end) {
          const y = v128.load(b), z = sizeof<V>() > 1 ? v128.load(b, 16) : y;
          let x = v128.load32_splat(a0); s00 = mac(s00, x, y); if (sizeof<V>() > 1) s01 = mac(s01, x, z);
          x = v128.load32_splat(a1); s10 = mac(s10, x, y); if (sizeof<V>() > 1) s11 = mac(s11, x, z);
          x = v128.load32_splat(a2); s20 = mac(s20, x, y); if (sizeof<V>() > 1) s21 = mac(s21, x, z);
          x = v128.load32_splat(a3); s30 = mac(s30, x, y); if (sizeof<V>() > 1) s31 = mac(s31, x, z);
          a0 += 4; a1 += 4; a2 += 4; a3 += 4; b += sizeof<V>() << 4;
        }
        a0 += skip; a1 += skip; a2 += skip; a3 += skip;
      }
      a0 += skipRow; a1 += skipRow; a2 += skipRow; a3 += skipRow;
    }
    const floor = least(relu);
    v128.store(c0, clamp(s00, floor)); if (sizeof<V>() > 1) v128.store(c0, clamp(s01, floor), 16);
    v128.store(c1, clamp(s10, floor)); if (sizeof<V>() > 1) v128.store(c1, clamp(s11, floor), 16);
    v128.store(c2, clamp(s20, floor)); if (sizeof<V>() > 1) v128.store(c2, clamp(s21, floor), 16);
    v128.store(c3, clamp(s30, floor)); if (sizeof<V>() > 1) v128.store(c3, clamp(s31, floor), 16);
  }
}

/** Three pixels by twelve columns. */
function three(
  a: usize, aRow: usize, aColumn: usize, c: usize, cRow: usize, cColumn: usize, rows: i32, columns: i32,
  panel: usize, kh: i32, kw: i32, length: i32, skip: usize, skipRow: usize, accumulate: bool, relu: bool,
): void {
  const count = rows * columns;
  const pairs = length >> 1;
  const rest = length & 1;
  let r: usize = 0;
  let s: i32 = 0;
  for (let i: i32 = 0; i < count; i += 3) {
    let a0 = a + r * aRow + <usize>s * aColumn, c0 = c + r * cRow + <usize>s * cColumn;
    let a1 = a0, c1 = c0, a2 = a0, c2 = c0;
    if (++s == columns) { s = 0; r++; }
    if (i + 1 < count) {
      a1 = a + r * aRow + <usize>s * aColumn; c1 = c + r * cRow + <usize>s * cColumn;
      if (++s == columns) { s = 0; r++; }
    }
    if (i + 2 < count) {
      a2 = a + r * aRow + <usize>s * aColumn; c2 = c + r * cRow + <usize>s * cColumn;
      if (++s == columns) { s = 0; r++; }
    }
    let b = panel;
    let s00 = v128.load(b), s01 = v128.load(b, 16), s02 = v128.load(b, 32);
    let s10 = s00, s11 = s01, s12 = s02, s20 = s00, s21 = s01, s22 = s02;
    b += 48;
    if (accumulate) {
      s00 = v128.load(c0); s01 = v128.load(c0, 16); s02 = v128.load(c0, 32);
      s10 = v128.load(c1); s11 = v128.load(c1, 16); s12 = v128.load(c1, 32);
      s20 = v128.load(c2); s21 = v128.load(c2, 16); s22 = v128.load(c2, 32);
    }
    for (let q: i32 = 0; q < kh; q++) {
      for (let p: i32 = 0; p < kw; p++) {
        for (let k: i32 = 0; k < pairs; k++) {
          let y = v128.load(b), z = v128.load(b, 16), w = v128.load(b, 32);
          let x = v128.load32_splat(a0); s00 = mac(s00, x, y); s01 = mac(s01, x, z); s02 = mac(s02, x, w);
          x = v128.load32_splat(a1); s10 = mac(s10, x, y); s11 = mac(s11, x, z); s12 = mac(s12, x, w);
          x = v128.load32_splat(a2); s20 = mac(s20, x, y); s21 = mac(s21, x, z); s22 = mac(s22, x, w);
          y = v128.load(b, 48); z = v128.load(b, 64); w = v128.load(b, 80);
          x = v128.load32_splat(a0, 4); s00 = mac(s00, x, y); s01 = mac(s01, x, z); s02 = mac(s02, x, w);
          x = v128.load32_splat(a1, 4); s10 = mac(s10, x, y); s11 = mac(s11, x, z); s12 = mac(s12, x, w);
          x = v128.load32_splat(a2, 4); s20 = mac(s20, x, y); s21 = mac(s21, x, z); s22 = mac(s22, x, w);
          a0 += 8; a1 += 8; a2 += 8; b += 96;
        }
        if (rest) {
          const y = v128.load(b), z = v128.load(b, 16), w = v128.load(b, 32);
          let x = v128.load32_splat(a0); s00 = mac(s00, x, y); s01 = mac(s01, x, z); s02 = mac(s02, x, w);
          x = v128.load32_splat(a1); s10 = mac(s10, x, y); s11 = mac(s11, x, z); s12 = mac(s12, x, w);
          x = v128.load32_splat(a2); s20 = mac(s20, x, y); s21 = mac(s21, x, z); s22 = mac(s22, x, w);
          a0 += 4; a1 += 4; a2 += 4; b += 48;
        }
        a0 += skip; a1 += skip; a2 += skip;
      }
      a0 += skipRow; a1 += skipRow; a2 += skipRow;
    }
    const floor = least(relu);
    v128.store(c0, clamp(s00, floor)); v128.store(c0, clamp(s01, floor), 16); v128.store(c0, clamp(s02, floor), 32);
    v128.store(c1, clamp(s10, floor)); v128.store(c1, clamp(s11, floor), 16); v128.store(c1, clamp(s12, floor), 32);
    v128.store(c2, clamp(s20, floor)); v128.store(c2, clamp(s21, floor), 16); v128.store(c2, clamp(s22, floor), 32);
  }
}
