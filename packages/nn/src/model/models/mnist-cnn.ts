/**
 * The MNIST network of the paper's experiments, as its code ran it (section 6, Appendix D.3): convolution 1 -> 10 of size
 * 5, max-pool 2, ReLU, convolution 10 -> 20 of size 5, Dropout2d(0.5), max-pool 2, ReLU, dense 320 -> 50, ReLU,
 * dropout(0.5), dense 50 -> 10. 21,840 parameters, PyTorch's default initialisation.
 */

import { option } from "equitopo/input";
import { defineModel, unfit } from "../member.ts";
import { Model } from "../model.ts";
import type { LayerSpec } from "../spec.ts";

export interface MnistCnnOptions {
  /** The rate of both dropout layers; 0 leaves them out. Default 0.5. */
  readonly dropout?: number;
}

/**
 * @example
 * ```ts
 * import { mnistCnn } from "@equitopo/nn";
 * mnistCnn().parameterCount // => 21840
 * ```
 */
export function mnistCnn({ dropout = 0.5 }: MnistCnnOptions = {}): Model {
  const drop = (of: "numbers" | "channels"): LayerSpec[] =>
    dropout === 0 ? [] : [{ kind: "dropout", rate: dropout, of }];
  return new Model({
    name: "mnist-cnn",
    input: { height: 28, width: 28, channels: 1 },
    layers: [
      { kind: "convolution", channels: 10, kernel: 5 },
      { kind: "max-pool", size: 2, relu: true },
      { kind: "convolution", channels: 20, kernel: 5 },
      ...drop("channels"),
      { kind: "max-pool", size: 2, relu: true },
      { kind: "dense", units: 50, relu: true },
      ...drop("numbers"),
      { kind: "dense", units: 10 },
    ],
  });
}

export const mnistCnnModel = defineModel({
  name: "mnist-cnn",
  summary: "the paper's network for MNIST: two convolutions, two dense layers, 21,840 parameters",
  options: { dropout: option.share(0.5) },
  build({ dropout }, { shape, classes }) {
    const { height, width, channels } = shape;
    if (height === 28 && width === 28 && channels === 1 && classes === 10) return mnistCnn({ dropout });
    throw unfit("mnist-cnn", "28 x 28 grey images of ten classes", shape);
  },
});
