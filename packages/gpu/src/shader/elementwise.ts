/**
 * What is done number by number: the sum of a residual block, max- and average-pooling, dropout; forward and back. The
 * index of an element says image, channel and pixel; a thread makes one element of one replica.
 */

import type { Shape } from "@equitopo/nn";
import { streams } from "equitopo/random";
import { eachPlace, type Kernel, reads, writes } from "../device/program.ts";
import { philox } from "./philox.ts";
import type { Element, LayerOptions, Norms, Part, Value } from "./value.ts";
import {
  gradientOf,
  joined,
  lanes,
  numbersOf,
  passRelu,
  pixelsOf,
  planeElement,
  readGradient,
  readValue,
} from "./value.ts";

interface Between extends LayerOptions {
  readonly x: Value;
  readonly out: Value;
}

/** What is done to the elements of a value of this shape: what is read, where the results go (by name), which norms it refers to. */
interface Elementwise {
  readonly shape: Shape;
  readonly element?: Element;
  readonly parts: readonly Part[];
  readonly result: Readonly<Record<string, GPUBuffer>>;
  readonly normed: readonly Value[];
  /** They see the element's index i in all batches, n, c, p (in elements), and `table`, where the replica's tables begin. */
  readonly lines: string;
}

function overValue(options: LayerOptions, { shape, element = "f32", normed, lines, ...given }: Elementwise): Kernel {
  const { norms, batch } = options;
  const { bindings, code } = joined(...given.parts);
  const step = lanes(element);
  const size = (batch * numbersOf(shape)) / step;
  const plane = pixelsOf(shape) / step;
  return eachPlace(options, {
    count: size,
    bindings: [...bindings, ...writes(element, given.result)],
    constants: normed.map(({ norm = 0 }) => norm),
    functions: code,
    lines: `  let i = replica * ${size}u + id.x;
  let p = id.x % ${plane}u;
  let c = (id.x / ${plane}u) % ${shape.channels}u;
  let n = id.x / ${plane * shape.channels}u;
  let table = replica * ${norms.width}u;
${lines}`,
  });
}

/** How a block's input becomes as large as its output: every stride-th pixel, its channels moved up by `front`. */
function shortcutOf(source: Shape, target: Shape) {
  const stride = Math.round(source.height / target.height);
  const front = Math.floor((target.channels - source.channels) / 2);
  return stride === 1 && target.channels === source.channels ? undefined : { stride, front };
}

/** h = max(0, main + shortcut(x)). */
export function mergeBlock(options: Between & { main: Value }): Kernel {
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
  return overValue(options, {
    shape: out.shape,
    element,
    parts,
    result: { h: out.y },
    normed: [main, x],
    lines: `  var v = main_(i, table + at[0].x + c);\n${added}  h[i] = max(v, ${element}());\n`,
  });
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
    const code = `${head} { return pass_(i, c, v + above[i]); }\n`;
    return joined(relu, { bindings: reads(element, { above: gradient }), code });
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
  const code = `${one}${head} { return pass_(i, c, v + ${backs}); }\n`;
  return joined(relu, { bindings: reads("f32", { above: gradient }), code });
}

/** What is stored as it is computed: going forward. */
export const finishForward = (element: Element): Part => ({
  bindings: [],
  code: `fn finish(i: u32, c: u32, v: ${element}) -> ${element} { return v; }\n`,
});

/** The gradient of a layer's output, as `above_`. */
const above = (out: Value): Part => ({ bindings: reads("f32", { above_: gradientOf(out) }), code: "" });

export interface Window {
  readonly size: number;
  readonly stride: number;
}

/** y = the largest of every window. */
export function maxPool(options: Between & { window: Window }): Kernel {
  const { x, out, window, norms, batch } = options;
  return overValue(options, {
    shape: out.shape,
    parts: [readValue("source", x, norms, "f32")],
    result: { y: out.y },
    normed: [x],
    lines: `  let first = (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + c * ${pixelsOf(x.shape)}u
    + (p / ${out.shape.width}u) * ${window.stride * x.shape.width}u + (p % ${out.shape.width}u) * ${window.stride}u;
  let norm = table + at[0].x + c;
  var best = source(first, norm);
  for (var tap = 1u; tap < ${window.size ** 2}u; tap++) {
    let v = source(first + (tap / ${window.size}u) * ${x.shape.width}u + tap % ${window.size}u, norm);
    if (v > best || v != v) { best = v; }
  }
  y[i] = best;
`,
  });
}

/** Every pixel takes the gradient of the windows whose first largest it is. */
export function maxPoolGradient(options: Between & { window: Window; finish: Part }): Kernel {
  const { x, out, window, norms, batch, finish } = options;
  const { size, stride } = window;
  const { width, height } = x.shape;
  return overValue(options, {
    shape: x.shape,
    parts: [readValue("source", x, norms, "f32"), finish, above(out)],
    result: { g: gradientOf(x) },
    normed: [x],
    lines: `  let plane = (replica * ${batch}u + n) * ${numbersOf(x.shape)}u + c * ${height * width}u;
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
  });
}

/** The mean over all pixels. */
export function averagePool(options: Between): Kernel {
  const { x, out, norms, batch } = options;
  const pixels = pixelsOf(x.shape);
  return overValue(options, {
    shape: out.shape,
    parts: [readValue("source", x, norms, "f32")],
    result: { y: out.y },
    normed: [x],
    lines: `  let first = ((replica * ${batch}u + n) * ${x.shape.channels}u + c) * ${pixels}u;
  var sum = 0.0;
  for (var k = 0u; k < ${pixels}u; k++) { sum += source(first + k, table + at[0].x + c); }
  y[i] = sum * ${1 / pixels};
`,
  });
}

export function averagePoolGradient(options: Between & { finish: Part }): Kernel {
  const { x, out, batch, finish } = options;
  return overValue(options, {
    shape: x.shape,
    parts: [finish, above(out)],
    result: { g: gradientOf(x) },
    normed: [x],
    lines: `  let d = above_[(replica * ${batch}u + n) * ${x.shape.channels}u + c] * ${1 / pixelsOf(x.shape)};
  g[i] = finish(i, table + at[0].x + c, d);
`,
  });
}

export interface Dropout {
  readonly rate: number;
  readonly channels: boolean;
  /** The first block of this layer in the dropout stream. */
  readonly block: number;
}

/**
 * `fn kept(n, c, p, replica) -> f32`: 0 or 1 / (1 - rate), from the CPU's random words: with m the number's place among
 * rows of whole quads of channels, word (m mod 16) / 4 of block 4 floor(m / 16) + m mod 4.
 */
function kept({ drop, replicaTable }: Dropping, shape: Shape): Part {
  if (drop === undefined) return { bindings: [], code: "" };
  const { rate, channels, block } = drop;
  const pitch = Math.ceil(shape.channels / 4) * 4;
  const row = channels ? "n" : `n * ${pixelsOf(shape)}u + p`;
  const code = `${philox}fn kept(n: u32, c: u32, p: u32, replica: u32) -> f32 {
  let m = (${row}) * ${pitch}u + c;
  let words = randomWords(replica, ${streams.dropout}u, ${block}u + 4u * (m / 16u) + m % 4u);
  return select(0.0, ${1 / (1 - rate)}, words[(m % 16u) / 4u] >= ${Math.floor(rate * 4294967296)}u);
}
`;
  return { bindings: reads("vec4u", { replicaTable }), code };
}

interface Dropping extends Between {
  /** Where it is left out, nothing is dropped. */
  readonly drop?: Dropout;
  readonly replicaTable: GPUBuffer;
}

const factor = ({ drop }: Dropping) => (drop === undefined ? "" : " * kept(n, c, p, replica)");

export function dropout(options: Dropping): Kernel {
  const { x, out, norms } = options;
  return overValue(options, {
    shape: out.shape,
    parts: [readValue("source", x, norms, "f32"), kept(options, out.shape)],
    result: { y: out.y },
    normed: [x],
    lines: `  y[i] = source(i, table + at[0].x + c)${factor(options)};\n`,
  });
}

export function dropoutGradient(options: Dropping & { finish: Part }): Kernel {
  const { x, out, finish, norms } = options;
  return overValue(options, {
    shape: x.shape,
    parts: [finish, readGradient("back_", out, norms, "f32"), kept(options, x.shape)],
    result: { g: gradientOf(x) },
    normed: [x, out],
    lines: `  let d = back_(i, table + at[0].y + c)${factor(options)};
  g[i] = finish(i, table + at[0].x + c, d);
`,
  });
}
