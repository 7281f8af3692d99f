/**
 * The gradient of a 3 x 3 convolution's weights as products of matrices (the formula: shader/weight-gradient.ts): for every tap
 *   in x out  =  sum over pixels of (x at the tap)' dy,
 * 16 pixels at a time. A workgroup sums `images` images of one replica for `inputs` x `outputs` channels; a warp has all taps of
 * one 16 x 16 tile of channels in its registers. Rows are staged `rows` at a time, and the next ones are read while the
 * products of these are made. `pixelGroups` warps share the pixels of a tile and are added up at the end, in a fixed order.
 * A group of images, or half an image, writes its own part.
 */

import { eachGroup, type Kernel, writes } from "../device/program.ts";
import type { WeightTile } from "../shader/weight-gradient.ts";
import { layoutOf, type MatrixGeometry } from "./layout.ts";
import { QUADS, SIDE, WARP } from "./matrix.ts";
import type { Reader } from "./reader.ts";
import { type Staged, staging, zeroEdges } from "./staging.ts";
import { type MatrixOptions, STEM, sourceStaging, stemLayout } from "./stem.ts";

export interface MatrixWeightTile extends Pick<WeightTile, "rows" | "inputs" | "outputs"> {
  readonly pixelGroups: number;
  /** Images of a part; a half is half an image. */
  readonly images: number;
  readonly padding: number;
}

/** The geometry is that of the forward convolution. */
export interface MatrixWeightOptions extends MatrixOptions {
  readonly tile: MatrixWeightTile;
  readonly slope: Reader;
  /** Where this layer's parts begin in it. */
  readonly place: number;
}

type Shape = ReturnType<typeof shapeOf>;

function shapeOf(geometry: MatrixGeometry, tile: MatrixWeightTile) {
  const stem = geometry.source.channels < SIDE;
  const layout = (stem ? stemLayout : layoutOf)(geometry, tile.rows);
  // Tiles of inputs: the stem's two are sums of one warp.
  const inputTiles = stem ? 1 : tile.inputs / SIDE;
  return {
    ...{ stem, layout, inputTiles },
    threads: inputTiles * (tile.outputs / SIDE) * tile.pixelGroups * WARP,
    pitch: (stem ? STEM : tile.inputs) + tile.padding,
    slopePitch: tile.outputs + tile.padding,
    positions: layout.positions,
    slopePositions: layout.tiles * SIDE,
  };
}

export function matrixWeightCostOf(geometry: MatrixGeometry, tile: MatrixWeightTile) {
  const { stem, threads, positions, pitch, slopePositions, slopePitch } = shapeOf(geometry, tile);
  const sums = stem || tile.pixelGroups > 1 ? 16 * QUADS * (threads / WARP) : 0;
  return { threads, bytes: 2 * (positions * pitch + slopePositions * slopePitch) + sums };
}

export const matrixWeightParts = (batch: number, { images }: MatrixWeightTile) => Math.ceil(batch / images);

export function matrixWeightGradient(options: MatrixWeightOptions): Kernel {
  const { geometry, tile, replicas, batch, slope, matrices } = options;
  const shape = shapeOf(geometry, tile);
  const { pitch, threads } = shape;
  const how = { pitch, threads, staged: tile.inputs, first: "input0", once: false };
  const staged = sourceStaging(options, tile.rows, shape.layout, how);
  const inputs = shape.stem ? 1 : geometry.source.channels / tile.inputs;
  return {
    label: options.label,
    directives: matrices.directives,
    bindings: [...staged.bindings, ...slope.bindings, ...writes("vec4f", { parts: options.out })],
    constants: [options.sourceNorm, options.targetNorm, options.place],
    code: body(options, shape, staged, inputs),
    workgroups: [matrixWeightParts(batch, tile), inputs * (geometry.target.channels / tile.outputs), replicas],
  };
}

function body(options: MatrixWeightOptions, shape: Shape, staged: Staged, inputs: number): string {
  const { geometry, tile, batch, matrices, norms } = options;
  const { source, target } = geometry;
  const { layout, threads, pitch, slopePitch, positions, slopePositions } = shape;
  const { height, width } = target;
  const slopes = staging(
    {
      ...{ array: "ds", reader: options.slope, width, height, channels: target.channels, staged: tile.outputs },
      ...{ first: "output0", pitch: slopePitch, rows: tile.rows, firstRow: "i32(y0)", threads, entry: "targetNorm" },
      once: false,
      place: (row, x) => (width % SIDE === 0 ? `${row} * ${width}u + ${x}` : `${row} * ${layout.pitch}u + ${x}`),
    },
    matrices,
  );
  const chunks = height / tile.rows;
  const where = (chunk: string) => `    let which = (chunk0 + ${chunk}) / ${chunks}u;
    let y0 = ((chunk0 + ${chunk}) % ${chunks}u) * ${tile.rows}u;
    let base = replica * ${batch}u + min(which, ${batch - 1}u);
`;
  const load = (chunk: string) => `  {
${where(chunk)}    { let image = base * ${source.height * source.width}u;
${staged.load()}    }
    { let image = base * ${height * width}u;
${slopes.load()}    }
  }
`;
  const half = `vec4<${matrices.half}>`;
  return `
var<workgroup> xs: array<${half}, ${(positions * pitch) / 4}>;
var<workgroup> ds: array<${half}, ${(slopePositions * slopePitch) / 4}>;
var<workgroup> sums: array<vec4f, ${(threads / WARP) * QUADS}>;
${eachGroup(threads)}  let replica = group.z;
  let chunk0 = group.x * ${tile.images * chunks}u;
  let input0 = (group.y % ${inputs}u) * ${tile.inputs}u;
  let output0 = (group.y / ${inputs}u) * ${tile.outputs}u;
  let sourceNorm = replica * ${norms.width}u + at[0].x;
  let targetNorm = replica * ${norms.width}u + at[0].y;
  let warp = me / ${WARP}u;
  let pixelGroup = warp % ${tile.pixelGroups}u;
  let tile = warp / ${tile.pixelGroups}u;
  let input = (tile % ${shape.inputTiles}u) * ${SIDE}u;
  let output = (tile / ${shape.inputTiles}u) * ${SIDE}u;
${staged.declare}${slopes.declare}${load("0u")}${staged.prepare}${slopes.prepare}\
  for (var i = me; i < ${(slopePositions * slopePitch) / 4}u; i += ${threads}u) { ds[i] = ${half}(); }
${layout.zeros === 0 ? "" : zeroEdges("xs", layout, pitch, threads, matrices)}\
${matrices.zeros(accumulators(shape))}${offsetsOf(options, shape).declared}\
  let last = min(chunk0 + ${tile.images * chunks}u, step.count * ${chunks}u) - min(chunk0, step.count * ${chunks}u);
  workgroupBarrier();
  for (var chunk = 0u; chunk < last; chunk++) {
    {
${where("chunk")}${staged.store("true")}${slopes.store("true")}    }
    workgroupBarrier();
    if (chunk + 1u < last) {
${load("chunk + 1u")}    }
${products(options, shape)}    workgroupBarrier();
  }
${leave(options, shape)}}
`;
}

/** Sums of a warp: one a tap; the stem's taps are rows of two. */
const accumulators = ({ stem, layout }: Shape) => (stem ? STEM / SIDE : layout.taps.length);

/** How far from a pixel's own position each of them reads, in quads. */
const offsetsOf = ({ matrices }: MatrixWeightOptions, { stem, layout, pitch }: Shape) =>
  matrices.table(
    "offsets",
    stem ? [0, 1].map((a) => (SIDE * a) / 4) : layout.taps.map(({ offset }) => (offset * pitch) / 4),
  );

/** 16 pixels of the staged rows at a time, against all taps. */
function products(options: MatrixWeightOptions, shape: Shape): string {
  const { tile, matrices } = options;
  const { layout, pitch, slopePitch } = shape;
  const offsets = offsetsOf(options, shape);
  let code = "";
  for (let t = 0; t < layout.tiles; t += tile.pixelGroups) {
    const number = tile.pixelGroups === 1 ? `${t}u` : `(${t}u + pixelGroup)`;
    const slope = matrices.load("d", "right", {
      ...{ array: "ds", quads: true, stride: slopePitch, order: "row" },
      offset: `${number} * ${(SIDE * slopePitch) / 4}u + output / 4u`,
    });
    const guard = t + tile.pixelGroups > layout.tiles ? `if (${number} < ${layout.tiles}u) ` : "";
    const taps = matrices.repeat(accumulators(shape), (k) => {
      const pixels = matrices.load(`p${k}`, "left", {
        ...{ array: "xs", quads: true, stride: pitch, order: "column", offset: `from_ + ${offsets.at(k)}` },
      });
      return `    ${pixels.code}    ${matrices.product(matrices.sum(k), pixels.loaded, slope.loaded, "row")}`;
    });
    code += `    ${guard}{ let from_ = (${layout.tile(number)}) * ${pitch / 4}u + input / 4u; ${slope.code}${taps}    }\n`;
  }
  return code;
}

/** Every tap to the part of this group of images; where warps share a tile, through memory, where they are added up. */
function leave({ geometry, tile, batch, matrices }: MatrixWeightOptions, shape: Shape): string {
  const { source, target } = geometry;
  const { stem, threads, layout, inputTiles } = shape;
  const size = (stem ? 9 : layout.taps.length) * source.channels * target.channels;
  const row = target.channels / 4;
  const groups = tile.pixelGroups;
  const taps = matrices.repeat(accumulators(shape), (k) => {
    const first = stem ? `${k} * ${SIDE}u` : `${k} * ${source.channels}u + input0`;
    if (groups === 1 && !stem) {
      const place = `to + (${first} + input) * ${row}u + output / 4u`;
      return `  ${matrices.store("parts", place, matrices.sum(k), "row", target.channels)}`;
    }
    const inside = stem ? `if (${first} + r < ${9 * source.channels}u) ` : "";
    return `  ${matrices.store("sums", `warp * ${QUADS}u`, matrices.sum(k), "row")}  workgroupBarrier();
  for (var i = me; i < ${(threads / WARP / groups) * QUADS}u; i += ${threads}u) {
    let tile = i / ${QUADS}u;
    let r = ${stem ? "" : `(tile % ${inputTiles}u) * ${SIDE}u + `}(i % ${QUADS}u) / 4u;
    var sum = vec4f();
    for (var g = 0u; g < ${groups}u; g++) { sum += sums[(tile * ${groups}u + g) * ${QUADS}u + i % ${QUADS}u]; }
    ${inside}{ parts[to + (${first} + r) * ${row}u + tile / ${inputTiles}u * 4u + i % 4u] = sum; }
  }
  workgroupBarrier();
`;
  });
  return `  let to = (at[0].z + (replica * ${matrixWeightParts(batch, tile)}u + group.x) * ${size}u + output0) / 4u;
${taps}`;
}
