/**
 * Where a function on a grid is 0: marching squares. Each cell of four values of which some are above 0 and some are not
 * has one or two pieces of line; the places on its sides are found by straight interpolation.
 */

/** A grid of size x size values over [-reach, reach]^2, row by row, the lowest row first. */
export interface Grid {
  readonly size: number;
  readonly reach: number;
}

/** The plane as it is coloured, and the coarser one on which all nodes' lines are found. */
export const surface: Grid = { size: 64, reach: 1.3 };
export const coarse: Grid = { size: 33, reach: 1.3 };

/** The pieces of the line, as x1, y1, x2, y2, x1, y1, ... O(size^2). */
export function zeroLine({ size, reach }: Grid, values: ArrayLike<number>): number[] {
  const line: number[] = [];
  const step = (2 * reach) / (size - 1);
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      const at = row * size + column;
      // The corners, around the cell: x, y and value.
      const corners = [
        [0, 0, values[at]],
        [1, 0, values[at + 1]],
        [1, 1, values[at + size + 1]],
        [0, 1, values[at + size]],
      ];
      const crossings: number[] = [];
      for (let side = 0; side < 4; side++) {
        const [x1, y1, a] = corners[side];
        const [x2, y2, b] = corners[(side + 1) % 4];
        if (a > 0 === b > 0) continue;
        const share = a / (a - b);
        crossings.push((column + x1 + share * (x2 - x1)) * step - reach, (row + y1 + share * (y2 - y1)) * step - reach);
      }
      // Four crossings are a saddle: the sides are joined in the order in which they come.
      line.push(...crossings);
    }
  }
  return line;
}

export function gridPoints({ size, reach }: Grid): Float32Array {
  const step = (2 * reach) / (size - 1);
  return Float32Array.from({ length: 2 * size * size }, (_, k) => {
    const point = k >> 1;
    return (k % 2 === 0 ? point % size : Math.floor(point / size)) * step - reach;
  });
}
