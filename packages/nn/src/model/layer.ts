/**
 * What a layer is: shapes, parameters, memory, and an explicit forward and backward pass by byte offsets. Activations are
 * images x height x width x pitch numbers, pitch being the channels rounded up to four (spec of the kernels).
 */

import { type AnyFamily, InputError, type Options, type Values } from "equitopo/internal/input";
import { type Exports, vectorBytes } from "../kernel/kernels.ts";
import type { LayerSpec, Parameter, Shape } from "./spec.ts";

export interface Activation extends Shape {
  readonly pitch: number;
}

/** One pass over a batch, as all layers see it. */
export interface Pass {
  readonly call: Exports;
  /** What the byte offsets point into, for layers that are not made of kernels. */
  readonly memory: ArrayBufferLike;
  readonly images: number;
  /** Dropout drops, batch norm normalises by the batch. */
  readonly training: boolean;
  /** How much of the batch's mean and variance enters the running statistics; 0: they are left alone. */
  readonly momentum: number;
  readonly seed: number;
  /** The round of the dropout stream: one number per (iteration, node). */
  readonly round: number;
}

/** Where a layer finds its things: byte offsets. dx = 0: the gradient of the input is not wanted. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly parameters: number;
  readonly statistics: number;
  /** What forward leaves for backward beside x and y. */
  readonly saved: number;
  /** Free for the time of the call. */
  readonly scratch: number;
}

export interface GradientPlace extends Place {
  readonly dy: number;
  readonly dx: number;
  /** Parallel to the parameters; overwritten. */
  readonly gradient: number;
}

/** A layer's own names for its parameters have no path. */
export type LayerParameter = Omit<Parameter, "size" | "offset">;

export interface Layer {
  readonly output: Activation;
  readonly parameters: readonly LayerParameter[];
  readonly statistics: number;
  /** How they begin; zeros where it is left out. */
  startStatistics?(out: Float32Array): void;
  /** Whether backward looks at y: then nothing else may be written there in between. */
  readonly readsOutput: boolean;
  savedBytes(images: number): number;
  scratchBytes(images: number): number;
  forward(pass: Pass, at: Place): void;
  backward(pass: Pass, at: GradientPlace): void;
}

/** A layer without parameters that keeps nothing: what most say in part. */
export const bare = {
  ...{ parameters: [], statistics: 0, readsOutput: false },
  ...{ savedBytes: () => 0, scratchBytes: () => 0 },
} satisfies Partial<Layer>;

/** What a layer that is being built may ask of its network. */
export interface Building {
  /** Dropout layers so far: each has random numbers of its own. */
  dropouts: number;
  stack(specs: readonly LayerSpec[], input: Activation): Layer;
}

/** A member of the registry of layers: one file each. Its name is the `kind` of a spec. */
export interface LayerFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  /** Reads images as they come, their channels packed; all others are given whole vectors of channels. */
  readonly packed?: true;
  build(options: Values<O>, input: Activation, building: Building): Layer;
}

export const defineLayer = <O extends Options>(member: LayerFamily<O>): LayerFamily<O> => member;

export const numbers = (shape: Activation, images: number): number => images * shape.height * shape.width * shape.pitch;

export const activationBytes = (shape: Activation, images: number) => vectorBytes(4 * numbers(shape, images));

export const parameterCount = (parameters: readonly LayerParameter[]): number =>
  parameters.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);

/** Refuses channels that do not fill whole vectors, for layers that sum over them. */
export function requireWhole(name: string, { channels }: Activation): void {
  if (channels % 4 === 0) return;
  throw new InputError(`${name} reads channels in fours`, channels, `try ${Math.ceil(channels / 4) * 4}`);
}
