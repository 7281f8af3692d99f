/**
 * ResNet-20 for 32 x 32 images (He et al. 2016, section 4.2), as in Idelbayev's PyTorch implementation that the paper's
 * experiments use: shortcuts of option A (no parameters), He initialisation. 269,722 parameters.
 */

import { defineModel, unfit } from "../member.ts";
import { Model } from "../model.ts";
import type { LayerSpec } from "../spec.ts";

export interface ResNet20Options {
  /** Height and width of the images; default 32. */
  readonly size?: number;
  /** Default 10. */
  readonly classes?: number;
}

function block(channels: number, stride: number): LayerSpec {
  return {
    kind: "residual",
    layers: [
      { kind: "convolution", channels, kernel: 3, pad: 1, stride, bias: false },
      { kind: "batch-norm", relu: true },
      { kind: "convolution", channels, kernel: 3, pad: 1, bias: false },
      { kind: "batch-norm" },
    ],
  };
}

/**
 * @example
 * ```ts
 * import { resNet20 } from "@equitopo/nn";
 * resNet20().parameterCount // => 269722
 * ```
 */
export function resNet20({ size = 32, classes = 10 }: ResNet20Options = {}): Model {
  return new Model({
    name: "resnet20",
    input: { height: size, width: size, channels: 3 },
    weights: "he",
    layers: [
      { kind: "convolution", channels: 16, kernel: 3, pad: 1, bias: false },
      { kind: "batch-norm", relu: true },
      ...[16, 32, 64].flatMap((channels, stage) => [
        block(channels, stage === 0 ? 1 : 2),
        block(channels, 1),
        block(channels, 1),
      ]),
      { kind: "average-pool" },
      { kind: "dense", units: classes },
    ],
  });
}

export const resNet20Model = defineModel({
  name: "resnet20",
  summary: "ResNet-20 for square images of three colours, 269,722 parameters for ten classes",
  options: {},
  build(_options, { shape, classes }) {
    if (shape.height === shape.width && shape.channels === 3) return resNet20({ size: shape.height, classes });
    throw unfit("resnet20", "square images of three colours", shape);
  },
});
