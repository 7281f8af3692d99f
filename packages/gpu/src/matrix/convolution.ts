/**
 * 3 x 3 convolutions as products of matrices, forward and back (the formulas: shader/convolution.ts). A workgroup makes
 * `rows` rows of the grid (layout.ts) of one image of one replica, in `channels` channels; a warp has `pixelTiles` x one tile
 * of 16 pixels x 16 channels in its registers. Weights are read where they lie, as halves, always along their rows:
 *   forward:  pixels x weights,      16 x in times in x out;
 *   back:     weights x pixels,      in x out times out x 16, stored the other way round.
 * Sums leave through one tile of f32 a warp, where a thread sees four channels of two pixels: what is stored of them, and
 * what their batch norm sums over them (finish.ts), leaves from there.
 */

import { eachGroup, type Kernel, reads, writes } from "../device/program.ts";
import type { Finish } from "./finish.ts";
import { type Layout, layoutOf, type MatrixGeometry } from "./layout.ts";
import { QUADS, SIDE, WARP } from "./matrix.ts";
import { type Staged, zeroEdges } from "./staging.ts";
import { type MatrixOptions, STEM, sourceStaging, stemLayout } from "./stem.ts";

/** Sizes of a workgroup's work: they decide the speed, and the order of additions. */
export interface MatrixTile {
  /** Rows of the grid, a divisor of its height. */
  readonly rows: number;
  /** Tiles of 16 pixels of a warp. */
  readonly pixelTiles: number;
  readonly channels: number;
  /** Halves between positions that no channel uses: against conflicts of memory banks. */
  readonly padding: number;
}

/** How many products ahead weights are read: reading them takes longer than multiplying. */
const AHEAD = 9;

interface MatrixConvolutionOptions extends MatrixOptions {
  readonly tile: MatrixTile;
  readonly finish: Finish;
  /** Rows of weights as halves, so many apart. */
  readonly halves: GPUBuffer;
  readonly stride: number;
  /** Where sums for batch norm go, a row a workgroup. */
  readonly parts: GPUBuffer;
  readonly weights: number;
}

/** Workgroups that share an image. */
export const rowTiles = (geometry: MatrixGeometry, { rows }: MatrixTile) => {
  const { height } = geometry.stride === 2 && geometry.transposed ? geometry.source : geometry.target;
  return height / rows;
};

/** Back, channels are a product's rows; in memory they always follow each other. */
const orderOf = ({ transposed }: MatrixGeometry) => (transposed ? "column" : "row");

type Shape = ReturnType<typeof shapeOf>;

function shapeOf(geometry: MatrixGeometry, tile: MatrixTile) {
  const stem = geometry.source.channels < SIDE;
  const layout = (stem ? stemLayout : layoutOf)(geometry, tile.rows);
  // Channels of a position, and with padding.
  const depth = stem ? STEM : geometry.source.channels;
  const pixelGroups = Math.ceil(layout.tiles / tile.pixelTiles);
  const threads = pixelGroups * (tile.channels / SIDE) * WARP;
  return { layout, pixelGroups, threads, depth, pitch: depth + tile.padding };
}

/** Positions that matrices may touch: tiles that a warp has too many included. */
const positionsOf = ({ layout, pixelGroups }: Shape, { pixelTiles }: MatrixTile): number =>
  layout.positions + (pixelGroups * pixelTiles - layout.tiles) * (layout.pitch + SIDE);

export function matrixCostOf(geometry: MatrixGeometry, tile: MatrixTile) {
  const shape = shapeOf(geometry, tile);
  return {
    threads: shape.threads,
    bytes: 2 * positionsOf(shape, tile) * shape.pitch + 4 * SIDE * SIDE * (shape.threads / WARP),
  };
}

export function matrixConvolution(options: MatrixConvolutionOptions): Kernel {
  const { geometry, tile, replicas, batch, matrices, finish } = options;
  const shape = shapeOf(geometry, tile);
  const { depth, pitch, threads } = shape;
  const how = { pitch, threads, staged: depth, first: "0u", once: true };
  const staged = sourceStaging(options, tile.rows, shape.layout, how);
  return {
    label: options.label,
    directives: matrices.directives,
    bindings: [
      ...staged.bindings,
      ...finish.bindings,
      ...reads(matrices.half, { weights: options.halves }),
      ...[...writes(`vec4<${matrices.half}>`, { result: options.out }), ...writes("vec4f", { parts: options.parts })],
    ],
    constants: [options.weights, 0, options.sourceNorm, options.targetNorm],
    code: body(options, shape, staged),
    workgroups: [rowTiles(geometry, tile) * batch, geometry.target.channels / tile.channels, replicas],
  };
}

function body(options: MatrixConvolutionOptions, shape: Shape, staged: Staged): string {
  const { geometry, tile, batch, matrices, norms, stride, finish } = options;
  const { target, transposed, source } = geometry;
  const { layout, pixelGroups, threads, pitch } = shape;
  const tilesAcross = rowTiles(geometry, tile);
  const counts = transposed ? "counted" : "true";
  const products = productsOf(options, shape);
  return `
var<workgroup> xs: array<vec4<${matrices.half}>, ${Math.ceil((positionsOf(shape, tile) * pitch) / 4)}>;
var<workgroup> sums: array<vec4f, ${(threads / WARP) * QUADS}>;
${eachGroup(threads)}  let replica = group.z;
  let which = group.x / ${tilesAcross}u;
  let y0 = (group.x % ${tilesAcross}u) * ${tile.rows}u;
  let image = (replica * ${batch}u + which) * ${source.height * source.width}u;
  let counted = which < step.count;
  let warp = me / ${WARP}u;
  let lane = me % ${WARP}u;
  let pixelGroup = warp % ${pixelGroups}u;
  let channel = group.y * ${tile.channels}u + (warp / ${pixelGroups}u) * ${SIDE}u;
  let weightsAt = replica * ${stride}u + at[0].x;
  let sourceNorm = replica * ${norms.width}u + at[0].z;
  let table = replica * ${norms.width}u;
  let mine = channel + 4u * (lane % 4u);
${staged.declare}${staged.load()}${products.before}${staged.prepare}${finish.prepare(`table + at[0].w + mine`)}\
${layout.zeros === 0 ? "" : zeroEdges("xs", layout, pitch, threads, matrices)}${staged.store(counts)}\
${spots(options, layout, finish.load)}  workgroupBarrier();
${products.code}${leave(options, shape, target.channels)}}
`;
}

/** The number of a warp's tile t: plainly that, where one warp has them all. */
const tileNumber = ({ pixelTiles }: MatrixTile, { tiles }: Layout, t: number) =>
  tiles <= pixelTiles ? `${t}u` : `pixelGroup * ${pixelTiles}u + ${t}u`;

/** For every tile, parity and half of a tile that a thread sees: where its pixel is, and what is read there beforehand. */
function spots({ geometry, tile, batch }: MatrixConvolutionOptions, layout: Layout, load: Finish["load"]): string {
  const { target } = geometry;
  const double = layout.parities === 4;
  let code = "";
  for (let t = 0; t < tile.pixelTiles; t++) {
    for (let j = 0; j < 2; j++) {
      const { row, column, valid } = layout.pixel(tileNumber(tile, layout, t), `(lane / 4u + ${8 * j}u)`);
      const spot = `${t}_${j}`;
      const whole =
        layout.tiles % tile.pixelTiles === 0 ? "true" : `pixelGroup * ${tile.pixelTiles}u + ${t}u < ${layout.tiles}u`;
      code += `  let valid${spot} = ${valid === "true" ? whole : valid};
  let row${spot} = select(0u, y0 + ${row}, valid${spot});
  let column${spot} = select(0u, ${column}, valid${spot});
`;
      for (let parity = 0; parity < layout.parities; parity++) {
        const [y, x] = double
          ? [`(2u * row${spot} + ${parity >> 1}u)`, `(2u * column${spot} + ${parity & 1}u)`]
          : [`row${spot}`, `column${spot}`];
        code += `  let i${spot}_${parity} = (((replica * ${batch}u + which) * ${target.height}u + ${y}) * ${target.width}u + ${x}) * ${target.channels / 4}u + mine / 4u;
${load(`${spot}_${parity}`, { index: `i${spot}_${parity}`, y: `row${spot}`, x: `column${spot}`, parity })}`;
      }
    }
  }
  return code;
}

/** The products: of every tap and every 16 channels of the source, one a tile of pixels; `before`: reads long before they are needed. */
function productsOf(options: MatrixConvolutionOptions, { layout, depth, pitch }: Shape) {
  const { matrices, geometry, tile } = options;
  const { source, target, transposed } = geometry;
  /** In the order of additions: taps, and for each of them the source's channels, 16 at a time. */
  const each = (of: (tap: number, k: number) => number) =>
    layout.taps.flatMap((_, tap) => Array.from({ length: depth / SIDE }, (_, part) => of(tap, SIDE * part)));
  const perTap = transposed ? 1 : target.channels;
  const starts = each((tap, k) => tap * source.channels * target.channels + k * perTap);
  const places = matrices.table("places", starts);
  /** The weights of product k, as they lie: rows of the source's channels forward, of the target's back. */
  const weightsOf = (k: string) =>
    matrices.load(`w${k}`, transposed ? "left" : "right", {
      ...{ array: "weights", quads: false, order: "row" },
      stride: transposed ? source.channels : target.channels,
      offset: `weightsAt + ${places.at(k)} + channel${transposed ? ` * ${source.channels}u` : ""}`,
    });
  const looped = matrices.spelling === "written-out";
  const tiles = Array.from({ length: tile.pixelTiles }, (_, t) => t);
  const offsets = matrices.table(
    "offsets",
    each((tap, k) => (layout.taps[tap].offset * pitch + k) / 4),
  );
  const sums = tiles.map((t) =>
    matrices.table(
      `sums${t}`,
      each((tap) => t * layout.parities + layout.taps[tap].parity),
    ),
  );
  const bases = tiles.map((t) => `  let tile${t} = (${layout.tile(tileNumber(tile, layout, t))}) * ${pitch / 4}u;\n`);
  const products = matrices.repeat(starts.length, (k) => {
    const weights = weightsOf(k);
    const later = Number.parseInt(k, 10) + AHEAD;
    const read = looped ? weights.code : later < starts.length ? weightsOf(`${later}u`).code : "";
    const lines = tiles.map((t) => {
      const pixels = matrices.load(`p${k}_${t}`, transposed ? "right" : "left", {
        ...{ array: "xs", quads: true, stride: pitch, order: transposed ? "column" : "row" },
        offset: `tile${t} + ${offsets.at(k)}`,
      });
      const [left, right] = transposed ? [weights.loaded, pixels.loaded] : [pixels.loaded, weights.loaded];
      return `  ${pixels.code}  ${matrices.product(matrices.sum(sums[t].at(k)), left, right, orderOf(geometry))}`;
    });
    return `  ${read}${lines.join("")}`;
  });
  const declared = [offsets, ...sums].map((table) => table.declared);
  return {
    before: looped ? places.declared : matrices.repeat(Math.min(AHEAD, starts.length), (k) => `  ${weightsOf(k).code}`),
    code: `${[...bases, ...declared].join("")}${matrices.zeros(tiles.length * layout.parities)}${products}`,
  };
}

/** Every tile through memory to what is stored, and the sums that batch norm wants. */
function leave(
  { geometry, tile, matrices, finish, batch }: MatrixConvolutionOptions,
  { layout, pixelGroups }: Shape,
  channels: number,
): string {
  const order = orderOf(geometry);
  const quad = `vec4<${matrices.half}>`;
  let code = "  var first = vec4f();\n  var second = vec4f();\n";
  for (let t = 0; t < tile.pixelTiles; t++) {
    for (let parity = 0; parity < layout.parities; parity++) {
      code += `  ${matrices.store("sums", `warp * ${QUADS}u`, matrices.sum(`${t * layout.parities + parity}u`), order)}  workgroupBarrier();\n`;
      for (let j = 0; j < 2; j++) {
        const k = `${t}_${j}_${parity}`;
        code += `  if (valid${t}_${j}) {
    let v = ${finish.value(k, `sums[warp * ${QUADS}u + lane + ${(QUADS / 2) * j}u]`)};
    result[i${k}] = ${quad}(v);
    first += v;
    second += v * ${finish.second(k, "v")};
  }
`;
      }
      code += "  workgroupBarrier();\n";
    }
  }
  // A row of `sums` for every eighth of a warp's threads: first sums of all channels, then second ones.
  const half = tile.channels / 4;
  const width = 2 * half;
  const groups =
    pixelGroups === 1
      ? ""
      : `  var eight = vec4f();
  if (me < ${width * pixelGroups}u) {
    for (var k = 0u; k < 8u; k++) { eight += sums[(me / ${width}u * 8u + k) * ${width}u + me % ${width}u]; }
  }
  workgroupBarrier();
  if (me < ${width * pixelGroups}u) { sums[me] = eight; }
  workgroupBarrier();
`;
  return `${code}  if (!counted) { first = vec4f(); second = vec4f(); }
  let slot = (pixelGroup * 8u + lane / 4u) * ${width}u + mine % ${tile.channels}u / 4u;
  sums[slot] = first;
  sums[slot + ${half}u] = second;
  workgroupBarrier();
${groups}  if (me < ${width}u) {
    var all = vec4f();
    for (var k = 0u; k < ${pixelGroups === 1 ? 8 : pixelGroups}u; k++) { all += sums[k * ${width}u + me]; }
    let row = replica * ${rowTiles(geometry, tile) * batch}u + group.x;
    parts[(row * 2u + me / ${half}u) * ${channels / 4}u + group.y * ${half}u + me % ${half}u] = all;
  }
`;
}
