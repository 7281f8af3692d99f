/**
 * Sums of outer products, dw[k][j] += sum over pixels of x[k] g[j]: the tiles of a weight gradient. The pixels are `rows`
 * lines of `columns`; x advances by aStep bytes from pixel to pixel and by aRow from line to line, g and dw by bStep.
 * The shapes are those that the engine keeps in registers.
 */

// @ts-ignore: decorator
@inline
function mac(sum: v128, x: v128, y: v128): v128 {
  return f32x4.add(sum, f32x4.mul(x, y));
}

/** Four rows of dw by eight columns. */
export function outer4x2(a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, rows: i32, columns: i32, c: usize): void {
  const d = c + bStep, e = d + bStep, f = e + bStep;
  let s00 = v128.load(c), s01 = v128.load(c, 16), s10 = v128.load(d), s11 = v128.load(d, 16);
  let s20 = v128.load(e), s21 = v128.load(e, 16), s30 = v128.load(f), s31 = v128.load(f, 16);
  for (let r: i32 = 0; r < rows; r++) {
    let p = a;
    const end = b + columns * bStep;
    while (b < end) {
      const y = v128.load(b), z = v128.load(b, 16);
      let x = v128.load32_splat(p); s00 = mac(s00, x, y); s01 = mac(s01, x, z);
      x = v128.load32_splat(p, 4); s10 = mac(s10, x, y); s11 = mac(s11, x, z);
      x = v128.load32_splat(p, 8); s20 = mac(s20, x, y); s21 = mac(s21, x, z);
      x = v128.load32_splat(p, 12); s30 = mac(s30, x, y); s31 = mac(s31, x, z);
      p += aStep;
      b += bStep;
    }
    a += aRow;
  }
  v128.store(c, s00); v128.store(c, s01, 16); v128.store(d, s10); v128.store(d, s11, 16);
  v128.store(e, s20); v128.store(e, s21, 16); v128.store(f, s30); v128.store(f, s31, 16);
}

export function outer5x1(a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, rows: i32, columns: i32, c: usize): void {
  const d = c + bStep, e = d + bStep, f = e + bStep, g = f + bStep;
  let s0 = v128.load(c), s1 = v128.load(d), s2 = v128.load(e), s3 = v128.load(f), s4 = v128.load(g);
  for (let r: i32 = 0; r < rows; r++) {
    let p = a;
    const end = b + columns * bStep;
    while (b < end) {
      const y = v128.load(b);
      s0 = mac(s0, v128.load32_splat(p), y); s1 = mac(s1, v128.load32_splat(p, 4), y);
      s2 = mac(s2, v128.load32_splat(p, 8), y); s3 = mac(s3, v128.load32_splat(p, 12), y);
      s4 = mac(s4, v128.load32_splat(p, 16), y);
      p += aStep;
      b += bStep;
    }
    a += aRow;
  }
  v128.store(c, s0); v128.store(d, s1); v128.store(e, s2); v128.store(f, s3); v128.store(g, s4);
}

export function outer4x1(a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, rows: i32, columns: i32, c: usize): void {
  const d = c + bStep, e = d + bStep, f = e + bStep;
  let s0 = v128.load(c), s1 = v128.load(d), s2 = v128.load(e), s3 = v128.load(f);
  for (let r: i32 = 0; r < rows; r++) {
    let p = a;
    const end = b + columns * bStep;
    while (b < end) {
      const y = v128.load(b);
      s0 = mac(s0, v128.load32_splat(p), y); s1 = mac(s1, v128.load32_splat(p, 4), y);
      s2 = mac(s2, v128.load32_splat(p, 8), y); s3 = mac(s3, v128.load32_splat(p, 12), y);
      p += aStep;
      b += bStep;
    }
    a += aRow;
  }
  v128.store(c, s0); v128.store(d, s1); v128.store(e, s2); v128.store(f, s3);
}

export function outer1x1(a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, rows: i32, columns: i32, c: usize): void {
  let s = v128.load(c);
  for (let r: i32 = 0; r < rows; r++) {
    let p = a;
    const end = b + columns * bStep;
    while (b < end) {
      s = mac(s, v128.load32_splat(p), v128.load(b));
      p += aStep;
      b += bStep;
    }
    a += aRow;
  }
  v128.store(c, s);
}
