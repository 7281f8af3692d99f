/** Networks of dense layers alone: the multilayer perceptron and softmax regression. */

import { wholes } from "../../options.ts";
import { defineModel } from "../member.ts";
import { Model } from "../model.ts";
import type { Shape } from "../spec.ts";

export interface PerceptronOptions {
  readonly input: Shape;
  /** Units of the hidden layers; default one layer of 128. */
  readonly hidden?: readonly number[];
  /** Default 10. */
  readonly classes?: number;
}

/**
 * Dense layers with ReLU between them, He initialisation.
 *
 * @example
 * ```ts
 * import { perceptron } from "@equitopo/nn";
 * perceptron({ input: { height: 28, width: 28, channels: 1 }, hidden: [100] }).parameterCount // => 79510
 * ```
 */
export function perceptron({ input, hidden = [128], classes = 10 }: PerceptronOptions): Model {
  return new Model({
    name: "perceptron",
    input,
    weights: "he",
    layers: [
      ...hidden.map((units) => ({ kind: "dense" as const, units, relu: true })),
      { kind: "dense", units: classes },
    ],
  });
}

/**
 * One dense layer from zero: multinomial logistic regression, a convex problem.
 *
 * @example
 * ```ts
 * import { softmaxRegression } from "@equitopo/nn";
 * softmaxRegression({ input: { height: 1, width: 1, channels: 20 }, classes: 3 }).parameterCount // => 63
 * ```
 */
export function softmaxRegression({ input, classes = 10 }: Omit<PerceptronOptions, "hidden">): Model {
  return new Model({
    name: "softmax-regression",
    input,
    weights: "zeros",
    layers: [{ kind: "dense", units: classes }],
  });
}

export const perceptronModel = defineModel({
  name: "perceptron",
  summary: "dense layers with ReLU between them",
  options: { hidden: wholes([128]) },
  build: ({ hidden }, { shape, classes }) => perceptron({ input: shape, hidden, classes }),
});

export const softmaxRegressionModel = defineModel({
  name: "softmax-regression",
  summary: "one dense layer from zero: a convex problem",
  options: {},
  build: (_options, { shape, classes }) => softmaxRegression({ input: shape, classes }),
});
