/** Neural networks and data sets as a problem of equitopo, for Node and browsers. */

export { type Score, score } from "./classification/score.ts";
export { type Augmentation, type BatchFiller, type BatchOptions, batchFiller } from "./data/batch.ts";
export { parseCifar10 } from "./data/cifar10.ts";
export { type CsvOptions, parseCsv } from "./data/csv.ts";
export { checkedDataset, type Dataset, firstImages, type Normalisation, normalisations } from "./data/dataset.ts";
export { type IdxArray, parseIdx } from "./data/idx.ts";
export { type NamedBytes, parseMnist } from "./data/mnist.ts";
export { type NpyArray, parseNpy, parseNpyDataset } from "./data/npy.ts";
export { type BatchSchedule, dealtSchedule, shareSchedule } from "./data/schedule.ts";
export { labelCounts, type Shares, type Split, splitData } from "./data/split.ts";
export { type SyntheticOptions, syntheticImages } from "./data/synthetic.ts";
export { createNnKernels, type NnExports, type NnKernels, type NnMemory } from "./kernel/kernels.ts";
export { BoundModel, type ReplicaPass, type SoftmaxAxis, type TrainingPass } from "./model/bound.ts";
export { Model, type ModelOptions } from "./model/model.ts";
export { type MnistCnnOptions, mnistCnn } from "./model/models/mnist-cnn.ts";
export { type PerceptronOptions, perceptron, softmaxRegression } from "./model/models/perceptron.ts";
export { type ResNet20Options, resNet20 } from "./model/models/resnet20.ts";
export { modelTensors, readSafetensors, type Tensor, writeSafetensors } from "./model/safetensors.ts";
export type { LayerSpec, Parameter, Shape, Start } from "./model/spec.ts";
