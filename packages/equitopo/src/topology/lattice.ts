/** The r x c shape that grid and torus share: node i is in row floor(i / c), column i mod c. */

import { InputError, integer, nearestAccepted, nodes } from "../input/input.ts";
import { about, type Given, number, optional } from "../input/option.ts";
import { undirectedOptions } from "./weights.ts";

export interface LatticeOptions extends Given<typeof latticeOptions> {}

/**
 * The options of both. Either side may be left out; both left out: the most square factors of n. That rows times cols is n,
 * the shape itself checks.
 */
export const latticeOptions = {
  rows: about(optional(number(15)), "rows of the grid or torus", "R"),
  cols: about(optional(number(20)), "columns of the grid or torus", "C"),
  ...undirectedOptions,
};

/**
 * What to know of a lattice that has one row or column: that it is a line (`line` says which), and the nearest n whose two
 * sides are at least `side`. Undefined for all others.
 */
export function latticeNote(name: string, line: string, side: number): (options: LatticeOptions) => string | undefined {
  return (options) => {
    const { n } = options;
    const { rows, cols } = latticeShape(options);
    if (Math.min(rows, cols) > 1) return undefined;
    const own = latticeShape({ n });
    const remedy =
      own.rows > 1
        ? `left to itself it is ${own.rows} x ${own.cols}`
        : `${nearestAccepted(n, side ** 2, (size) => latticeShape({ n: size }).rows >= side)} for two sides`;
    return `${name} of ${rows} x ${cols} is a ${line}: ${remedy}`;
  };
}

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
    const given = { rows: options.rows, cols: options.cols };
    throw new InputError(`rows times cols must be n = ${n}`, given, `try rows = ${square.rows}, cols = ${square.cols}`);
  }
  return { rows, cols };
}
