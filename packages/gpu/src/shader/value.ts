/**
 * The values between two layers on the device: numbers as [replica][image][channel][pixel], and how they are read. Batch
 * norm and ReLU have no pass of their own: a kernel that reads y gets max(0, (y - mean) scale + shift), from four numbers a
 * channel that the norm's kernel left in `norms`. In the backward pass, a value's gradient is kept with respect to the input
 * of its ReLU; a kernel that reads it through batch norm gets slope (g - a - (y - mean) b), from four numbers in `slopes`.
 */

import type { Shape } from "@equitopo/nn";
import { type Binding, reads } from "../device/program.ts";

/** The tables of all batch norms of a network: for every replica `width` channels of four numbers. */
export interface Norms {
  readonly width: number;
  /** mean, scale = gamma / sqrt(variance + epsilon), shift = beta, 1 / sqrt(variance + epsilon). */
  readonly norms: GPUBuffer;
  /** scale, a = mean of g, b = mean of g z / sqrt(variance + epsilon), mean. */
  readonly slopes: GPUBuffer;
}

export interface Value {
  readonly shape: Shape;
  readonly y: GPUBuffer;
  /** Where its gradient is collected; the images themselves have none. */
  readonly gradient?: GPUBuffer;
  readonly relu: boolean;
  /** Its batch norm's first channel in the tables. */
  readonly norm?: number;
  /** Whether the layer that makes it can read its gradient through a batch norm (shader/, float32). */
  readonly readsNorm?: true;
}

/** The element type of a kernel's view: four pixels at a time where the rows of an image allow it. */
export type Element = "f32" | "vec4f";

export interface Part {
  readonly bindings: readonly Binding[];
  readonly code: string;
}

export interface LayerOptions {
  readonly label: string;
  readonly replicas: number;
  readonly batch: number;
  readonly norms: Norms;
}

/** Parts as one: the buffers of all of them, and their functions. */
export const joined = (...parts: readonly Part[]): Part => ({
  bindings: parts.flatMap(({ bindings }) => bindings),
  code: parts.map(({ code }) => code).join(""),
});

export const pixelsOf = ({ height, width }: Shape) => height * width;
export const numbersOf = (shape: Shape) => shape.channels * pixelsOf(shape);

/** Four pixels at a time, where whole rows can be read so. */
export const rowElement = ({ width }: Shape): Element => (width % 4 === 0 ? "vec4f" : "f32");
/** Four pixels at a time, where whole channels can be read so. */
export const planeElement = (shape: Shape): Element => (pixelsOf(shape) % 4 === 0 ? "vec4f" : "f32");
export const lanes = (element: Element) => (element === "vec4f" ? 4 : 1);

/** `fn NAME(i, c) -> element`: element i of the value, whose channel is entry c of the tables. */
export function readValue(name: string, value: Value, norms: Norms, element: Element): Part {
  const positive = value.relu ? `v = max(v, ${element}()); ` : "";
  const { bindings, code } = normed(name, value, norms, element);
  return { bindings, code: `fn ${name}(i: u32, c: u32) -> ${element} { ${code}${positive}return v; }\n` };
}

/** Lines that leave element i of a value in v, through its batch norm. */
function normed(name: string, { y, norm }: Value, { norms }: Norms, element: Element): Part {
  const plain = { bindings: reads(element, { [`${name}Y`]: y }), code: `var v = ${name}Y[i]; ` };
  if (norm === undefined) return plain;
  const line = `let n = ${name}Norms[c]; v = (v - n.x) * n.y + n.z; `;
  return joined(plain, { bindings: reads("vec4f", { [`${name}Norms`]: norms }), code: line });
}

/** `fn NAME(i, c) -> element`: the gradient with respect to what the layer before the norm put out. */
export function readGradient(name: string, value: Value, { slopes }: Norms, element: Element): Part {
  const gradient = { [`${name}G`]: gradientOf(value) };
  const head = `fn ${name}(i: u32, c: u32) -> ${element}`;
  if (value.norm === undefined)
    return { bindings: reads(element, gradient), code: `${head} { return ${name}G[i]; }\n` };
  const bindings = reads(element, { ...gradient, [`${name}Y`]: value.y });
  const code = `${head} {
  let s = ${name}Slopes[c];
  return s.x * (${name}G[i] - s.y - (${name}Y[i] - s.w) * s.z);
}
`;
  return { bindings: [...bindings, ...reads("vec4f", { [`${name}Slopes`]: slopes })], code };
}

/** `fn NAME(i, c, g) -> element`: what of a gradient passes the value's ReLU. */
export function passRelu(name: string, value: Value, norms: Norms, element: Element): Part {
  const head = `fn ${name}(i: u32, c: u32, g: ${element}) -> ${element}`;
  if (!value.relu) return { bindings: [], code: `${head} { return g; }\n` };
  const { bindings, code } = normed(name, value, norms, element);
  return { bindings, code: `${head} { ${code}return select(${element}(), g, v > ${element}()); }\n` };
}

export function gradientOf({ gradient }: Value): GPUBuffer {
  if (gradient === undefined) throw new Error("the images have no gradient");
  return gradient;
}
