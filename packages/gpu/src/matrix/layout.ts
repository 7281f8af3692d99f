/**
 * Where the pixels of a 3 x 3 convolution (edges of one pixel, stride 1 or 2) lie in workgroup memory, so that whatever one
 * tap reads for 16 neighbouring pixels is one matrix: 16 positions, one after another. A position holds all channels of a
 * pixel. Rows of the image follow each other with one position of zeros between them, the right edge of one row and the
 * left of the next.
 *
 * Work runs over a grid: the target's pixels; for the gradient of a stride of 2 the source's, each of which makes four
 * pixels of the target, one of each parity, every tap feeding one parity alone. A stride of 2 forward keeps rows and columns of
 * either parity apart, so that pixels two columns away are neighbours.
 *
 * Grids at least 16 wide are cut into tiles of 16 along their rows; narrower ones are one line, rows and zeros alike, and what
 * comes out at the zeros is dropped.
 */

import type { Shape } from "@equitopo/nn";
import { SIDE } from "./matrix.ts";

export interface MatrixGeometry {
  /** What is read, and what is made. */
  readonly source: Shape;
  readonly target: Shape;
  readonly stride: 1 | 2;
  /** The gradient of its input: the source is the forward convolution's target. */
  readonly transposed: boolean;
}

/** One tap: which parity of target pixels it feeds, and how far from a pixel's own position it reads. */
export interface Tap {
  readonly parity: number;
  readonly offset: number;
}

export interface Layout {
  readonly grid: { readonly height: number; readonly width: number };
  /** Positions from one row of the grid to the next. */
  readonly pitch: number;
  readonly parities: 1 | 4;
  /** Rows of the source that are staged, and the first of them, for the grid's rows from y0 on. */
  readonly sourceRows: number;
  readonly firstRow: string;
  /** The position of source column x in staged row `row`. */
  place(row: string, x: string): string;
  /** Positions that stay zero: how many, and the k-th. */
  readonly zeros: number;
  zero(k: string): string;
  readonly positions: number;
  /** In the order (ky, kx). */
  readonly taps: readonly Tap[];
  /** Tiles of 16 positions, and where in the staged source tile `t` begins before a tap's offset. */
  readonly tiles: number;
  tile(t: string): string;
  /** `let ROW, COLUMN` of position p of tile t, and whether that is a pixel. */
  pixel(t: string, p: string): { readonly row: string; readonly column: string; readonly valid: string };
}

const TAPS = [0, 1, 2].flatMap((ky) => [0, 1, 2].map((kx) => [ky, kx] as const));

export function layoutOf({ source, target, stride, transposed }: MatrixGeometry, rows: number): Layout {
  const grid = stride === 2 && transposed ? source : target;
  const { height, width } = grid;
  const pitch = width + 1;
  const wide = width % SIDE === 0;
  const across = width / SIDE;
  const tiles = wide ? rows * across : Math.ceil((rows * pitch) / SIDE);
  const staging = stagingOf(stride, transposed, rows, width, pitch);
  const last = wide ? (rows - 1) * pitch + width - SIDE : SIDE * (tiles - 1);
  const reach = Math.max(...staging.taps.map(({ offset }) => offset)) + last + SIDE;
  return {
    ...{ grid: { height, width }, pitch, tiles },
    ...{ parities: stride === 2 && transposed ? 4 : 1, ...staging },
    positions: Math.max(staging.positions, reach),
    tile: (t) => (wide ? `((${t}) / ${across}u) * ${pitch}u + ((${t}) % ${across}u) * ${SIDE}u` : `(${t}) * ${SIDE}u`),
    pixel: (t, p) => {
      if (wide) {
        const column = across === 1 ? p : `(((${t}) % ${across}u) * ${SIDE}u + ${p})`;
        return { row: `((${t}) / ${across}u)`, column, valid: "true" };
      }
      const line = `((${t}) * ${SIDE}u + ${p})`;
      const [row, column] = [`(${line} / ${pitch}u)`, `(${line} % ${pitch}u)`];
      return { row, column, valid: `${column} < ${width}u && ${row} < ${rows}u` };
    },
  };
}

type Staging = Pick<Layout, "sourceRows" | "firstRow" | "place" | "zeros" | "zero" | "positions" | "taps">;

function stagingOf(stride: 1 | 2, transposed: boolean, rows: number, width: number, pitch: number): Staging {
  if (stride === 1) {
    return {
      ...{ sourceRows: rows + 2, firstRow: "i32(y0) - 1", zeros: rows + 3, positions: (rows + 2) * pitch + 1 },
      place: (row, x) => `${row} * ${pitch}u + ${x} + 1u`,
      zero: (k) => `${k} * ${pitch}u`,
      taps: TAPS.map(([ky, kx]) => ({
        ...{ parity: 0, offset: transposed ? (2 - ky) * pitch + 2 - kx : ky * pitch + kx },
      })),
    };
  }
  if (transposed) {
    return {
      ...{ sourceRows: rows + 1, firstRow: "i32(y0)", zeros: rows + 1, positions: (rows + 1) * pitch },
      place: (row, x) => `${row} * ${pitch}u + ${x}`,
      zero: (k) => `${k} * ${pitch}u + ${width}u`,
      taps: TAPS.map(([ky, kx]) => ({
        parity: (ky === 1 ? 0 : 2) + (kx === 1 ? 0 : 1),
        offset: (ky === 0 ? pitch : 0) + (kx === 0 ? 1 : 0),
      })),
    };
  }
  const plane = (rows + 1) * pitch;
  return {
    ...{ sourceRows: 2 * rows + 1, firstRow: "i32(2u * y0) - 1", zeros: 2 * (rows + 1), positions: 4 * plane },
    place: (row, x) =>
      `((${row} % 2u) * 2u + (${x} + 1u) % 2u) * ${plane}u + (${row} / 2u) * ${pitch}u + (${x} + 1u) / 2u`,
    zero: (k) => `(${k} / ${rows + 1}u) * ${2 * plane}u + (${k} % ${rows + 1}u) * ${pitch}u`,
    taps: TAPS.map(([ky, kx]) => ({
      parity: 0,
      offset: ((ky % 2) * 2 + (kx % 2)) * plane + Math.floor(ky / 2) * pitch + Math.floor(kx / 2),
    })),
  };
}
