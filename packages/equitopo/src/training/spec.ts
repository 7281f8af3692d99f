/**
 * What a training run is, as plain JSON: network, graph, algorithm, and how data reaches the nodes. Two protocols of the
 * paper's experiments differ only in here (errata of its code): softmax over classes or over the batch, shares that stay
 * or data dealt anew every epoch.
 */

import type { AlgorithmSpec } from "../algorithm/registry.ts";
import { createSchedule, type Schedule } from "../algorithm/schedule.ts";
import type { Dataset, Normalisation } from "../data/dataset.ts";
import type { Split } from "../data/split.ts";
import { InputError, oneOf, real } from "../input/input.ts";
import type { SoftmaxAxis } from "../nn/bound.ts";
import type { Model } from "../nn/model.ts";
import { mnistCnn } from "../nn/models/mnist-cnn.ts";
import { perceptron, softmaxRegression } from "../nn/models/perceptron.ts";
import { resNet20 } from "../nn/models/resnet20.ts";
import type { TopologySpec } from "../topology/topology.ts";

export const modelNames = ["mnist-cnn", "resnet20", "perceptron", "softmax-regression"] as const;

export interface ModelSpec {
  readonly name: (typeof modelNames)[number];
  /** Of mnist-cnn; default 0.5. */
  readonly dropout?: number;
  /** Of the perceptron; default one layer of 128. */
  readonly hidden?: readonly number[];
}

export interface TrainingSpec {
  readonly model: ModelSpec;
  /** With its n, the number of replicas. */
  readonly topology: TopologySpec;
  /** Its learningRate is not read: the one beside it is. */
  readonly algorithm: AlgorithmSpec;
  /** A constant, or the paper's course for CIFAR-10 (cifar10Rate). */
  readonly learningRate: number | "cifar10";
  /** Images a node sees in a step. */
  readonly batch: number;
  readonly seed: number;
  readonly softmax: SoftmaxAxis;
  readonly weightDecay: number;
  /** "dealt": anew every epoch, as the paper's experiments ran. */
  readonly split: Split | { readonly kind: "dealt" };
  readonly normalisation?: Normalisation;
  /** The paper's for CIFAR-10: 4 pixels of padding, random flip and crop. */
  readonly augmentation?: { readonly pad: number; readonly flip: boolean };
}

/** The network for images like these. */
export function createModel(spec: ModelSpec, { shape, classes }: Pick<Dataset, "shape" | "classes">): Model {
  switch (oneOf("model", spec.name, modelNames)) {
    case "perceptron":
      return perceptron({ input: shape, classes, ...(spec.hidden === undefined ? {} : { hidden: spec.hidden }) });
    case "softmax-regression":
      return softmaxRegression({ input: shape, classes });
    case "resnet20":
      if (shape.height === shape.width && shape.channels === 3) return resNet20({ size: shape.height, classes });
      throw unfit(spec.name, "square images of three colours", shape);
    case "mnist-cnn": {
      const { height, width, channels } = shape;
      if (height !== 28 || width !== 28 || channels !== 1 || classes !== 10) {
        throw unfit(spec.name, "28 x 28 grey images of ten classes", shape);
      }
      return mnistCnn({ dropout: real("dropout", spec.dropout ?? 0.5, { min: 0, max: 1, open: "max" }, 0.5) });
    }
  }
}

function unfit(name: string, images: string, { height, width, channels }: Dataset["shape"]): InputError {
  return new InputError(`${name} reads ${images}`, `${height} x ${width} x ${channels}`, "choose the model perceptron");
}

/**
 * The learning rate of the paper's CIFAR-10 runs on n nodes, as they ran: from 0.1 up to 0.1 n over the first five
 * epochs, then 0.01 n, and a tenth of that from epochs 50, 100 and 120 on.
 */
export function cifar10Rate(n: number, stepsPerEpoch: number): Schedule {
  return createSchedule("cifar10", { n, epoch: stepsPerEpoch });
}
