/**
 * Sums of outer products, dw[k][j] += sum over pixels of x[k] g[j]: the tiles of a weight gradient. The pixels are `rows`
 * lines of `columns`; x advances by aStep bytes from pixel to pixel and by aRow from line to line, g and dw by bStep.
 * A tile has R rows of dw, one (u8), four (u32) or five (u64), by eight columns (V is two bytes, R is u32) or by four:
 * the shapes that the engine keeps in registers.
 */
import { mac } from "./tiles";

export function outer<R, V>(
  a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, rows: i32, columns: i32, c: usize,
): void {
  const d = c + bStep, e = d + bStep, f = e + bStep, g = f + bStep;
  let s0 = v128.load(c), t0 = sizeof<V>() > 1 ? v128.load(c, 16) : s0;
  let s1 = sizeof<R>() > 1 ? v128.load(d) : s0, t1 = sizeof<V>() > 1 ? v128.load(d, 16) : s0;
  let s2 = sizeof<R>() > 1 ? v128.load(e) : s0, t2 = sizeof<V>() > 1 ? v128.load(e, 16) : s0;
  let s3 = sizeof<R>() > 1 ? v128.load(f) : s0, t3 = sizeof<V>() > 1 ? v128.load(f, 16) : s0;
  let s4 = sizeof<R>() > 4 ? v128.load(g) : s0;
  for (let r: i32 = 0; r < rows; r++) {
    let p = a;
    const end = b + columns * bStep;
    while (b < end) {
      const y = v128.load(b), z = sizeof<V>() > 1 ? v128.load(b, 16) : y;
      let x = v128.load32_splat(p); s0 = mac(s0, x, y); if (sizeof<V>() > 1) t0 = mac(t0, x, z);
      if (sizeof<R>() > 1) {
        x = v128.load32_splat(p, 4); s1 = mac(s1, x, y); if (sizeof<V>() > 1) t1 = mac(t1, x, z);
        x = v128.load32_splat(p, 8); s2 = mac(s2, x, y); if (sizeof<V>() > 1) t2 = mac(t2, x, z);
        x = v128.load32_splat(p, 12); s3 = mac(s3, x, y); if (sizeof<V>() > 1) t3 = mac(t3, x, z);
      }
      if (sizeof<R>() > 4) s4 = mac(s4, v128.load32_splat(p, 16), y);
      p += aStep;
      b += bStep;
    }
    a += aRow;
  }
  v128.store(c, s0); if (sizeof<V>() > 1) v128.store(c, t0, 16);
  if (sizeof<R>() > 1) {
    v128.store(d, s1); if (sizeof<V>() > 1) v128.store(d, t1, 16);
    v128.store(e, s2); if (sizeof<V>() > 1) v128.store(e, t2, 16);
    v128.store(f, s3); if (sizeof<V>() > 1) v128.store(f, t3, 16);
  }
  if (sizeof<R>() > 4) v128.store(g, s4);
}
