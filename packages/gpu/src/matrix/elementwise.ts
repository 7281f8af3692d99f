/**
 * What is done number by number over halves, [replica][image][pixel][channel]: the sum of a residual block, the mean over all
 * pixels and its gradient, and rounding rows of parameters to halves. A thread has four channels of several pixels.
 */

import { eachGroup, eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { eachQuad, type RowOptions } from "../shader/row.ts";
import { gradientOf, type LayerOptions, numbersOf, pixelsOf, type Value } from "../shader/value.ts";
import { type HalfValue, normOf } from "./finish.ts";
import type { Matrices } from "./matrix.ts";
import { component, fourEntries, valueReader } from "./reader.ts";

interface HalfOptions extends LayerOptions {
  readonly matrices: Matrices;
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
    bindings: [...readMain.bindings, ...readX.bindings, ...writes(`vec4<${matrices.half}>`, { h: out.y })],
    constants: [main.norm ?? 0, x.norm ?? 0],
    code: `${eachGroup(THREADS)}  let replica = group.z;
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
  const { x, out, norms, batch, matrices } = options;
  const quads = x.shape.channels / 4;
  const pixels = pixelsOf(x.shape);
  const read = valueReader("x_", x, norms, matrices);
  return eachPlace(options, {
    count: batch * quads,
    directives: matrices.storageDirectives,
    bindings: [...read.bindings, ...writes("vec4f", { y: out.y })],
    constants: [x.norm ?? 0],
    lines: `  let quad = id.x % ${quads}u;
  let first = (replica * ${batch}u + id.x / ${quads}u) * ${pixels * quads}u + quad;
${read.prepare(`replica * ${norms.width}u + at[0].x + 4u * quad`)}  var sum = vec4f();
  for (var k = 0u; k < ${pixels}u; k++) {
${read.declare(0)}    ${read.load(0, `first + k * ${quads}u`)}
    sum += ${read.value(0)};
  }
  y[replica * ${batch * quads}u + id.x] = sum * ${1 / pixels};
`,
  });
}

/** Every pixel's share of the mean's gradient, times the loss's scale, where the ReLU let something pass; sums as in finish.ts, a workgroup an image. */
export function poolGradient(
  options: HalfOptions & { x: HalfValue; out: Value; parts: GPUBuffer; scale: number },
): Kernel {
  const { x, out, norms, replicas, batch, matrices, scale, parts } = options;
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
      ...reads(quad, { y: normed.y, ...(own ? {} : { h: x.y }) }),
      ...reads("vec4f", { norms: norms.norms, above: gradientOf(out) }),
      ...[...writes(quad, { g: gradientOf(x) }), ...writes("f32", { parts })],
    ],
    constants: [normed.norm as number],
    code: `var<workgroup> sums: array<vec4f, ${2 * THREADS}>;
${eachGroup(THREADS)}  let replica = group.z;
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
export function roundRows(
  options: RowOptions & {
    readonly matrices: Matrices;
    readonly halfStride: number;
    readonly x: GPUBuffer;
    readonly halves: GPUBuffer;
  },
): Kernel {
  const { matrices, halfStride, x, halves } = options;
  const quad = `vec4<${matrices.half}>`;
  return eachQuad(options, {
    directives: matrices.storageDirectives,
    bindings: [...reads("vec4f", { x }), ...writes(quad, { halves })],
    lines: `  halves[replica * ${halfStride / 4}u + id.x] = ${quad}(x[i]);\n`,
  });
}
