/** What a network of the registry is: its name, its options, and how it is built for images of some shape. */

import { type AnyFamily, InputError, type Options, type Values } from "equitopo/internal/input";
import type { Model } from "./model.ts";
import type { Shape } from "./spec.ts";

export interface Images {
  readonly shape: Shape;
  readonly classes: number;
  /** Texts of `classes` different tokens, whose length is the model's; images if left out. */
  readonly reads?: "text";
}

/** A member of the registry of models: one file each. */
export interface ModelFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  readonly reads?: "text";
  build(options: Values<O>, images: Images): Model;
}

export const defineModel = <O extends Options>(member: ModelFamily<O>): ModelFamily<O> => member;

export const unfit = (name: string, images: string, { height, width, channels }: Shape): InputError =>
  new InputError(`${name} reads ${images}`, `${height} x ${width} x ${channels}`, "choose the model perceptron");
