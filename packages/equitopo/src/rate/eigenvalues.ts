/**
 * All eigenvalues of a real matrix that need not be symmetric: elimination to Hessenberg form, then Francis' double-shift
 * QR steps (the classical `elmhes` and `hqr`). About 12 n^3 additions: 1 s at n = 400. Errors are about 1e-16 ||A|| for
 * eigenvalues that stand alone; the k-th root of that where k of them fall together in one Jordan block.
 */

import type { Matrix } from "./dense.ts";

export interface Eigenvalues {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Steps for one eigenvalue before giving up; every tenth one has another shift, which no matrix is known to withstand. */
const MOST_STEPS = 120;

export function eigenvalues(matrix: Matrix, n: number): Eigenvalues {
  const a = Float64Array.from(matrix);
  toHessenberg(a, n);
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) for (let j = Math.max(0, i - 1); j < n; j++) size += Math.abs(a[i * n + j]);
  let shift = 0;
  let steps = 0;
  for (let last = n - 1; last >= 0; ) {
    const first = splitAt(a, n, last, size);
    const corner = a[last * n + last];
    if (first === last) {
      re[last--] = corner + shift;
      steps = 0;
    } else if (first === last - 1) {
      pairAt(a, n, last, shift, re, im);
      last -= 2;
      steps = 0;
    } else {
      if (steps++ >= MOST_STEPS) throw new Error(`no eigenvalue after ${MOST_STEPS} QR steps`);
      let [x, y, w] = [corner, a[(last - 1) * n + last - 1], a[last * n + last - 1] * a[(last - 1) * n + last]];
      if (steps % 10 === 0) {
        shift += x;
        for (let i = 0; i <= last; i++) a[i * n + i] -= x;
        const s = Math.abs(a[last * n + last - 1]) + Math.abs(a[(last - 1) * n + last - 2]);
        [x, y, w] = [0.75 * s, 0.75 * s, -0.4375 * s * s];
      }
      francisStep(a, n, first, last, x, y, w);
    }
  }
  return { re, im };
}

/** The largest modulus. */
export function spectralRadius(matrix: Matrix, n: number): number {
  const { re, im } = eigenvalues(matrix, n);
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, Math.sqrt(re[i] * re[i] + im[i] * im[i]));
  return most;
}

/** By elimination with row exchanges; what stands below the first subdiagonal is set to 0. */
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

/** Where the block that ends with row `last` begins: below an entry that is nothing beside its neighbours. */
function splitAt(a: Matrix, n: number, last: number, size: number): number {
  for (let l = last; l > 0; l--) {
    const near = Math.abs(a[(l - 1) * n + l - 1]) + Math.abs(a[l * n + l]) || size;
    if (Math.abs(a[l * n + l - 1]) + near === near) {
      a[l * n + l - 1] = 0;
      return l;
    }
  }
  return 0;
}

/** The two eigenvalues of the block of rows last - 1 and last. */
function pairAt(a: Matrix, n: number, last: number, shift: number, re: Float64Array, im: Float64Array): void {
  const x = a[last * n + last];
  const w = a[last * n + last - 1] * a[(last - 1) * n + last];
  const p = 0.5 * (a[(last - 1) * n + last - 1] - x);
  const q = p * p + w;
  const root = Math.sqrt(Math.abs(q));
  if (q >= 0) {
    const z = p + (p >= 0 ? root : -root);
    re[last - 1] = x + shift + z;
    re[last] = z === 0 ? x + shift : x + shift - w / z;
  } else {
    re[last - 1] = x + shift + p;
    re[last] = x + shift + p;
    im[last - 1] = root;
    im[last] = -root;
  }
}

/** One double step with the shifts x, y, w on rows first .. last, begun where two small entries in a row allow. */
function francisStep(a: Matrix, n: number, first: number, last: number, x: number, y: number, w: number): void {
  let [p, q, r] = [0, 0, 0];
  let m = last - 2;
  for (; m >= first; m--) {
    const z = a[m * n + m];
    const rest = x - z;
    const other = y - z;
    p = (rest * other - w) / a[(m + 1) * n + m] + a[m * n + m + 1];
    q = a[(m + 1) * n + m + 1] - z - rest - other;
    r = a[(m + 2) * n + m + 1];
    const scale = Math.abs(p) + Math.abs(q) + Math.abs(r);
    [p, q, r] = [p / scale, q / scale, r / scale];
    if (m === first) break;
    const u = Math.abs(a[m * n + m - 1]) * (Math.abs(q) + Math.abs(r));
    const around = Math.abs(a[(m - 1) * n + m - 1]) + Math.abs(z) + Math.abs(a[(m + 1) * n + m + 1]);
    if (u + Math.abs(p) * around === Math.abs(p) * around) break;
  }
  for (let i = m + 2; i <= last; i++) {
    a[i * n + i - 2] = 0;
    if (i > m + 2) a[i * n + i - 3] = 0;
  }
  for (let k = m; k < last; k++) {
    const three = k < last - 1;
    let scale = 1;
    if (k > m) {
      p = a[k * n + k - 1];
      q = a[(k + 1) * n + k - 1];
      r = three ? a[(k + 2) * n + k - 1] : 0;
      scale = Math.abs(p) + Math.abs(q) + Math.abs(r);
      if (scale === 0) continue;
      [p, q, r] = [p / scale, q / scale, r / scale];
    }
    const length = Math.sqrt(p * p + q * q + r * r);
    if (length === 0) continue;
    const s = p >= 0 ? length : -length;
    if (k > m) a[k * n + k - 1] = -s * scale;
    else if (first !== m) a[k * n + k - 1] = -a[k * n + k - 1];
    p += s;
    reflect(a, n, k, first, last, three, [p / s, q / s, r / s, q / p, r / p]);
  }
}

/** The reflection of rows and columns k, k + 1 (and k + 2) with vector (x, y, z), scaled (1, q, r). */
function reflect(
  a: Matrix,
  n: number,
  k: number,
  first: number,
  last: number,
  three: boolean,
  [x, y, z, q, r]: readonly [number, number, number, number, number],
): void {
  const row = k * n;
  for (let j = k; j <= last; j++) {
    let p = a[row + j] + q * a[row + n + j];
    if (three) {
      p += r * a[row + 2 * n + j];
      a[row + 2 * n + j] -= p * z;
    }
    a[row + n + j] -= p * y;
    a[row + j] -= p * x;
  }
  const end = Math.min(last, k + 3);
  for (let i = first; i <= end; i++) {
    const at = i * n + k;
    let p = x * a[at] + y * a[at + 1];
    if (three) {
      p += z * a[at + 2];
      a[at + 2] -= p * r;
    }
    a[at + 1] -= p * q;
    a[at] -= p;
  }
}
