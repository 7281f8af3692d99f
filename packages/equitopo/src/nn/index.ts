/** Neural networks: layers, models and the memory they run in. */

export { createNnKernels, type NnExports, type NnKernels, type NnMemory } from "../kernel/nn.ts";
export { BoundModel, type ReplicaPass, type SoftmaxAxis, type TrainingPass } from "./bound.ts";
export { Model, type ModelOptions } from "./model.ts";
export { type MnistCnnOptions, mnistCnn } from "./models/mnist-cnn.ts";
export { type PerceptronOptions, perceptron, softmaxRegression } from "./models/perceptron.ts";
export { type ResNet20Options, resNet20 } from "./models/resnet20.ts";
export type { LayerSpec, Parameter, Shape, Start } from "./spec.ts";
