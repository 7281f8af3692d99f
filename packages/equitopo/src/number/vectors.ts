/** Sums over vectors, from the first number on: the same bits wherever they are taken. */

/** x . y, by ascending index. */
export function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** ||x||. */
export function norm(x: ArrayLike<number>): number {
  return Math.sqrt(dot(x, x));
}

/** x <- factor x. */
export function scale(x: Float64Array, factor: number): void {
  for (let i = 0; i < x.length; i++) x[i] *= factor;
}

/** Every one of the columns without its mean: x <- Pi x. */
export function centre(x: Float64Array, columns = 1): void {
  for (let c = 0; c < columns; c++) {
    let sum = 0;
    for (let k = c; k < x.length; k += columns) sum += x[k];
    const mean = sum / (x.length / columns);
    for (let k = c; k < x.length; k += columns) x[k] -= mean;
  }
}
