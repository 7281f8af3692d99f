/**
 * A batch for every replica from the data set on the device: normalised, and in training padded, cropped and flipped by the
 * CPU's random words. `order` holds, for each slot of steps and each row of orders, the numbers of the batch's images;
 * those that a short batch lacks repeat the first, and nothing that counts reads them.
 */

import type { Normalisation, Shape } from "@equitopo/nn";
import { streams } from "equitopo/random";
import { eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { philox } from "./philox.ts";
import { type LayerOptions, numbersOf, pixelsOf } from "./value.ts";

interface ImagesOptions extends Omit<LayerOptions, "norms"> {
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
  readonly augmentation: { readonly pad: number; readonly flip: boolean } | undefined;
  /** Four halves a pixel, all channels together, in place of float32 channel by channel: what a half is stored as. */
  readonly half?: { readonly type: "f16" | "f32"; readonly directives: string };
  readonly out: GPUBuffer;
  readonly labels: GPUBuffer;
}

export function images(options: ImagesOptions): Kernel {
  const { shape, bytes, orders, normalisation, augmentation, batch, half } = options;
  const { data, answers, order, replicaTable, out, labels } = options;
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
      : `  let words = randomWords(replica, ${streams.augmentation}u, n);
  line += i32(multiply(words.x, ${2 * augmentation.pad + 1}u).y) - ${augmentation.pad};
  ${augmentation.flip ? `if (words.z >= 0x80000000u) { column = ${width - 1} - column; }` : ""}
  column += i32(multiply(words.y, ${2 * augmentation.pad + 1}u).y) - ${augmentation.pad};
`;
  return eachPlace(options, {
    count: batch * pixels,
    ...(half === undefined ? {} : { directives: half.directives }),
    bindings: [
      ...reads(bytes ? "u32" : "f32", { data }),
      ...reads("u32", { answers, order }),
      ...reads("vec4u", { replicaTable }),
      ...writes(half === undefined ? "f32" : `vec4<${half.type}>`, { x: out }),
      ...writes("u32", { labels }),
    ],
    functions: `${augmentation === undefined ? "" : philox}fn number(i: u32) -> f32 { return ${read}; }\n`,
    lines: `  let p = id.x % ${pixels}u;
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
${half === undefined ? "" : `  x[(replica * ${batch}u + n) * ${pixels}u + p] = vec4<${half.type}>(pixel);\n`}`,
  });
}

/** A number as WGSL takes it for a float. */
function literal(value: number): string {
  const text = String(Math.fround(value));
  return /[.e]/.test(text) ? text : `${text}.0`;
}
