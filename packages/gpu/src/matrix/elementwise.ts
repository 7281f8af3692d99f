/**
 * What is done number by number over halves, [replica][image][pixel][channel]: the sum of a residual block, the mean over all
 * pixels and its gradient, and rounding rows of parameters to halves. A thread has four channels of several pixels.
 */

import type { Kernel } from "../device/program.ts";
import { gradientOf, type Norms, numbersOf, pixelsOf, type Value } from "../shader/value.ts";
import { type HalfValue, normOf } from "./finish.ts";
import type { Matrices } from "./matrix.ts";
import { component, fourEntries, valueReader } from "./reader.ts";

export interface HalfOptions {
  readonly label: string;
  readonly matrices: Matrices;
  readonly norms: Norms;
  readonly replicas: number;
  readonly batch: number;
}

const THREADS = 128;

/** Quads of a thread. */
const QUADS = 4;

/** h = max(0, main + shortcut(x)): x itself, or every second pixel with its channels moved up by half of the new ones. */
export function mergeHalves(options: HalfOptions & { main: Value; x: HalfValue; out: HalfValue }): Kernel {
  const { main, x, out, norms, replicas, batch, matrices } = options;
  const { shape } = out;
  const quads = shape.channels / 4;
  const size = (batch * numbersOf(shape)) / 4;
  const same = x.shape.channels === shape.channels;
  const front = (shape.channels - x.shape.channels) / 2;
  const [readMain, readX] = [valueReader("main_", main, norms, matrices), valueReader("x_", x, norms, matrices)];
  const ks = Array.from({ length: QUADS }, (_, k) => k);
  const index = (k: number) => `(replica * ${size}u + i${k})`;
  const source = (k: number) => {
    if (same) return index(k);
    const pixel = `(i${k} / ${quads}u)`;
    const [row, column] = [`(${pixel} / ${shape.width}u)`, `(${pixel} % ${shape.width}u)`];
    // Rows of all images follow each other, so that twice the row is the row of the source, whichever the image.
    return `((replica * ${batch * x.shape.height}u + 2u * ${row}) * ${x.shape.width}u + 2u * ${column}) * ${x.shape.channels / 4}u + from_`;
  };
  return {
    label: options.label,
    directives: matrices.storageDirectives,
    bindings: [
      ...readMain.bindings,
      ...readX.bindings,
      { name: "h", type: `vec4<${matrices.half}>`, buffer: out.y, write: true },
    ],
    constants: [main.norm ?? 0, x.norm ?? 0],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
  let quad = me % ${quads}u;
  let has = ${same ? "true" : `quad >= ${front / 4}u && quad < ${(front + x.shape.channels) / 4}u`};
  let from_ = select(0u, quad - ${same ? 0 : front / 4}u, has);
${ks.map((k) => `  let i${k} = min(group.x * ${THREADS * QUADS}u + ${k * THREADS}u + me, ${size - quads}u + quad);\n${readMain.declare(k)}${readX.declare(k)}`).join("")}\
${ks.map((k) => `  ${readMain.load(k, index(k))}\n  ${readX.load(k, source(k))}\n`).join("")}\
${readMain.prepare(`replica * ${norms.width}u + at[0].x + 4u * quad`)}${readX.prepare(`replica * ${norms.width}u + at[0].y + 4u * from_`)}\
${ks
  .map(
    (k) =>
      `  h[${index(k)}] = vec4<${matrices.half}>(max(vec4f(), ${readMain.value(k)} + select(vec4f(), ${readX.value(k)}, has)));\n`,
  )
  .join("")}}
`,
    workgroups: [Math.ceil(size / THREADS / QUADS), 1, replicas],
  };
}

/** The mean over all pixels, in float32 from there on. */
export function poolHalves(options: HalfOptions & { x: HalfValue; out: Value }): Kernel {
  const { x, out, norms, replicas, batch, matrices } = options;
  const quads = x.shape.channels / 4;
  const pixels = pixelsOf(x.shape);
  const read = valueReader("x_", x, norms, matrices);
  return {
    label: options.label,
    directives: matrices.storageDirectives,
    bindings: [...read.bindings, { name: "y", type: "vec4f", buffer: out.y, write: true }],
    constants: [x.norm ?? 0],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${batch * quads}u) { return; }
  let replica = id.z;
  let quad = id.x % ${quads}u;
  let first = (replica * ${batch}u + id.x / ${quads}u) * ${pixels * quads}u + quad;
${read.prepare(`replica * ${norms.width}u + at[0].x + 4u * quad`)}  var sum = vec4f();
  for (var k = 0u; k < ${pixels}u; k++) {
${read.declare(0)}    ${read.load(0, `first + k * ${quads}u`)}
    sum += ${read.value(0)};
  }
  y[replica * ${batch * quads}u + id.x] = sum * ${1 / pixels};
}
`,
    workgroups: [Math.ceil((batch * quads) / THREADS), 1, replicas],
  };
}

/** Workgroups of a replica in `poolGradient`: one an image. */
export const poolGroups = (batch: number) => batch;

/** Every pixel's share of the mean's gradient, times the loss's scale, where the ReLU let something pass; sums as in finish.ts. */
export function poolGradient(
  options: HalfOptions & { x: HalfValue; out: Value; parts: GPUBuffer; scale: number },
): Kernel {
  const { x, out, norms, replicas, batch, matrices, scale } = options;
  const { channels } = x.shape;
  const quads = channels / 4;
  const pixels = pixelsOf(x.shape);
  const lines = THREADS / quads;
  const quad = `vec4<${matrices.half}>`;
  const normed = normOf(x);
  const own = normed === x;
  return {
    label: options.label,
    directives: matrices.storageDirectives,
    bindings: [
      { name: "y", type: quad, buffer: normed.y },
      ...(own ? [] : [{ name: "h", type: quad, buffer: x.y }]),
      { name: "norms", type: "vec4f", buffer: norms.norms },
      { name: "above", type: "vec4f", buffer: gradientOf(out) },
      { name: "g", type: quad, buffer: gradientOf(x), write: true },
      { name: "parts", type: "f32", buffer: options.parts, write: true },
    ],
    constants: [normed.norm as number],
    code: `var<workgroup> sums: array<vec4f, ${2 * THREADS}>;
@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) me: u32) {
  let replica = group.z;
  let quad = me % ${quads}u;
  let image = replica * ${batch}u + group.x;
${fourEntries("n", "norms", `replica * ${norms.width}u + at[0].x + 4u * quad`)}  let mean = ${component("n", "x")};
  let scale = ${component("n", "y")};
  let shift = ${component("n", "z")};
  let d = above[image * ${quads}u + quad] * ${scale / pixels};
  var first = vec4f();
  var second = vec4f();
  for (var p = me / ${quads}u; p < ${pixels}u; p += ${lines}u) {
    let i = (image * ${pixels}u + p) * ${quads}u + quad;
    let centred = vec4f(y[i]) - mean;
    let v = select(vec4f(), d, ${own ? "centred * scale + shift" : "vec4f(h[i])"} > vec4f());
    g[i] = ${quad}(v);
    first += v;
    second += v * centred;
  }
  if (group.x >= step.count) { first = vec4f(); second = vec4f(); }
  sums[me] = first;
  sums[me + ${THREADS}u] = second;
  workgroupBarrier();
  for (var c = me; c < ${2 * channels}u; c += ${THREADS}u) {
    let at_ = (c / ${channels}u) * ${THREADS}u + (c % ${channels}u) / 4u;
    var all = 0.0;
    for (var k = 0u; k < ${lines}u; k++) { all += sums[at_ + k * ${quads}u][c % 4u]; }
    parts[image * ${2 * channels}u + c] = all;
  }
}
`,
    workgroups: [batch, 1, replicas],
  };
}

/** Rows of parameters as halves, `halfStride` apart. */
export function roundRows(options: {
  readonly label: string;
  readonly matrices: Matrices;
  readonly replicas: number;
  readonly stride: number;
  readonly halfStride: number;
  readonly x: GPUBuffer;
  readonly halves: GPUBuffer;
}): Kernel {
  const { matrices, replicas, stride, halfStride } = options;
  return {
    label: options.label,
    directives: matrices.storageDirectives,
    bindings: [
      { name: "x", type: "vec4f", buffer: options.x },
      { name: "halves", type: `vec4<${matrices.half}>`, buffer: options.halves, write: true },
    ],
    code: `@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${stride / 4}u) { return; }
  halves[id.z * ${halfStride / 4}u + id.x] = vec4<${matrices.half}>(x[id.z * ${stride / 4}u + id.x]);
}
`,
    workgroups: [Math.ceil(stride / 4 / THREADS), 1, replicas],
  };
}
