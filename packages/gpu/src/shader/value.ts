/**
 * What stands between two layers on the device: numbers as [replica][image][channel][pixel], and how they are read. Batch
 * norm and ReLU have no pass of their own: whoever reads y sees max(0, (y - mean) scale + shift), from four numbers a
 * channel that the norm's kernel left in `norms`. Going back, a value's gradient is kept with respect to what its ReLU
 * reads; whoever reads it through batch norm sees slope (g - a - (y - mean) b), from four numbers in `slopes`.
 */

import type { Shape } from "@equitopo/nn";
import type { Binding } from "../device/program.ts";

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
}

/** The element type of a kernel's view: four pixels at a time where the rows of an image allow it. */
export type Element = "f32" | "vec4f";

/** A WGSL function over bindings. */
export interface Part {
  readonly bindings: readonly Binding[];
  readonly code: string;
}

export const pixelsOf = ({ height, width }: Shape) => height * width;
export const numbersOf = (shape: Shape) => shape.channels * pixelsOf(shape);

/** Four pixels at a time, where whole rows can be read so. */
export const rowElement = ({ width }: Shape): Element => (width % 4 === 0 ? "vec4f" : "f32");
/** Four pixels at a time, where whole channels can be read so. */
export const planeElement = (shape: Shape): Element => (pixelsOf(shape) % 4 === 0 ? "vec4f" : "f32");
export const lanes = (element: Element) => (element === "vec4f" ? 4 : 1);

/** `fn NAME(i, c) -> element`: element i of the value, whose channel is entry c of the tables. */
export function readValue(name: string, { y, relu, norm }: Value, { norms }: Norms, element: Element): Part {
  const lines = [
    `var v = ${name}Y[i];`,
    ...(norm === undefined ? [] : [`let n = ${name}Norms[c];`, "v = (v - n.x) * n.y + n.z;"]),
    ...(relu ? [`v = max(v, ${element}());`] : []),
  ];
  return {
    bindings: [
      { name: `${name}Y`, type: element, buffer: y },
      ...(norm === undefined ? [] : [{ name: `${name}Norms`, type: "vec4f", buffer: norms }]),
    ],
    code: `fn ${name}(i: u32, c: u32) -> ${element} { ${lines.join(" ")} return v; }\n`,
  };
}

/** `fn NAME(i, c) -> element`: the gradient with respect to what the layer before the norm put out. */
export function readGradient(name: string, value: Value, { slopes }: Norms, element: Element): Part {
  const gradient = { name: `${name}G`, type: element, buffer: gradientOf(value) };
  if (value.norm === undefined) {
    return {
      bindings: [gradient],
      code: `fn ${name}(i: u32, c: u32) -> ${element} { return ${name}G[i]; }\n`,
    };
  }
  return {
    bindings: [
      gradient,
      { name: `${name}Y`, type: element, buffer: value.y },
      { name: `${name}Slopes`, type: "vec4f", buffer: slopes },
    ],
    code: `fn ${name}(i: u32, c: u32) -> ${element} {
  let s = ${name}Slopes[c];
  return s.x * (${name}G[i] - s.y - (${name}Y[i] - s.w) * s.z);
}
`,
  };
}

/** `fn NAME(i, c, g) -> element`: what of a gradient passes the value's ReLU. */
export function passRelu(name: string, { y, relu, norm }: Value, { norms }: Norms, element: Element): Part {
  const head = `fn ${name}(i: u32, c: u32, g: ${element}) -> ${element}`;
  if (!relu) return { bindings: [], code: `${head} { return g; }\n` };
  const seen = norm === undefined ? "" : `let n = ${name}Norms[c]; v = (v - n.x) * n.y + n.z; `;
  return {
    bindings: [
      { name: `${name}Y`, type: element, buffer: y },
      ...(norm === undefined ? [] : [{ name: `${name}Norms`, type: "vec4f", buffer: norms }]),
    ],
    code: `${head} { var v = ${name}Y[i]; ${seen}return select(${element}(), g, v > ${element}()); }\n`,
  };
}

export function gradientOf({ gradient }: Value): GPUBuffer {
  if (gradient === undefined) throw new Error("the images have no gradient");
  return gradient;
}
