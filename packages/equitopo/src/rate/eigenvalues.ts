/**
 * All eigenvalues of a real matrix that need not be symmetric: elimination to Hessenberg form, then Francis' double-shift
 * QR steps on the block that is left. About 12 n^3 additions: 1 s at n = 400. An entry below the diagonal is dropped where it
 * is nothing beside the whole matrix, not only beside its neighbours: those of a defective matrix may be as small as itself.
 * Errors are about 1e-16 ||A|| for simple eigenvalues; the k-th root of that if k of them fall together in one Jordan block.
 */

import type { Matrix } from "./dense.ts";

export interface Eigenvalues {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Steps for one eigenvalue, of which every tenth has another shift, after which ever larger entries are dropped. */
const MOST_STEPS = 120;

export function eigenvalues(matrix: Matrix, n: number): Eigenvalues {
  const a = Float64Array.from(matrix);
  toHessenberg(a, n);
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const least = Number.EPSILON * Math.sqrt(a.reduce((sum, entry) => sum + entry * entry, 0) / n);
  for (let last = n - 1, steps = 0; last >= 0; steps++) {
    const first = splitAt(a, n, last, least * 2 ** Math.max(0, steps - MOST_STEPS));
    if (last - first < 2) {
      pairAt(a, n, first, last, re, im);
      last = first - 1;
      steps = 0;
    } else {
      francisStep(a, n, first, last, steps % 10 === 9);
    }
  }
  return { re, im };
}

export function spectralRadius(matrix: Matrix, n: number): number {
  const { re, im } = eigenvalues(matrix, n);
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, Math.sqrt(re[i] * re[i] + im[i] * im[i]));
  return most;
}

/** By elimination with row exchanges; what is below the first subdiagonal is set to 0. */
function toHessenberg(a: Matrix, n: number): void {
  for (let m = 1; m < n - 1; m++) {
    let pivot = m;
    for (let j = m; j < n; j++) if (Math.abs(a[j * n + m - 1]) > Math.abs(a[pivot * n + m - 1])) pivot = j;
    const x = a[pivot * n + m - 1];
    if (x === 0) continue;
    if (pivot !== m) {
      for (let j = m - 1; j < n; j++) [a[pivot * n + j], a[m * n + j]] = [a[m * n + j], a[pivot * n + j]];
      for (let j = 0; j < n; j++) [a[j * n + pivot], a[j * n + m]] = [a[j * n + m], a[j * n + pivot]];
    }
    for (let i = m + 1; i < n; i++) {
      const y = a[i * n + m - 1] / x;
      if (y === 0) continue;
      a[i * n + m - 1] = 0;
      for (let j = m; j < n; j++) a[i * n + j] -= y * a[m * n + j];
      for (let j = 0; j < n; j++) a[j * n + m] += y * a[j * n + i];
    }
  }
}

/** Where the block that ends with row `last` begins: below an entry that is nothing. */
function splitAt(a: Matrix, n: number, last: number, least: number): number {
  for (let l = last; l > 0; l--) {
    const below = Math.abs(a[l * n + l - 1]);
    const near = Math.abs(a[(l - 1) * n + l - 1]) + Math.abs(a[l * n + l]);
    if (below > least && below > Number.EPSILON * near) continue;
    a[l * n + l - 1] = 0;
    return l;
  }
  return 0;
}

/** The one or two eigenvalues of the block of rows first .. last. */
function pairAt(a: Matrix, n: number, first: number, last: number, re: Float64Array, im: Float64Array): void {
  const [left, right] = [a[first * n + first], a[last * n + last]];
  re[first] = left;
  if (first === last) return;
  const w = a[last * n + first] * a[first * n + last];
  const p = (left - right) / 2;
  const q = p * p + w;
  const root = Math.sqrt(Math.abs(q));
  const z = p + (p >= 0 ? root : -root);
  re[first] = right + (q < 0 ? p : z);
  re[last] = q < 0 ? right + p : z === 0 ? right : right - w / z;
  im[first] = q < 0 ? root : 0;
  im[last] = -im[first];
}

/** One double step on rows first .. last, with the eigenvalues of the last two rows as shifts, or with others. */
function francisStep(a: Matrix, n: number, first: number, last: number, otherShift: boolean): void {
  const at = (i: number, j: number) => a[i * n + j];
  const [end, f] = [last - 1, first];
  const size = Math.abs(at(last, end)) + Math.abs(at(end, end - 1));
  const sum = otherShift ? 1.5 * size : at(last, last) + at(end, end);
  const product = otherShift ? size * size : at(last, last) * at(end, end) - at(last, end) * at(end, last);
  // The first column of (A - s1)(A - s2), up to its factor A_10; then what sticks out below the subdiagonal, row by row.
  let x = (at(f, f) * (at(f, f) - sum) + product) / at(f + 1, f) + at(f, f + 1);
  let y = at(f, f) + at(f + 1, f + 1) - sum;
  let z = at(f + 2, f + 1);
  for (let k = first; k < last; k++) {
    reflect(a, n, k, first, last, x, y, z);
    x = at(k + 1, k);
    y = k + 2 <= last ? at(k + 2, k) : 0;
    z = k + 3 <= last ? at(k + 3, k) : 0;
  }
}

/** Turns rows and columns k, k + 1, k + 2 of the block first .. last so that (x, y, z) becomes a multiple of (1, 0, 0). */
function reflect(a: Matrix, n: number, k: number, first: number, last: number, x: number, y: number, z: number): void {
  const scale = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (scale === 0) return;
  const length = Math.sqrt((x / scale) ** 2 + (y / scale) ** 2 + (z / scale) ** 2) * scale;
  const p = x + (x >= 0 ? length : -length);
  // I - f (1, q, r)^T (1, q, r).
  const [q, r] = [y / p, z / p];
  const f = 2 / (1 + q * q + r * r);
  const three = k + 2 <= last;
  const row = k * n;
  for (let j = Math.max(first, k - 1); j <= last; j++) {
    const sum = f * (a[row + j] + q * a[row + n + j] + (three ? r * a[row + 2 * n + j] : 0));
    a[row + j] -= sum;
    a[row + n + j] -= q * sum;
    if (three) a[row + 2 * n + j] -= r * sum;
  }
  const top = Math.min(last, k + 3);
  for (let i = first; i <= top; i++) {
    const at = i * n + k;
    const sum = f * (a[at] + q * a[at + 1] + (three ? r * a[at + 2] : 0));
    a[at] -= sum;
    a[at + 1] -= q * sum;
    if (three) a[at + 2] -= r * sum;
  }
}
