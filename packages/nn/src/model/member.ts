/** What a network of the registry is: its name, its options, and how it is built for images of some shape. */

import { InputError, type Member, type Options, type Values } from "equitopo/input";
import type { Model } from "./model.ts";
import type { Shape } from "./spec.ts";

/** What a network reads and tells apart. */
export interface Images {
  readonly shape: Shape;
  readonly classes: number;
}

/** A member of the registry of models: one file each. */
export interface ModelMember<O extends Options = Options> extends Member {
  readonly options: O;
  build(options: Values<O>, images: Images): Model;
}

/** Lets a model's file have its options' types inferred. */
export function defineModel<O extends Options>(member: ModelMember<O>): ModelMember<O> {
  return member;
}

export function unfit(name: string, images: string, { height, width, channels }: Shape): InputError {
  return new InputError(`${name} reads ${images}`, `${height} x ${width} x ${channels}`, "choose the model perceptron");
}
