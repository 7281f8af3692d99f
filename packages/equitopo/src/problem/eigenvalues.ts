/**
 * The eigenvalues of a symmetric d x d matrix (row by row) by Jacobi's rotations, O(d^3) a sweep, some eight sweeps. Each
 * rotation makes one pair of entries off the diagonal 0, and the rest off the diagonal shrinks quadratically.
 */

/** All of them, in ascending order, to about the rounding of the largest. */
export function symmetricEigenvalues(matrix: ArrayLike<number>, d: number): Float64Array {
  const a = Float64Array.from(matrix);
  let size = 0;
  for (const value of a) size += value * value;
  for (let sweep = 0; sweep < 40; sweep++) {
    let rest = 0;
    for (let p = 0; p < d; p++) for (let q = 0; q < p; q++) rest += 2 * a[p * d + q] ** 2;
    if (rest <= 1e-32 * size) break;
    for (let p = 0; p < d - 1; p++) for (let q = p + 1; q < d; q++) rotate(a, d, p, q);
  }
  return Float64Array.from({ length: d }, (_, k) => a[k * d + k]).sort();
}

/** R^T A R with the rotation R in the plane of p and q that makes a_pq = 0. */
function rotate(a: Float64Array, d: number, p: number, q: number): void {
  const apq = a[p * d + q];
  if (apq === 0) return;
  const theta = (a[q * d + q] - a[p * d + p]) / (2 * apq);
  // The smaller of the two angles.
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let k = 0; k < d; k++) {
    const [akp, akq] = [a[k * d + p], a[k * d + q]];
    a[k * d + p] = cosine * akp - sine * akq;
    a[k * d + q] = sine * akp + cosine * akq;
  }
  for (let k = 0; k < d; k++) {
    const [apk, aqk] = [a[p * d + k], a[q * d + k]];
    a[p * d + k] = cosine * apk - sine * aqk;
    a[q * d + k] = sine * apk + cosine * aqk;
  }
}
