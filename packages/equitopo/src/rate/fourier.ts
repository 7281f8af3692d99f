/**
 * The discrete Fourier transform of a real sequence of any length, in O(n log n): Bluestein's chirp over a
 * power-of-two transform. For circulants with so many weights that the direct sum is slower (a full basis).
 */

import { mulMod } from "../number/integers.ts";
import { rootOfUnity } from "../number/roots.ts";

/**
 * lambda_k = sum over m of c[m] exp(2 pi i k m / n) for k = 0 .. floor(n / 2), as [re, im, re, im, ...].
 * Error about 1e-16 log2(n) of the root of sum c^2.
 */
export function realSpectrum(c: Float64Array): Float64Array {
  const n = c.length;
  let size = 1;
  while (size < 2 * n) size *= 2;
  // k m = (k^2 + m^2 - (k - m)^2) / 2, so lambda_k = chirp_k sum_m (c_m chirp_m) conj(chirp_(k - m)).
  const chirp = new Float64Array(2 * n);
  for (let m = 0; m < n; m++) rootOfUnity(mulMod(m, m, 2 * n), 2 * n, chirp, 2 * m);
  const a = new Float64Array(2 * size);
  const b = new Float64Array(2 * size);
  for (let m = 0; m < n; m++) {
    a[2 * m] = c[m] * chirp[2 * m];
    a[2 * m + 1] = c[m] * chirp[2 * m + 1];
    for (const at of [m, (size - m) % size]) {
      b[2 * at] = chirp[2 * m];
      b[2 * at + 1] = -chirp[2 * m + 1];
    }
  }
  const roots = new Float64Array(size);
  for (let m = 0; m < size / 2; m++) rootOfUnity(m, size, roots, 2 * m);
  transform(a, roots);
  transform(b, roots);
  for (let m = 0; m < size; m++) {
    const re = a[2 * m] * b[2 * m] - a[2 * m + 1] * b[2 * m + 1];
    const im = a[2 * m] * b[2 * m + 1] + a[2 * m + 1] * b[2 * m];
    // Conjugated, so that the forward transform serves as the inverse.
    a[2 * m] = re;
    a[2 * m + 1] = -im;
  }
  transform(a, roots);
  const half = Math.floor(n / 2);
  const out = new Float64Array(2 * (half + 1));
  for (let k = 0; k <= half; k++) {
    const re = a[2 * k] / size;
    const im = -a[2 * k + 1] / size;
    out[2 * k] = re * chirp[2 * k] - im * chirp[2 * k + 1];
    out[2 * k + 1] = re * chirp[2 * k + 1] + im * chirp[2 * k];
  }
  return out;
}

/** In place: x_k <- sum of x_m exp(2 pi i k m / size), size a power of two (radix 2, decimation in time). */
function transform(x: Float64Array, roots: Float64Array): void {
  const size = x.length / 2;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const re = x[2 * i];
      const im = x[2 * i + 1];
      x[2 * i] = x[2 * j];
      x[2 * i + 1] = x[2 * j + 1];
      x[2 * j] = re;
      x[2 * j + 1] = im;
    }
  }
  for (let half = 1; half < size; half *= 2) {
    const stride = size / (2 * half);
    for (let start = 0; start < size; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const c = roots[2 * k * stride];
        const s = roots[2 * k * stride + 1];
        const p = 2 * (start + k);
        const q = p + 2 * half;
        const re = x[q] * c - x[q + 1] * s;
        const im = x[q] * s + x[q + 1] * c;
        x[q] = x[p] - re;
        x[q + 1] = x[p + 1] - im;
        x[p] += re;
        x[p + 1] += im;
      }
    }
  }
}
