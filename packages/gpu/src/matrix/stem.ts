/**
 * The first convolution reads images of up to three channels: too few for a matrix a tap. Its nine taps together make one row
 * of 9 x 3 numbers a pixel, filled up to 32 with zeros, which are two matrices; the weights (ky, kx, in, out) lie in memory in
 * just that order. Images are kept as four halves a pixel.
 */

import { reads } from "../device/program.ts";
import type { LayerOptions, Value } from "../shader/value.ts";
import type { Layout, MatrixGeometry } from "./layout.ts";
import { type Matrices, SIDE } from "./matrix.ts";
import type { Reader } from "./reader.ts";
import { type Staged, type Staging, staging } from "./staging.ts";

/** Numbers of a pixel's row. */
export const STEM = 2 * SIDE;

/** Rows of numbers, pixel after pixel; no taps, no edges. */
export function stemLayout({ target }: MatrixGeometry, rows: number): Layout {
  const { height, width } = target;
  const across = width / SIDE;
  return {
    ...{ grid: { height, width }, pitch: width, parities: 1, sourceRows: rows, firstRow: "i32(y0)", zeros: 0 },
    place: (row, x) => `${row} * ${width}u + ${x}`,
    zero: () => "0u",
    ...{ positions: rows * width, tiles: rows * across, taps: [{ parity: 0, offset: 0 }] },
    tile: (t) => `(${t}) * ${SIDE}u`,
    pixel: (t, p) => ({
      ...{ row: `((${t}) / ${across}u)`, column: `(((${t}) % ${across}u) * ${SIDE}u + ${p})`, valid: "true" },
    }),
  };
}

export interface MatrixOptions extends LayerOptions {
  readonly matrices: Matrices;
  readonly geometry: MatrixGeometry;
  /** What is read: a value or a gradient by a reader, or the images themselves. */
  readonly source: Reader | { readonly images: Value };
  readonly out: GPUBuffer;
  readonly sourceNorm: number;
  readonly targetNorm: number;
}

/** `rows` rows of the grid of a convolution's source, to the array `xs`. */
export function sourceStaging(
  { geometry, source, matrices }: MatrixOptions,
  rows: number,
  layout: Layout,
  how: Pick<Staging, "pitch" | "threads" | "staged" | "first" | "once">,
): Staged {
  if ("images" in source) return stemStaging(source.images, rows, how.pitch, how.threads, matrices);
  const { sourceRows, firstRow, place } = layout;
  return staging(
    { ...geometry.source, ...how, array: "xs", reader: source, rows: sourceRows, firstRow, place, entry: "sourceNorm" },
    matrices,
  );
}

function stemStaging(images: Value, rows: number, pitch: number, threads: number, { half }: Matrices): Staged {
  const { height, width, channels } = images.shape;
  const count = (rows * width) / threads;
  if (!Number.isInteger(count)) throw new Error("threads must divide the pixels of a tile");
  const quad = `vec4<${half}>`;
  const each = (line: (k: number, tap: number) => string) =>
    Array.from({ length: 9 * count }, (_, i) => line(Math.floor(i / 9), i % 9)).join("");
  const name = (k: number, tap: number) => `image${k}_${tap}`;
  const at = (k: number, tap: number) => {
    const pixel = `(me + ${k * threads}u)`;
    const y = `i32(y0 + ${pixel} / ${width}u) + ${Math.floor(tap / 3) - 1}`;
    const x = `i32(${pixel} % ${width}u) + ${(tap % 3) - 1}`;
    return { y, x };
  };
  return {
    bindings: reads(quad, { images: images.y }),
    prepare: "",
    declare: each((k, tap) => `  var ${name(k, tap)} = ${quad}();\n`),
    load: () =>
      each((k, tap) => {
        const { y, x } = at(k, tap);
        const inside = `u32(clamp(${y}, 0, ${height - 1})) * ${width}u + u32(clamp(${x}, 0, ${width - 1}))`;
        return `    ${name(k, tap)} = images[image + ${inside}];\n`;
      }),
    store: (counts) =>
      each((k, tap) => {
        const { y, x } = at(k, tap);
        // Not `&&`: that would be a branch for every condition.
        const inside = `((${y}) >= 0) & ((${y}) < ${height}) & ((${x}) >= 0) & ((${x}) < ${width}) & ${counts}`;
        return `    ${name(k, tap)} = select(${quad}(), ${name(k, tap)}, ${inside});\n`;
      }) +
      Array.from({ length: count }, (_, k) => {
        const numbers = Array.from({ length: STEM }, (_, j) =>
          j < 9 * channels ? `${name(k, Math.floor(j / channels))}.${"xyz"[j % channels]}` : `${half}(0)`,
        );
        return Array.from(
          { length: STEM / 4 },
          (_, q) =>
            `    xs[(me + ${k * threads}u) * ${pitch / 4}u + ${q}u] = ${quad}(${numbers.slice(4 * q, 4 * q + 4).join(", ")});\n`,
        ).join("");
      }).join(""),
  };
}
