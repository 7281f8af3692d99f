/**
 * A batch for every replica from the data set on the device: normalised, and in training padded, cropped and flipped by the
 * CPU's random words. `order` holds, for each slot of steps and each row of orders, the numbers of the batch's images;
 * those that a short batch lacks repeat the first, and nothing that counts reads them.
 */

import type { Normalisation, Shape } from "@equitopo/nn";
import type { Kernel } from "../device/program.ts";
import { philox } from "./philox.ts";
import { numbersOf, pixelsOf } from "./value.ts";

export interface ImagesOptions {
  readonly label: string;
  readonly shape: Shape;
  /** The data set's numbers, bytes four to a word or single floats, and its labels. */
  readonly data: GPUBuffer;
  readonly bytes: boolean;
  readonly answers: GPUBuffer;
  readonly order: GPUBuffer;
  /** Rows of orders in a slot. */
  readonly orders: number;
  readonly replicaTable: GPUBuffer;
  readonly normalisation: Normalisation | undefined;
  readonly augmentation: { readonly pad: number; readonly flip: boolean; readonly stream: number } | undefined;
  /** Four halves a pixel, all channels together, in place of float32 channel by channel: what a half is stored as. */
  readonly half?: { readonly type: "f16" | "f32"; readonly directives: string };
  readonly out: GPUBuffer;
  readonly labels: GPUBuffer;
  readonly replicas: number;
  readonly batch: number;
}

const THREADS = 128;

export function images(options: ImagesOptions): Kernel {
  const { shape, bytes, orders, normalisation, augmentation, batch, replicas, half } = options;
  const { width, height, channels } = shape;
  const pixels = pixelsOf(shape);
  const unit = bytes ? 1 / 255 : 1;
  const deviation = (c: number) => normalisation?.deviation[c] ?? 1;
  const list = (of: (c: number) => number) =>
    `array<f32, ${channels}>(${Array.from({ length: channels }, (_, c) => literal(of(c))).join(", ")})`;
  const read = bytes ? "f32((data[i / 4u] >> (8u * (i % 4u))) & 255u)" : "data[i]";
  const moved =
    augmentation === undefined
      ? ""
      : `  let words = randomWords(replica, ${augmentation.stream}u, n);
  line += i32(multiply(words.x, ${2 * augmentation.pad + 1}u).y) - ${augmentation.pad};
  ${augmentation.flip ? `if (words.z >= 0x80000000u) { column = ${width - 1} - column; }` : ""}
  column += i32(multiply(words.y, ${2 * augmentation.pad + 1}u).y) - ${augmentation.pad};
`;
  return {
    label: options.label,
    ...(half === undefined ? {} : { directives: half.directives }),
    bindings: [
      { name: "data", type: bytes ? "u32" : "f32", buffer: options.data },
      { name: "answers", type: "u32", buffer: options.answers },
      { name: "order", type: "u32", buffer: options.order },
      { name: "replicaTable", type: "vec4u", buffer: options.replicaTable },
      { name: "x", type: half === undefined ? "f32" : `vec4<${half.type}>`, buffer: options.out, write: true },
      { name: "labels", type: "u32", buffer: options.labels, write: true },
    ],
    code: `${augmentation === undefined ? "" : philox}fn number(i: u32) -> f32 { return ${read}; }
@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${batch * pixels}u) { return; }
  let replica = id.z;
  let p = id.x % ${pixels}u;
  let n = id.x / ${pixels}u;
  let row = replicaTable[2u * replica].w;
  let which = order[(step.slot * ${orders}u + row) * ${batch}u + n];
  if (p == 0u) { labels[replica * ${batch}u + n] = answers[which]; }
  var line = i32(p / ${width}u);
  var column = i32(p % ${width}u);
${moved}  let inside = line >= 0 && line < ${height} && column >= 0 && column < ${width};
  var scale = ${list((c) => unit / deviation(c))};
  var shift = ${list((c) => -(normalisation?.mean[c] ?? 0) / deviation(c))};
${half === undefined ? "" : "  var pixel = vec4f();\n"}  for (var c = 0u; c < ${channels}u; c++) {
    var v = shift[c];
    if (inside) {
      v += number(which * ${numbersOf(shape)}u + (u32(line) * ${width}u + u32(column)) * ${channels}u + c) * scale[c];
    }
    ${half === undefined ? `x[((replica * ${batch}u + n) * ${channels}u + c) * ${pixels}u + p] = v` : "pixel[c] = v"};
  }
${half === undefined ? "" : `  x[(replica * ${batch}u + n) * ${pixels}u + p] = vec4<${half.type}>(pixel);\n`}}
`,
    workgroups: [Math.ceil((batch * pixels) / THREADS), 1, replicas],
  };
}

/** A number as WGSL takes it for a float. */
function literal(value: number): string {
  const text = String(Math.fround(value));
  return /[.e]/.test(text) ? text : `${text}.0`;
}
