import { madd } from "./elementary";

/**
 * Extremes of lambda_k = self + sum_j weight_j w^(k u_j) over k = S b + a and S b - a, a = 0 .. A, by the products
 *   cc = sum C_j c_j,  ss = sum S_j s_j,  sc = sum S_j c_j,  cs = sum C_j s_j,
 * (C, S)_j = weight_j w^(S b u_j) and (c, s)_j = w^(a u_j):
 *   lambda(S b + a) = self + cc - ss + i (sc + cs),   lambda(S b - a) = self + cc + ss + i (sc - cs).
 *
 * near: for every pair of values a, for every j: c(a), c(a + 1), s(a), s(a + 1).
 * far:  for every pair of rows b, for every j: C(b), S(b), C(b + 1), S(b + 1).
 * Two rows and two columns at once: eight sums in registers. Results (max |lambda|^2 or 0, max re, min re) at `out`,
 * two lanes each; k = 0 must not be among the values.
 */
@inline
function circulant<COMPLEX>(near: usize, pairs: i32, far: usize, rows: i32, m: i32, self: f64, out: usize): void {
  let square = f64x2.splat(0);
  let top = f64x2.splat(-Infinity);
  let bottom = f64x2.splat(Infinity);
  const shift = f64x2.splat(self);
  for (let b: i32 = 0; b < rows; b++) {
    const row = far + (<usize>b * m << 5);
    for (let a: i32 = 0; a < pairs; a++) {
      let p = row;
      const end = row + (<usize>m << 5);
      let q = near + (<usize>a * m << 5);
      let cc0 = shift, ss0 = f64x2.splat(0), sc0 = f64x2.splat(0), cs0 = f64x2.splat(0);
      let cc1 = shift, ss1 = f64x2.splat(0), sc1 = f64x2.splat(0), cs1 = f64x2.splat(0);
      while (p < end) {
        const c = v128.load(q);
        const s = v128.load(q, 16);
        const C0 = v128.load64_splat(p);
        const S0 = v128.load64_splat(p, 8);
        cc0 = madd(cc0, C0, c);
        ss0 = madd(ss0, S0, s);
        if (sizeof<COMPLEX>() > 1) {
          sc0 = madd(sc0, S0, c);
          cs0 = madd(cs0, C0, s);
        }
        const C1 = v128.load64_splat(p, 16);
        const S1 = v128.load64_splat(p, 24);
        cc1 = madd(cc1, C1, c);
        ss1 = madd(ss1, S1, s);
        if (sizeof<COMPLEX>() > 1) {
          sc1 = madd(sc1, S1, c);
          cs1 = madd(cs1, C1, s);
        }
        p += 32;
        q += 32;
      }
      for (let r: i32 = 0; r < 2; r++) {
        const plus = f64x2.sub(cc0, ss0), minus = f64x2.add(cc0, ss0);
        top = f64x2.max(top, f64x2.max(plus, minus));
        bottom = f64x2.min(bottom, f64x2.min(plus, minus));
        if (sizeof<COMPLEX>() > 1) {
          const up = f64x2.add(sc0, cs0), down = f64x2.sub(sc0, cs0);
          square = f64x2.max(square, madd(f64x2.mul(plus, plus), up, up));
          square = f64x2.max(square, madd(f64x2.mul(minus, minus), down, down));
        }
        cc0 = cc1; ss0 = ss1; sc0 = sc1; cs0 = cs1;
      }
    }
  }
  v128.store(out, square);
  v128.store(out, top, 16);
  v128.store(out, bottom, 32);
}

export function circulantComplex(near: usize, pairs: i32, far: usize, rows: i32, m: i32, self: f64, out: usize): void {
  circulant<u16>(near, pairs, far, rows, m, self, out);
}

/** The same for the real parts alone. */
export function circulantReal(near: usize, pairs: i32, far: usize, rows: i32, m: i32, self: f64, out: usize): void {
  circulant<u8>(near, pairs, far, rows, m, self, out);
}
