/**
 * The gradient of a convolution's weights,
 *   dw[ky, kx, i, o] = sum over images and pixels of x[oy s + ky - p, ox s + kx - p, i] dy[oy, ox, o].
 *
 * A workgroup sums `images` images of one replica for `inputs` x `outputs` channels, `rows` rows at a time: x goes to
 * workgroup memory four pixels a quad, dy four channels a quad (first, fifth, ninth ... pixel of a row side by side, then
 * second, sixth ...: whole quads of pixels are read, and neighbouring threads write neighbouring quads). A thread keeps all
 * taps of one input x four outputs in registers and slides along its part of a row; groups of threads share the pixels and
 * add up at the end, in a fixed order. Each group of images writes its own part; another kernel sums them (row.ts).
 */

import { eachGroup, type Kernel, writes } from "../device/program.ts";
import { type ConvolutionOptions, each, type Geometry, loadColumns, stagePixels } from "./convolution.ts";
import { type LayerOptions, lanes, numbersOf, type Part, pixelsOf, rowElement } from "./value.ts";

export interface WeightTile {
  readonly inputs: number;
  readonly outputs: number;
  readonly rows: number;
  readonly images: number;
  /** Parts of a row that different threads slide along. */
  readonly segments: number;
  /** Rows that different threads take. */
  readonly rowGroups: number;
}

type Shared = keyof LayerOptions | "geometry" | "source" | "out" | "sourceNorm" | "targetNorm";

/** The geometry is that of the forward convolution, and so is the source: x. */
export interface WeightGradientOptions extends Pick<ConvolutionOptions, Shared> {
  readonly tile: WeightTile;
  /** `fn slope(i, c)`: dy, as many pixels at a time as rows allow. */
  readonly slope: Part;
}

function layoutOf({ source, target, kernel, stride, pad }: Geometry, tile: WeightTile) {
  const sourceRows = (tile.rows - 1) * stride + kernel;
  const over = Math.max(pad, (target.width - 1) * stride + kernel - 1 - pad - (source.width - 1), 0);
  const lead = Math.ceil(over / 4);
  const quads = Math.ceil(source.width / 4);
  const pitch = quads + lead;
  const odd = (size: number) => size + 1 - (size % 2);
  const targetQuads = Math.ceil(target.width / 4);
  // Odd distances between channels spread them over the banks of workgroup memory.
  return {
    ...{ sourceRows, lead, quads, pitch, targetQuads },
    plane: odd(sourceRows * pitch),
    slopePlane: odd(tile.rows * targetQuads * 4),
  };
}

export function weightCostOf(geometry: Geometry, tile: WeightTile) {
  const { plane, slopePlane, lead } = layoutOf(geometry, tile);
  const teams = tile.segments * tile.rowGroups;
  const threads = tile.inputs * (tile.outputs / 4) * teams;
  // What x took is free when the teams' sums are added up.
  const xs = Math.max(2 * lead + tile.inputs * plane + 4, teams > 1 ? threads : 0);
  return { threads, xs, bytes: 16 * (xs + (tile.outputs / 4) * slopePlane + 4) };
}

export const weightParts = (batch: number, { images }: WeightTile) => Math.ceil(batch / images);

export function weightGradient(options: WeightGradientOptions): Kernel {
  const { geometry, tile, replicas, batch, source, slope } = options;
  const inputTiles = Math.ceil(geometry.source.channels / tile.inputs);
  const outputTiles = Math.ceil(geometry.target.channels / tile.outputs);
  return {
    label: options.label,
    bindings: [...source.bindings, ...slope.bindings, ...writes("f32", { parts: options.out })],
    constants: [options.sourceNorm, options.targetNorm],
    code: source.code + slope.code + body(options, inputTiles),
    workgroups: [weightParts(batch, tile), inputTiles * outputTiles, replicas],
  };
}

function body({ geometry, tile, batch, norms }: WeightGradientOptions, inputTiles: number): string {
  const { source, target, kernel, stride, pad } = geometry;
  const { threads, xs } = weightCostOf(geometry, tile);
  const { sourceRows, lead, quads, pitch, plane, slopePlane, targetQuads } = layoutOf(geometry, tile);
  const taps = kernel * kernel;
  const outs = tile.outputs / 4;
  const teams = tile.segments * tile.rowGroups;
  const team = threads / teams;
  const parts = weightParts(batch, tile);
  const size = taps * source.channels * target.channels;
  const perSegment = Math.ceil(targetQuads / tile.segments);
  return `
var<workgroup> xs: array<vec4f, ${xs}>;
var<workgroup> ds: array<vec4f, ${outs * slopePlane + 4}>;
${eachGroup(threads)}  let replica = group.z;
  let image0 = group.x * ${tile.images}u;
  let input0 = (group.y % ${inputTiles}u) * ${tile.inputs}u;
  let output0 = (group.y / ${inputTiles}u) * ${tile.outputs}u;
  let sourceNorm = replica * ${norms.width}u + at[0].x;
  let targetNorm = replica * ${norms.width}u + at[0].y;
  let mine = me % ${team}u;
  let teamNumber = me / ${team}u;
  let out4 = mine % ${outs}u;
  let input = mine / ${outs}u;
  let segment = teamNumber % ${tile.segments}u;
  let firstRow = teamNumber / ${tile.segments}u;
  for (var i = me; i < ${xs}u; i += ${threads}u) { xs[i] = vec4f(); }
  workgroupBarrier();
${each(taps, (a) => `  var a${a} = vec4f();\n`)}
  let lastImage = min(image0 + ${tile.images}u, step.count);
  for (var image = image0; image < lastImage; image++) {
    for (var y0 = 0u; y0 < ${target.height}u; y0 += ${tile.rows}u) {
      for (var i = me; i < ${tile.inputs * sourceRows * quads}u; i += ${threads}u) {
        let q = i % ${quads}u;
        let line = (i / ${quads}u) % ${sourceRows}u;
        let c = i / ${quads * sourceRows}u;
        let iy = i32(y0 * ${stride}u + line) - ${pad};
        var v = vec4f();
        if (iy >= 0 && iy < ${source.height} && input0 + c < ${source.channels}u) {
          let first = (((replica * ${batch}u + image) * ${source.channels}u + input0 + c) * ${source.height}u + u32(iy)) * ${source.width}u + 4u * q;
          let norm = sourceNorm + input0 + c;
${stagePixels(source, "          ")}
        }
        xs[${lead}u + c * ${plane}u + line * ${pitch}u + q] = v;
      }
${stageSlopes(geometry, tile, batch, threads)}
      workgroupBarrier();
      for (var line = firstRow; line < ${tile.rows}u; line += ${tile.rowGroups}u) {
        let end = min(segment * ${perSegment}u + ${perSegment}u, ${targetQuads}u);
        for (var q = segment * ${perSegment}u; q < end; q++) {
          let d = out4 * ${slopePlane}u + line * ${targetQuads * 4}u + q;
          let d0 = ds[d]; let d1 = ds[d + ${targetQuads}u]; let d2 = ds[d + ${2 * targetQuads}u]; let d3 = ds[d + ${3 * targetQuads}u];
${products(geometry, plane, pitch, lead)}
        }
      }
      workgroupBarrier();
    }
  }
  let to = (replica * ${parts}u + group.x) * ${size}u;
${each(taps, (tap) => store(tap, geometry, teams, team))}
}
`;
}

/** ds <- `rows` rows of dy from y0 on. */
function stageSlopes(geometry: Geometry, tile: WeightTile, batch: number, threads: number): string {
  const { target } = geometry;
  const { slopePlane, targetQuads } = layoutOf(geometry, tile);
  const step = lanes(rowElement(target));
  const steps = (4 * targetQuads) / step;
  const load = (k: number) => {
    const index = `first + (o + ${k}u) * ${pixelsOf(target)}u`;
    const value = `slope(${step === 4 ? `(${index}) / 4u` : index}, targetNorm + o + ${k}u)`;
    return `          if (o + ${k}u < ${target.channels}u) { v${k} = ${value}; }\n`;
  };
  const stores =
    step === 4
      ? [..."xyzw"].map((p, j) => `        ds[to + ${j * targetQuads}u] = vec4f(v0.${p}, v1.${p}, v2.${p}, v3.${p});\n`)
      : [`        ds[to + (x % 4u) * ${targetQuads}u + x / 4u] = vec4f(v0, v1, v2, v3);\n`];
  return `      for (var i = me; i < ${(tile.outputs / 4) * tile.rows * steps}u; i += ${threads}u) {
        let x = i % ${steps}u;
        let line = (i / ${steps}u) % ${tile.rows}u;
        let q = i / ${steps * tile.rows}u;
        ${[0, 1, 2, 3].map((k) => `var v${k} = ${rowElement(target)}();`).join(" ")}
        if (${step === 4 ? "" : `x < ${target.width}u && `}y0 + line < ${target.height}u) {
          let first = (replica * ${batch}u + image) * ${numbersOf(target)}u + (y0 + line) * ${target.width}u + ${step}u * x;
          let o = output0 + 4u * q;
${each(4, load)}        }
        let to = q * ${slopePlane}u + line * ${targetQuads * 4}u${step === 4 ? " + x" : ""};
${stores.join("")}      }`;
}

/** Four pixels of one row against all taps of the thread's input. */
function products({ kernel, stride, pad }: Geometry, plane: number, pitch: number, lead: number): string {
  const columns = Array.from({ length: 3 * stride + kernel }, (_, k) => k - pad);
  const { code: loads, named } = loadColumns(columns);
  let code = "";
  for (let ky = 0; ky < kernel; ky++) {
    code += `          {
        let b = ${lead}u + input * ${plane}u + (line * ${stride}u + ${ky}u) * ${pitch}u + ${stride}u * q;
${loads}`;
    for (let kx = 0; kx < kernel; kx++) {
      const a = ky * kernel + kx;
      for (let j = 0; j < 4; j++)
        code += `        a${a} = fma(vec4f(${named(j * stride + kx - pad)}), d${j}, a${a});\n`;
    }
    code += "          }\n";
  }
  return code;
}

/** A tap's register, summed over the teams, to its place among the weights. */
function store(tap: number, { source, target }: Geometry, teams: number, team: number): string {
  const gathered =
    teams === 1
      ? ""
      : `  xs[me] = a${tap};
  workgroupBarrier();
  if (teamNumber == 0u) { for (var k = 1u; k < ${teams}u; k++) { a${tap} += xs[me + k * ${team}u]; } }
  workgroupBarrier();
`;
  const write = (k: number) =>
    `    if (o + ${k}u < ${target.channels}u) { parts[w + ${k}u] = a${tap}.${"xyzw"[k]}; }\n`;
  return `${gathered}  if (teamNumber == 0u && input0 + input < ${source.channels}u) {
    let o = output0 + 4u * out4;
    let w = to + (${tap * source.channels}u + input0 + input) * ${target.channels}u + o;
${each(4, write)}  }
`;
}
