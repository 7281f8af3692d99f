/** The r x c shape that grid and torus share: node i stands in row floor(i / c), column i mod c. */

import { InputError, integer, nodes } from "../input/input.ts";
import { about, number, optional } from "../input/option.ts";
import { type UndirectedOptions, undirectedOptions } from "./weights.ts";

export interface LatticeOptions extends UndirectedOptions {
  /** Either may be left out; both left out: the most square factors of n. */
  readonly rows?: number;
  readonly cols?: number;
}

/** The options of both. That rows times cols is n, the shape itself checks. */
export const latticeOptions = {
  rows: about(optional(number(15)), "rows of the grid or torus", "R"),
  cols: about(optional(number(20)), "columns of the grid or torus", "C"),
  ...undirectedOptions,
};

export function latticeShape(options: LatticeOptions): { rows: number; cols: number } {
  const n = nodes(options.n);
  if (options.rows !== undefined) integer("rows", options.rows, 1, n);
  if (options.cols !== undefined) integer("cols", options.cols, 1, n);
  let rows = options.rows ?? (options.cols === undefined ? undefined : n / options.cols);
  if (rows === undefined) {
    rows = Math.floor(Math.sqrt(n));
    while (n % rows !== 0) rows--;
  }
  const cols = options.cols ?? n / rows;
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows * cols !== n) {
    const square = latticeShape({ n });
    throw new InputError(
      `rows times cols must be n = ${n}`,
      { rows: options.rows, cols: options.cols },
      `try rows = ${square.rows}, cols = ${square.cols}`,
    );
  }
  return { rows, cols };
}
