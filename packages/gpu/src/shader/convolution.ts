/**
 * Convolutions, forward and back, by one generator. Forward
 *   y[oy, ox, o] = b[o] + sum over ky, kx, i of x[oy s + ky - p, ox s + kx - p, i] w[ky, kx, i, o],
 * and transposed, the gradient of its input,
 *   g[iy, ix, i] = sum over ky, kx, o of dy[(iy + p - ky) / s, (ix + p - kx) / s, o] w[ky, kx, i, o], whole quotients only.
 *
 * A workgroup makes `rows` rows of `images` images of one replica in `channels` channels. Source channels go to workgroup
 * memory `chunk` at a time, rows one after another with zeros between them (right edge of one, left edge of the next); a
 * thread keeps eight pixels x four channels in registers. Everything but the loop over a chunk is unrolled here,
 * and taps that a stride skips are never written down.
 */

import type { Shape } from "@equitopo/nn";
import { eachGroup, type Kernel, reads, writes } from "../device/program.ts";
import { type LayerOptions, lanes, numbersOf, type Part, pixelsOf, rowElement } from "./value.ts";

/** Pixels of a thread, along a row. */
const PIXELS = 8;

export interface Geometry {
  readonly source: Shape;
  readonly target: Shape;
  readonly kernel: number;
  readonly stride: number;
  readonly pad: number;
  readonly transposed: boolean;
}

/** Sizes of the work of a workgroup and a thread: they decide the speed, and the order of additions. */
export interface Tile {
  readonly rows: number;
  readonly images: number;
  readonly channels: number;
  readonly chunk: number;
}

export interface ConvolutionOptions extends LayerOptions {
  readonly geometry: Geometry;
  readonly tile: Tile;
  /** Numbers from one replica's parameters to the next's. */
  readonly stride: number;
  /** `fn source(i, c)`. */
  readonly source: Part;
  /** `fn finish(i, c, v)`: what is stored where v was computed. */
  readonly finish: Part;
  readonly parameters: GPUBuffer;
  readonly out: GPUBuffer;
  /** Where the weights begin, the bias (forward only), and the source's and the target's norm in the tables. */
  readonly weights: number;
  readonly bias?: number;
  readonly sourceNorm: number;
  readonly targetNorm: number;
}

/** The column, relative to that of the thread's first pixel, that tap kx reads for pixel j; undefined for none. */
function columnOf({ stride, pad, transposed }: Geometry, j: number, kx: number): number | undefined {
  if (!transposed) return j * stride + kx - pad;
  const column = (j + pad - kx) / stride;
  return Number.isInteger(column) ? column : undefined;
}

/** Workgroup memory and threads of a tile. */
export function costOf(geometry: Geometry, tile: Tile): { readonly bytes: number; readonly threads: number } {
  const { sourceRows, pitch, lead } = layoutOf(geometry, tile);
  const quads = lead + tile.chunk * tile.images * sourceRows * pitch + lead + 4;
  const weights = (tile.chunk * geometry.kernel ** 2 * tile.channels) / 4;
  const groups = tile.images * tile.rows * Math.ceil(geometry.target.width / PIXELS);
  return { bytes: 16 * (quads + weights), threads: (groups * tile.channels) / 4 };
}

function layoutOf(geometry: Geometry, tile: Tile) {
  const { source, target, kernel, stride, pad, transposed } = geometry;
  // The first source row of a tile, relative to that of its first target row, and how many there are.
  const top = transposed ? Math.floor((pad - kernel + 1) / stride) : -pad;
  const bottom = transposed ? Math.floor((tile.rows - 1 + pad) / stride) : (tile.rows - 1) * stride + kernel - 1 - pad;
  const columns: number[] = [];
  for (const x of [0, target.width - 1]) {
    for (let kx = 0; kx < kernel; kx++) {
      if (transposed) columns.push(Math.floor((x + pad - kx) / stride), Math.ceil((x + pad - kx) / stride));
      else columns.push(x * stride + kx - pad);
    }
  }
  const over = Math.max(0, -Math.min(...columns), Math.max(...columns) - (source.width - 1));
  const lead = Math.ceil(over / 4);
  const quads = Math.ceil(source.width / 4);
  return { top, sourceRows: bottom - top + 1, lead, quads, pitch: quads + lead };
}

export function convolution(options: ConvolutionOptions): Kernel {
  const { geometry, tile, replicas, batch, parameters, out, source, finish } = options;
  const { target } = geometry;
  const rowTiles = Math.ceil(target.height / tile.rows);
  const imageTiles = Math.ceil(batch / tile.images);
  return {
    label: options.label,
    bindings: [
      ...[...source.bindings, ...finish.bindings, ...reads("f32", { weights: parameters })],
      ...writes(rowElement(target), { result: out }),
    ],
    constants: [options.weights, options.bias ?? 0, options.sourceNorm, options.targetNorm],
    code: source.code + finish.code + body(options, rowTiles),
    workgroups: [rowTiles * imageTiles, Math.ceil(target.channels / tile.channels), replicas],
  };
}

function body(options: ConvolutionOptions, rowTiles: number): string {
  const { geometry, tile, batch, stride: D, norms } = options;
  const { source, target, kernel, transposed } = geometry;
  const { threads } = costOf(geometry, tile);
  const { top, sourceRows, lead, quads, pitch } = layoutOf(geometry, tile);
  const plane = tile.images * sourceRows * pitch;
  const xs = lead + tile.chunk * plane + lead + 4;
  const taps = kernel * kernel;
  const wq = tile.channels / 4;
  const step = transposed ? 1 : geometry.stride;
  const down = transposed ? geometry.stride : 1;
  const groups = Math.ceil(target.width / PIXELS);
  const perColumn = tile.images * tile.rows * groups;
  // Rows of one parity one after another, so that neighbouring threads skip the same taps.
  const row = down === 1 ? "k % R" : `(k % (R / ${down}u)) * ${down}u + (k % R) / (R / ${down}u)`;
  return `
const R = ${tile.rows}u;
var<workgroup> xs: array<vec4f, ${xs}>;
var<workgroup> ws: array<vec4f, ${tile.chunk * taps * wq}>;
${eachGroup(threads)}  let replica = group.z;
  let rowTile = group.x % ${rowTiles}u;
  let image0 = (group.x / ${rowTiles}u) * ${tile.images}u;
  let channel0 = group.y * ${tile.channels}u;
  let y0 = rowTile * R;
  let weightsAt = replica * ${D}u + at[0].x;
  let normAt = replica * ${norms.width}u + at[0].z;
  let column = me % ${perColumn}u;
  let mine = me / ${perColumn}u;
  let g = column % ${groups}u;
  let k = column / ${groups}u;
  let image = k / R;
  let ty = ${row};
  for (var i = me; i < ${xs}u; i += ${threads}u) { xs[i] = vec4f(); }
  workgroupBarrier();
${each(PIXELS, (j) => `  var a${j} = vec4f();\n`)}
  for (var c0 = 0u; c0 < ${source.channels}u; c0 += ${tile.chunk}u) {
    for (var i = me; i < ${tile.chunk * tile.images * sourceRows * quads}u; i += ${threads}u) {
      let q = i % ${quads}u;
      let line = (i / ${quads}u) % ${sourceRows}u;
      let n = (i / ${quads * sourceRows}u) % ${tile.images}u;
      let c = i / ${quads * sourceRows * tile.images}u;
      let iy = i32(${transposed ? `y0 / ${down}u` : `y0 * ${step}u`} + line) + ${top};
      let which = image0 + n;
      var v = vec4f();
      if (iy >= 0 && iy < ${source.height} && c0 + c < ${source.channels}u && which < ${transposed ? "step.count" : `${batch}u`}) {
        let first = (((replica * ${batch}u + which) * ${source.channels}u + c0 + c) * ${source.height}u + u32(iy)) * ${source.width}u + 4u * q;
        let norm = normAt + c0 + c;
${stagePixels(source, "        ")}
      }
      xs[${lead}u + c * ${plane}u + (n * ${sourceRows}u + line) * ${pitch}u + q] = v;
    }
    for (var i = me; i < ${tile.chunk * taps * wq}u; i += ${threads}u) {
${stageWeights(geometry, tile)}
    }
    workgroupBarrier();
    for (var c = 0u; c < ${tile.chunk}u; c++) {
      let base = ${lead}u + c * ${plane}u + image * ${sourceRows * pitch}u + g * ${(PIXELS * step) / 4 / down}u;
      let wb = c * ${taps * wq}u + mine;
${products(geometry, pitch, wq, top)}
    }
    workgroupBarrier();
  }
${stores(options)}
}
`;
}

/** v <- four pixels from number `first` on; those beyond the row are zero. */
export function stagePixels(source: Shape, indent: string): string {
  if (rowElement(source) === "vec4f") return `${indent}v = source(first / 4u, norm);`;
  const one = (k: number) =>
    `${indent}if (4u * q + ${k}u < ${source.width}u) { v.${"xyzw"[k]} = source(first + ${k}u, norm); }\n`;
  return each(4, one);
}

/** ws[(c, tap, q)] <- the weights of source channel c0 + c to four target channels. */
function stageWeights({ source, target, kernel, transposed }: Geometry, tile: Tile): string {
  const taps = kernel * kernel;
  const wq = tile.channels / 4;
  // Neighbouring threads read neighbouring weights: those of one source channel forward, of one target channel back.
  const decode = transposed
    ? `let c = i % ${tile.chunk}u; let q = (i / ${tile.chunk}u) % ${wq}u; let tap = i / ${tile.chunk * wq}u;`
    : `let q = i % ${wq}u; let tap = (i / ${wq}u) % ${taps}u; let c = i / ${taps * wq}u;`;
  const one = (k: number) => {
    const index = transposed
      ? `(tap * ${target.channels}u + o + ${k}u) * ${source.channels}u + c0 + c`
      : `(tap * ${source.channels}u + c0 + c) * ${target.channels}u + o + ${k}u`;
    return `      if (o + ${k}u < ${target.channels}u) { w.${"xyzw"[k]} = weights[weightsAt + ${index}]; }\n`;
  };
  return `      ${decode}
      let o = channel0 + 4u * q;
      var w = vec4f();
      if (c0 + c < ${source.channels}u) {
${each(4, one)}      }
      ws[(c * ${taps}u + tap) * ${wq}u + q] = w;`;
}

/** The multiplications of one source channel: for each ky, a stretch of a row against kernel x 4 weights. Pixel j is added up in aj. */
function products(geometry: Geometry, pitch: number, wq: number, top: number): string {
  const { kernel, stride, pad, transposed } = geometry;
  let code = "";
  for (let ky = 0; ky < kernel; ky++) {
    const line = transposed
      ? stride === 1
        ? `ty + ${pad - ky - top}u`
        : `(ty + ${pad - ky - stride * top}u) / ${stride}u`
      : `ty * ${stride}u + ${ky}u`;
    const open =
      transposed && stride > 1 ? `      if ((ty + ${pad - ky - stride * top}u) % ${stride}u == 0u) {\n` : "      {\n";
    code += `${open}        let b = base + (${line}) * ${pitch}u;\n`;
    const columns = new Set<number>();
    for (let j = 0; j < PIXELS; j++) {
      for (let kx = 0; kx < kernel; kx++) {
        const column = columnOf(geometry, j, kx);
        if (column !== undefined) columns.add(column);
      }
    }
    const { code: loads, named } = loadColumns([...columns]);
    code += loads;
    for (let kx = 0; kx < kernel; kx++) {
      const uses = Array.from({ length: PIXELS }, (_, j) => columnOf(geometry, j, kx));
      if (uses.every((column) => column === undefined)) continue;
      code += `        let w${kx} = ws[wb + ${(ky * kernel + kx) * wq}u];\n`;
      uses.forEach((column, j) => {
        if (column !== undefined) code += `        a${j} = fma(vec4f(${named(column)}), w${kx}, a${j});\n`;
      });
    }
    code += "      }\n";
  }
  return code;
}

/** Loads of whole quads where more than one of their columns is wanted, of single numbers elsewhere. */
export function loadColumns(columns: readonly number[], from: (quad: string) => string = (quad) => `xs[${quad}]`) {
  const quadOf = (column: number) => Math.floor(column / 4);
  const partOf = (column: number) => "xyzw"[column - 4 * quadOf(column)];
  const name = (quad: number) => (quad < 0 ? `m${-quad}` : `p${quad}`);
  const place = (quad: number) => (quad < 0 ? `b - ${-quad}u` : `b + ${quad}u`);
  const wanted = new Map<number, number[]>();
  for (const column of [...columns].sort((a, b) => a - b)) {
    wanted.set(quadOf(column), [...(wanted.get(quadOf(column)) ?? []), column]);
  }
  let code = "";
  for (const [quad, list] of wanted) {
    const part = list.length === 1 ? `.${partOf(list[0])}` : "";
    code += `        let ${name(quad)} = ${from(place(quad))}${part};\n`;
  }
  const named = (column: number) => {
    const quad = quadOf(column);
    return (wanted.get(quad) as number[]).length === 1 ? name(quad) : `${name(quad)}.${partOf(column)}`;
  };
  return { code, named };
}

/** What every thread stores: its pixels of its channels, four pixels at a time where rows allow it. */
function stores({ geometry, batch, bias, norms, stride: D }: ConvolutionOptions): string {
  const { target } = geometry;
  const element = rowElement(target);
  const step = lanes(element);
  let code = `  let n = image0 + image;
  let oy = y0 + ty;
  if (n >= ${batch}u || oy >= ${target.height}u) { return; }
  let pixel = oy * ${target.width}u + g * ${PIXELS}u;
  let first = (replica * ${batch}u + n) * ${numbersOf(target)}u + pixel;
`;
  for (let k = 0; k < 4; k++) {
    const sumOf = (j: number) => `a${j}.${"xyzw"[k]}`;
    code += `  {
    let c = channel0 + mine * 4u + ${k}u;
    if (c < ${target.channels}u) {
      let to = first + c * ${pixelsOf(target)}u;
      let norm = replica * ${norms.width}u + at[0].w + c;
${bias === undefined ? "" : `      let bias = weights[replica * ${D}u + at[0].y + c];\n`}`;
    for (let j = 0; j < PIXELS; j += step) {
      const sum = element === "f32" ? sumOf(j) : `vec4f(${[0, 1, 2, 3].map((l) => sumOf(j + l)).join(", ")})`;
      const value = bias === undefined ? sum : `${sum} + bias`;
      const index = element === "f32" ? `to + ${j}u` : `(to + ${j}u) / 4u`;
      const store = `result[${index}] = finish(${index}, norm, ${value});`;
      code +=
        target.width % PIXELS === 0
          ? `      ${store}\n`
          : `      if (g * ${PIXELS}u + ${j}u < ${target.width}u) { ${store} }\n`;
    }
    code += "    }\n  }\n";
  }
  return code;
}

export const each = (count: number, line: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => line(k)).join("");
