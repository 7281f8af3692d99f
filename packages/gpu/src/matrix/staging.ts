/**
 * From memory to workgroup memory: rows of one image with all their channels, through a reader, to the positions that a
 * layout gives them. All loads are issued before the first result is used: waiting for memory is what costs. A thread always
 * sees the same four channels.
 */

import type { Binding } from "../device/program.ts";
import type { Layout } from "./layout.ts";
import type { Matrices } from "./matrix.ts";
import type { Reader } from "./reader.ts";

export interface Staging {
  readonly array: string;
  readonly reader: Reader;
  readonly width: number;
  readonly height: number;
  /** Of the image, and of those the ones staged, from channel `first` on (a WGSL expression). */
  readonly channels: number;
  readonly staged: number;
  readonly first: string;
  /** Halves from one position to the next. */
  readonly pitch: number;
  readonly rows: number;
  /** The first row, which may lie outside the image, as an i32. */
  readonly firstRow: string;
  place(row: string, x: string): string;
  readonly threads: number;
  /** Whether the rows are staged once: then most of their addresses are worked out beforehand. In a loop that only costs registers. */
  readonly once: boolean;
  /** Where the norm's tables begin for this replica. */
  readonly entry: string;
}

export interface Staged {
  readonly bindings: readonly Binding[];
  /** What depends on the channel alone: once, before anything else. */
  readonly prepare: string;
  readonly declare: string;
  /** Reads `image` (the number of its first pixel), where `counts` (a WGSL condition) holds. */
  load(): string;
  /** Writes what was loaded; zeros where nothing counts. */
  store(counts: string): string;
}

export function staging(options: Staging, matrices: Matrices): Staged {
  const { array, reader, width, height, staged, pitch, rows, threads, place } = options;
  const quads = staged / 4;
  if (threads % quads !== 0) throw new Error("threads must be a multiple of the quads of a pixel");
  const step = threads / quads;
  const all = rows * width;
  const count = Math.ceil(all / step);
  const ks = Array.from({ length: count }, (_, k) => k);
  const spot = (k: number) => `(me / ${quads}u + ${k * step}u)`;
  const guarded = (k: number, line: string) => ((k + 1) * step > all ? `if (${spot(k)} < ${all}u) { ${line} }` : line);
  // Where all threads are in one row at a time, the row is a number.
  const inRows = options.once && width % step === 0;
  const row = (k: number) => (inRows ? `${Math.floor((k * step) / width)}u` : `(${spot(k)} / ${width}u)`);
  const column = (k: number) => (inRows ? `(me / ${quads}u + ${(k * step) % width}u)` : `(${spot(k)} % ${width}u)`);
  return {
    bindings: reader.bindings,
    prepare: reader.prepare(`${options.entry} + ${options.first} + 4u * (me % ${quads}u)`),
    declare: ks.map((k) => reader.declare(k)).join(""),
    load: () =>
      ks
        .map((k) => {
          const line = `u32(clamp(${options.firstRow} + i32(${row(k)}), 0, ${height - 1}))`;
          const index = `(image + ${line} * ${width}u + ${column(k)}) * ${options.channels / 4}u + (${options.first}) / 4u + me % ${quads}u`;
          return `    ${guarded(k, reader.load(k, index))}\n`;
        })
        .join(""),
    store: (counts) =>
      ks
        .map((k) => {
          const inside = `let y = ${options.firstRow} + i32(${row(k)}); let inside = y >= 0 && y < ${height}${counts === "true" ? "" : ` && ${counts}`};`;
          const to = `${array}[(${place(row(k), column(k))}) * ${pitch / 4}u + me % ${quads}u]`;
          const value = `vec4<${matrices.half}>(select(vec4f(), ${reader.value(k)}, inside))`;
          return `    ${guarded(k, `{ ${inside} ${to} = ${value}; }`)}\n`;
        })
        .join(""),
  };
}

/** Zeros where the layout has none of the image. */
export function zeroEdges(array: string, layout: Layout, pitch: number, threads: number, matrices: Matrices): string {
  const quads = pitch / 4;
  return `  for (var i = me; i < ${layout.zeros * quads}u; i += ${threads}u) {
    let k = i / ${quads}u;
    ${array}[(${layout.zero("k")}) * ${quads}u + i % ${quads}u] = vec4<${matrices.half}>();
  }
`;
}
