/**
 * The dense oracle that exact rates are held against: plain O(n^3) linear algebra on row-major n x n arrays, written for
 * nothing but being obviously right. The library itself never makes a dense matrix to compute a rate.
 */

export type Dense = Float64Array;

export function multiply(a: Dense, b: Dense, n: number): Dense {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
  return c;
}

export function transpose(a: Dense, n: number): Dense {
  return Float64Array.from({ length: n * n }, (_, e) => a[(e % n) * n + Math.floor(e / n)]);
}

/** Pi W: every column without its mean. */
export function project(w: Dense, n: number): Dense {
  const out = Float64Array.from(w);
  for (let j = 0; j < n; j++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += w[i * n + j] / n;
    for (let i = 0; i < n; i++) out[i * n + j] -= mean;
  }
  return out;
}

/** The eigenvalues of a symmetric matrix, ascending, by cyclic Jacobi rotations; errors about 1e-15 ||A||. */
export function symmetricEigenvalues(matrix: Dense, n: number): Float64Array {
  const a = Float64Array.from(matrix);
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = 0; q < p; q++) off = Math.max(off, Math.abs(a[p * n + q]));
    // What is left moves no eigenvalue by more than n off.
    if (off < 1e-15) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, n, p, q);
  }
  return Float64Array.from({ length: n }, (_, i) => a[i * n + i]).sort();
}

function rotate(a: Dense, n: number, p: number, q: number): void {
  const coupling = a[p * n + q];
  if (coupling === 0) return;
  const { c, s } = angle((a[q * n + q] - a[p * n + p]) / (2 * coupling));
  for (let k = 0; k < n; k++) {
    const kp = a[k * n + p];
    const kq = a[k * n + q];
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k++) {
    const pk = a[p * n + k];
    const qk = a[q * n + k];
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
  }
}

function angle(cotangent: number): { c: number; s: number } {
  const t = Math.sign(cotangent || 1) / (Math.abs(cotangent) + Math.hypot(1, cotangent));
  const c = 1 / Math.hypot(1, t);
  return { c, s: c * t };
}

/**
 * The largest singular value, by one-sided Jacobi: columns are rotated until they are orthogonal, and the longest is the
 * norm. Never forms A^T A, so small norms keep all their digits.
 */
export function spectralNorm(matrix: Dense, n: number): number {
  // Columns of the matrix as rows of u: contiguous.
  const u = transpose(matrix, n);
  const dot = (p: number, q: number) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += u[p * n + k] * u[q * n + k];
    return sum;
  };
  let total = 0;
  for (let p = 0; p < n; p++) total += dot(p, p);
  for (let sweep = 0, turned = true; turned && sweep < 60; sweep++) {
    turned = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const coupling = dot(p, q);
        const pp = dot(p, p);
        const qq = dot(q, q);
        if (Math.abs(coupling) <= 1e-14 * Math.sqrt(pp * qq) || pp * qq < 1e-64 * total * total) continue;
        turned = true;
        const { c, s } = angle((qq - pp) / (2 * coupling));
        for (let k = 0; k < n; k++) {
          const kp = u[p * n + k];
          const kq = u[q * n + k];
          u[p * n + k] = c * kp - s * kq;
          u[q * n + k] = s * kp + c * kq;
        }
      }
    }
  }
  let largest = 0;
  for (let p = 0; p < n; p++) largest = Math.max(largest, dot(p, p));
  return Math.sqrt(largest);
}

/** ||Pi W||_2. */
export function consensusNorm(w: Dense, n: number): number {
  return spectralNorm(project(w, n), n);
}
