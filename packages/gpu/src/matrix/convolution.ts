/**
 * 3 x 3 convolutions as products of matrices, forward and back (the formulas: shader/convolution.ts). A workgroup makes
 * `rows` rows of the grid (layout.ts) of one image of one replica, in `channels` channels; a warp has `pixelTiles` x one tile
 * of 16 pixels x 16 channels in its registers. Weights are read where they lie, as halves, always along their rows:
 *   forward:  pixels x weights,      16 x in times in x out;
 *   back:     weights x pixels,      in x out times out x 16, stored the other way round.
 * Sums leave through one tile of f32 a warp, where a thread sees four channels of two pixels: what is stored of them, and
 * what their batch norm sums over them (finish.ts), leaves from there.
 */

import type { Kernel } from "../device/program.ts";
import type { Norms, Value } from "../shader/value.ts";
import type { Finish } from "./finish.ts";
import { type Layout, layoutOf, type MatrixGeometry } from "./layout.ts";
import { type Matrices, SIDE, WARP } from "./matrix.ts";
import type { Reader } from "./reader.ts";
import { type Staged, staging, zeroEdges } from "./staging.ts";
import { STEM, stemLayout, stemStaging } from "./stem.ts";

/** Sizes of a workgroup's work: they decide the speed, and the order of additions. */
export interface MatrixTile {
  /** Rows of the grid, a divisor of its height. */
  readonly rows: number;
  /** Tiles of 16 pixels of a warp. */
  readonly pixelTiles: number;
  readonly channels: number;
  /** Halves between positions that no channel uses: against conflicts of memory banks. */
  readonly padding: number;
  /** How many products ahead weights are read: reading them takes longer than multiplying. */
  readonly ahead: number;
}

export interface MatrixConvolutionOptions {
  readonly label: string;
  readonly matrices: Matrices;
  readonly geometry: MatrixGeometry;
  readonly tile: MatrixTile;
  readonly replicas: number;
  readonly batch: number;
  readonly norms: Norms;
  /** What is read: a value or a gradient by a reader, or the images themselves. */
  readonly source: Reader | { readonly images: Value };
  readonly finish: Finish;
  /** Rows of weights as halves, so many apart. */
  readonly halves: GPUBuffer;
  readonly stride: number;
  readonly out: GPUBuffer;
  /** Where sums for batch norm go, a row a workgroup. */
  readonly parts: GPUBuffer;
  readonly weights: number;
  readonly sourceNorm: number;
  readonly targetNorm: number;
}

/** Workgroups that share an image. */
export const rowTiles = (geometry: MatrixGeometry, { rows }: MatrixTile) => {
  const { height } = geometry.stride === 2 && geometry.transposed ? geometry.source : geometry.target;
  return height / rows;
};

/** Four numbers each: a matrix in memory. */
const QUADS = (SIDE * SIDE) / 4;

/** Back, channels are a product's rows; in memory they always follow each other. */
const orderOf = ({ transposed }: MatrixGeometry) => (transposed ? "column" : "row");

interface Shape {
  readonly layout: Layout;
  readonly pixelGroups: number;
  readonly threads: number;
  /** Channels of a position, and with padding. */
  readonly depth: number;
  readonly pitch: number;
}

function shapeOf(geometry: MatrixGeometry, tile: MatrixTile): Shape {
  const stem = geometry.source.channels < SIDE;
  const layout = (stem ? stemLayout : layoutOf)(geometry, tile.rows);
  const depth = stem ? STEM : geometry.source.channels;
  const pixelGroups = Math.ceil(layout.tiles / tile.pixelTiles);
  const threads = pixelGroups * (tile.channels / SIDE) * WARP;
  return { layout, pixelGroups, threads, depth, pitch: depth + tile.padding };
}

/** Positions that matrices may touch: tiles that a warp has too many included. */
function positionsOf({ layout, pixelGroups }: Shape, { pixelTiles }: MatrixTile): number {
  return layout.positions + (pixelGroups * pixelTiles - layout.tiles) * (layout.pitch + SIDE);
}

export function matrixCostOf(geometry: MatrixGeometry, tile: MatrixTile) {
  const shape = shapeOf(geometry, tile);
  return {
    threads: shape.threads,
    bytes: 2 * positionsOf(shape, tile) * shape.pitch + 4 * SIDE * SIDE * (shape.threads / WARP),
  };
}

export function matrixConvolution(options: MatrixConvolutionOptions): Kernel {
  const { geometry, tile, replicas, batch, matrices, source, finish } = options;
  const shape = shapeOf(geometry, tile);
  const { staged, bindings } = stagedOf(options, shape);
  const quad = `vec4<${matrices.half}>`;
  return {
    label: options.label,
    directives: matrices.directives,
    bindings: [
      ...("images" in source ? bindings : source.bindings),
      ...finish.bindings,
      { name: "weights", type: matrices.half, buffer: options.halves },
      { name: "result", type: quad, buffer: options.out, write: true },
      { name: "parts", type: "vec4f", buffer: options.parts, write: true },
    ],
    constants: [options.weights, 0, options.sourceNorm, options.targetNorm],
    code: body(options, shape, staged),
    workgroups: [rowTiles(geometry, tile) * batch, geometry.target.channels / tile.channels, replicas],
  };
}

function stagedOf({ geometry, tile, source, matrices }: MatrixConvolutionOptions, shape: Shape) {
  const { layout, depth, pitch, threads } = shape;
  if ("images" in source) {
    const staged = stemStaging(source.images, "xs", tile.rows, pitch, threads, matrices);
    return { staged: staged as Staged, bindings: staged.bindings };
  }
  const { width, height } = geometry.source;
  return {
    staged: staging(
      {
        ...{ array: "xs", reader: source, width, height, channels: depth, staged: depth, first: "0u", pitch, threads },
        ...{ rows: layout.sourceRows, firstRow: layout.firstRow, place: layout.place, entry: "sourceNorm", once: true },
      },
      matrices,
    ),
    bindings: [],
  };
}

function body(options: MatrixConvolutionOptions, shape: Shape, staged: Staged): string {
  const { geometry, tile, batch, matrices, norms, stride, finish } = options;
  const { target, transposed, source } = geometry;
  const { layout, pixelGroups, threads, pitch } = shape;
  const tilesAcross = rowTiles(geometry, tile);
  const counts = transposed ? "counted" : "true";
  const products = new Products(options, shape);
  return `
var<workgroup> xs: array<vec4<${matrices.half}>, ${Math.ceil((positionsOf(shape, tile) * pitch) / 4)}>;
var<workgroup> sums: array<vec4f, ${(threads / WARP) * QUADS}>;
@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
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
${staged.declare}${staged.load()}${products.before()}${staged.prepare}${finish.prepare(`table + at[0].w + mine`)}\
${layout.zeros === 0 ? "" : zeroEdges("xs", layout, pitch, threads, matrices)}${staged.store(counts)}\
${spots(options, layout, finish.load)}  workgroupBarrier();
${products.code()}${leave(options, shape, target.channels)}}
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

/** The products: of every tap and every 16 channels of the source, one a tile of pixels. */
class Products {
  readonly #options: MatrixConvolutionOptions;
  readonly #shape: Shape;
  readonly #count: number;
  readonly #places: ReturnType<Matrices["table"]>;

  constructor(options: MatrixConvolutionOptions, shape: Shape) {
    const { source, target, transposed } = options.geometry;
    const perTap = transposed ? 1 : target.channels;
    this.#options = options;
    this.#shape = shape;
    const places = this.#each((tap, k) => tap * source.channels * target.channels + k * perTap);
    this.#count = places.length;
    this.#places = options.matrices.table("places", places);
  }

  /** In the order of additions: taps, and for each of them the source's channels, 16 at a time. */
  #each(of: (tap: number, k: number) => number): number[] {
    const { layout, depth } = this.#shape;
    return layout.taps.flatMap((_, tap) => Array.from({ length: depth / SIDE }, (_, tile) => of(tap, SIDE * tile)));
  }

  /** The weights of product k, as they lie: rows of the source's channels forward, of the target's back. */
  #weights(k: string) {
    const { matrices, geometry } = this.#options;
    const { source, target, transposed } = geometry;
    const name = `w${k}`;
    return matrices.load(name, transposed ? "left" : "right", {
      ...{ array: "weights", quads: false, order: "row" },
      stride: transposed ? source.channels : target.channels,
      offset: `weightsAt + ${this.#places.at(k)} + channel${transposed ? ` * ${source.channels}u` : ""}`,
    });
  }

  get #looped(): boolean {
    return this.#options.matrices.spelling === "written-out";
  }

  /** Reads of the first weights, long before they are needed. */
  before(): string {
    const { matrices, tile } = this.#options;
    if (this.#looped) return this.#places.declared;
    return matrices.repeat(Math.min(tile.ahead, this.#count), (k) => `  ${this.#weights(k).code}`);
  }

  code(): string {
    const { matrices, geometry, tile } = this.#options;
    const { layout, pitch } = this.#shape;
    const { transposed } = geometry;
    const tiles = Array.from({ length: tile.pixelTiles }, (_, t) => t);
    const offsets = matrices.table(
      "offsets",
      this.#each((tap, k) => (layout.taps[tap].offset * pitch + k) / 4),
    );
    const sums = tiles.map((t) =>
      matrices.table(
        `sums${t}`,
        this.#each((tap) => t * layout.parities + layout.taps[tap].parity),
      ),
    );
    const bases = tiles.map((t) => `  let tile${t} = (${layout.tile(tileNumber(tile, layout, t))}) * ${pitch / 4}u;\n`);
    const products = matrices.repeat(this.#count, (k) => {
      const weights = this.#weights(k);
      const later = Number.parseInt(k, 10) + tile.ahead;
      const read = this.#looped ? weights.code : later < this.#count ? this.#weights(`${later}u`).code : "";
      return `  ${read}${tiles
        .map((t) => {
          const pixels = matrices.load(`p${k}_${t}`, transposed ? "right" : "left", {
            ...{ array: "xs", quads: true, stride: pitch, order: transposed ? "column" : "row" },
            offset: `tile${t} + ${offsets.at(k)}`,
          });
          const [left, right] = transposed ? [weights.loaded, pixels.loaded] : [pixels.loaded, weights.loaded];
          return `  ${pixels.code}  ${matrices.product(matrices.sum(sums[t].at(k)), left, right, orderOf(geometry))}`;
        })
        .join("")}`;
    });
    const declared = [offsets, ...sums].map((table) => table.declared);
    return `${[...bases, ...declared].join("")}${matrices.zeros(tiles.length * layout.parities)}${products}`;
  }
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
