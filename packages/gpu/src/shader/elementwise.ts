/**
 * What is done number by number: the sum of a residual block, max- and average-pooling, dropout; forward and back. The
 * index of an element says image, channel and pixel; a thread makes one element of one replica.
 */

import type { Shape } from "@equitopo/nn";
import type { Binding, Kernel } from "../device/program.ts";
import { philox } from "./philox.ts";
import {
  type Element,
  gradientOf,
  lanes,
  type Norms,
  numbersOf,
  type Part,
  passRelu,
  pixelsOf,
  planeElement,
  readGradient,
  readValue,
  type Value,
} from "./value.ts";

export interface ElementwiseOptions {
  readonly label: string;
  readonly norms: Norms;
  readonly replicas: number;
  readonly batch: number;
}

const THREADS = 128;

/** One thread an element of `shape`: `lines` see its index i in the replica's batch, n, c, p (in elements), and entries of tables. */
function overValue(
  { label, norms, replicas, batch }: ElementwiseOptions,
  shape: Shape,
  element: Element,
  bindings: readonly Binding[],
  constants: readonly number[],
  functions: string,
  lines: string,
): Kernel {
  const step = lanes(element);
  const size = (batch * numbersOf(shape)) / step;
  const plane = pixelsOf(shape) / step;
  return {
    ...{ label, bindings, constants },
    code: `${functions}@compute @workgroup_size(${THREADS})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ${size}u) { return; }
  let replica = id.z;
  let i = replica * ${size}u + id.x;
  let p = id.x % ${plane}u;
  let c = (id.x / ${plane}u) % ${shape.channels}u;
  let n = id.x / ${plane * shape.channels}u;
  let table = replica * ${norms.width}u;
${lines}}
`,
    workgroups: [Math.ceil(size / THREADS), 1, replicas],
  };
}

/** How a block's input becomes as large as its output: every stride-th pixel, its channels moved up by `front`. */
export interface Shortcut {
  readonly stride: number;
  readonly front: number;
}

export function shortcutOf(source: Shape, target: Shape): Shortcut | undefined {
  const stride = Math.round(source.height / target.height);
  const front = Math.floor((target.channels - source.channels) / 2);
  return stride === 1 && target.channels === source.channels ? undefined : { stride, front };
}

/** h = max(0, main + shortcut(x)). */
export function mergeBlock(options: ElementwiseOptions & { main: Value; x: Value; out: Value }): Kernel {
  const { main, x, out, norms, batch } = options;
  const shortcut = shortcutOf(x.shape, out.shape);
  const element = shortcut === undefined ? planeElement(out.shape) : "f32";
  const parts = [readValue("main_", main, norms, element), readValue("source", x, norms, element)];
  const { width } = out.shape;
  const added =
    shortcut === undefined
      ? "  v += source(i, table + at[0].y + c);\n"
      : `  let from_ = i32(c) - ${shortcut.front};
  if (from_ >= 0 && from_ < ${x.shape.channels}) {
    let pixel = (p / ${width}u) * ${shortcut.stride * x.shape.width}u + (p % ${width}u) * ${shortcut.stride}u;
    v += source((replica * ${batch}u + n) * ${numbersOf(x.shape)}u + u32(from_) * ${pixelsOf(x.shape)}u + pixel, table + at[0].y + u32(from_));
  }
`;
  return overValue(
    ...([options, out.shape, element] as const),
    [...parts.flatMap(({ bindings }) => bindings), { name: "h", type: element, buffer: out.y, write: true }],
    [main.norm ?? 0, x.norm ?? 0],
    parts.map(({ code }) => code).join(""),
    `  var v = main_(i, table + at[0].x + c);\n${added}  h[i] = max(v, ${element}());\n`,
  );
}

/**
 * `fn finish(i, c, v)` of a block's input: what came back through the block's layers, and what the shortcut hands back.
 * i is an element of the whole batch of all replicas.
 */
export function finishWithShortcut(x: Value, out: Value, norms: Norms, element: Element): Part {
  const relu = passRelu("pass_", x, norms, element);
  const shortcut = shortcutOf(x.shape, out.shape);
  const gradient = gradientOf(out);
  const head = `fn finish(i: u32, c: u32, v: ${element}) -> ${element}`;
  if (shortcut === undefined) {
    return {
      bindings: [...relu.bindings, { name: "above", type: element, buffer: gradient }],
      code: `${relu.code}${head} { return pass_(i, c, v + above[i]); }\n`,
    };
  }
  const { width } = x.shape;
  const { stride, front } = shortcut;
  const one = `fn back(i: u32) -> f32 {
  let p = i % ${pixelsOf(x.shape)}u;
  let y = p / ${width}u;
  let x = p % ${width}u;
  if (y % ${stride}u != 0u || x % ${stride}u != 0u) { return 0.0; }
  let plane = i / ${pixelsOf(x.shape)}u;
  let c = plane % ${x.shape.channels}u + ${front}u;
  let n = plane / ${x.shape.channels}u;
  return above[(n * ${out.shape.channels}u + c) * ${pixelsOf(out.shape)}u + (y / ${stride}u) * ${out.shape.width}u + x / ${stride}u];
}
`;
  const backs =
    element === "f32" ? "back(i)" : "vec4f(back(4u * i), back(4u * i + 1u), back(4u * i + 2u), back(4u * i + 3u))";
  return {
    bindings: [...relu.bindings, { name: "above", type: "f32", buffer: gradient }],
    code: `${relu.code}${one}${head} { return pass_(i, c, v + ${backs}); }\n`,
  };
}

/** `fn finish(i, c, v)` of a value with one reader: what passes its ReLU. */
export const finishPlain = (value: Value, norms: Norms, element: Element): Part =>
  passRelu("finish", value, norms, element);

/** What is stored as it is computed: going forward. */
export const finishForward = (element: Element): Part => ({
  bindings: [],
  code: `fn finish(i: u32, c: u32, v: ${element}) -> ${element} { return v; }\n`,
});

export interface Window {
  readonly size: number;
  readonly stride: number;
}

/** y = the largest of every window. */
export function maxPool(options: ElementwiseOptions & { x: Value; out: Value; window: Window }): Kernel {
  const { x, out, window, norms, batch } = options;
  const read = readValue("source", x, norms, "f32");
  return overValue(
    ...([options, out.shape, "f32"] as const),
    [...read.bindings, { name: "y", type: "f32", buffer: out.y, write: true }],
    [x.norm ?? 0],
    read.code,
    `  let first = (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + c * ${pixelsOf(x.shape)}u
    + (p / ${out.shape.width}u) * ${window.stride * x.shape.width}u + (p % ${out.shape.width}u) * ${window.stride}u;
  let norm = table + at[0].x + c;
  var best = source(first, norm);
  for (var tap = 1u; tap < ${window.size ** 2}u; tap++) {
    let v = source(first + (tap / ${window.size}u) * ${x.shape.width}u + tap % ${window.size}u, norm);
    if (v > best || v != v) { best = v; }
  }
  y[i] = best;
`,
  );
}

/** Every pixel takes the gradient of the windows whose first largest it is. */
export function maxPoolGradient(
  options: ElementwiseOptions & { x: Value; out: Value; window: Window; finish: Part },
): Kernel {
  const { x, out, window, norms, batch, finish } = options;
  const read = readValue("source", x, norms, "f32");
  const { size, stride } = window;
  const { width, height } = x.shape;
  return overValue(
    ...([options, x.shape, "f32"] as const),
    [
      ...read.bindings,
      ...finish.bindings,
      { name: "above_", type: "f32", buffer: gradientOf(out) },
      { name: "g", type: "f32", buffer: gradientOf(x), write: true },
    ],
    [x.norm ?? 0],
    read.code + finish.code,
    `  let plane = (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + c * ${height * width}u;
  let norm = table + at[0].x + c;
  let y = p / ${width}u;
  let x = p % ${width}u;
  var sum = 0.0;
  for (var ky = 0u; ky < ${size}u; ky++) {
    if (y < ky || (y - ky) % ${stride}u != 0u || (y - ky) / ${stride}u >= ${out.shape.height}u) { continue; }
    for (var kx = 0u; kx < ${size}u; kx++) {
      if (x < kx || (x - kx) % ${stride}u != 0u || (x - kx) / ${stride}u >= ${out.shape.width}u) { continue; }
      let first = plane + (y - ky) * ${width}u + x - kx;
      var best = source(first, norm);
      var where_ = 0u;
      for (var tap = 1u; tap < ${size * size}u; tap++) {
        let v = source(first + (tap / ${size}u) * ${width}u + tap % ${size}u, norm);
        if (v > best || v != v) { best = v; where_ = tap; }
      }
      if (where_ == ky * ${size}u + kx) {
        sum += above_[((replica * ${batch}u + n) * ${out.shape.channels}u + c) * ${pixelsOf(out.shape)}u
          + ((y - ky) / ${stride}u) * ${out.shape.width}u + (x - kx) / ${stride}u];
      }
    }
  }
  g[i] = finish(i, norm, sum);
`,
  );
}

/** The mean over all pixels. */
export function averagePool(options: ElementwiseOptions & { x: Value; out: Value }): Kernel {
  const { x, out, norms, batch } = options;
  const read = readValue("source", x, norms, "f32");
  const pixels = pixelsOf(x.shape);
  return overValue(
    ...([options, out.shape, "f32"] as const),
    [...read.bindings, { name: "y", type: "f32", buffer: out.y, write: true }],
    [x.norm ?? 0],
    read.code,
    `  let first = ((replica * ${batch}u + n) * ${x.shape.channels}u + c) * ${pixels}u;
  var sum = 0.0;
  for (var k = 0u; k < ${pixels}u; k++) { sum += source(first + k, table + at[0].x + c); }
  y[i] = sum * ${1 / pixels};
`,
  );
}

export function averagePoolGradient(options: ElementwiseOptions & { x: Value; out: Value; finish: Part }): Kernel {
  const { x, out, batch, finish } = options;
  return overValue(
    ...([options, x.shape, "f32"] as const),
    [
      ...finish.bindings,
      { name: "above_", type: "f32", buffer: gradientOf(out) },
      { name: "g", type: "f32", buffer: gradientOf(x), write: true },
    ],
    [x.norm ?? 0],
    finish.code,
    `  let d = above_[(replica * ${batch}u + n) * ${x.shape.channels}u + c] * ${1 / pixelsOf(x.shape)};
  g[i] = finish(i, table + at[0].x + c, d);
`,
  );
}

export interface Dropout {
  readonly rate: number;
  readonly channels: boolean;
  /** The first block of this layer in the dropout stream. */
  readonly block: number;
  readonly stream: number;
}

/**
 * `fn kept(n, c, p, replica) -> f32`: 0 or 1 / (1 - rate), from the CPU's random words: with m the number's place among
 * rows of whole quads of channels, word (m mod 16) / 4 of block 4 floor(m / 16) + m mod 4.
 */
function keptCode({ rate, channels, block, stream }: Dropout, shape: Shape): string {
  const pitch = Math.ceil(shape.channels / 4) * 4;
  const row = channels ? "n" : `n * ${pixelsOf(shape)}u + p`;
  return `${philox}fn kept(n: u32, c: u32, p: u32, replica: u32) -> f32 {
  let m = (${row}) * ${pitch}u + c;
  let words = randomWords(replica, ${stream}u, ${block}u + 4u * (m / 16u) + m % 4u);
  return select(0.0, ${1 / (1 - rate)}, words[(m % 16u) / 4u] >= ${Math.floor(rate * 4294967296)}u);
}
`;
}

export function dropout(
  options: ElementwiseOptions & { x: Value; out: Value; drop?: Dropout; replicaTable: GPUBuffer },
): Kernel {
  const { x, out, norms, drop } = options;
  const read = readValue("source", x, norms, "f32");
  return overValue(
    ...([options, out.shape, "f32"] as const),
    [
      ...read.bindings,
      ...(drop === undefined ? [] : [{ name: "replicaTable", type: "vec4u", buffer: options.replicaTable }]),
      { name: "y", type: "f32", buffer: out.y, write: true },
    ],
    [x.norm ?? 0],
    read.code + (drop === undefined ? "" : keptCode(drop, out.shape)),
    `  y[i] = source(i, table + at[0].x + c)${drop === undefined ? "" : " * kept(n, c, p, replica)"};\n`,
  );
}

export function dropoutGradient(
  options: ElementwiseOptions & { x: Value; out: Value; drop?: Dropout; replicaTable: GPUBuffer; finish: Part },
): Kernel {
  const { x, out, drop, finish, norms } = options;
  const above = readGradient("back_", out, norms, "f32");
  return overValue(
    ...([options, x.shape, "f32"] as const),
    [
      ...finish.bindings,
      ...above.bindings,
      ...(drop === undefined ? [] : [{ name: "replicaTable", type: "vec4u", buffer: options.replicaTable }]),
      { name: "g", type: "f32", buffer: gradientOf(x), write: true },
    ],
    [x.norm ?? 0, out.norm ?? 0],
    finish.code + above.code + (drop === undefined ? "" : keptCode(drop, x.shape)),
    `  let d = back_(i, table + at[0].y + c)${drop === undefined ? "" : " * kept(n, c, p, replica)"};
  g[i] = finish(i, table + at[0].x + c, d);
`,
  );
}
