/** Neural networks and data sets as a problem of equitopo, for Node and browsers. */

export { estimateBatches, summarise as summariseTallies } from "./classification/evaluation.ts";
export type { Holdings } from "./classification/holdings.ts";
export { EpochLosses, lastLoss } from "./classification/losses.ts";
export { decodeModel, encodeModel, type SavedModel } from "./classification/model-file.ts";
export { predictClasses } from "./classification/predict.ts";
export { type PreparedClassification, prepareClassification } from "./classification/prepare.ts";
export { classification, classificationFamily } from "./classification/problem.ts";
export { type Score, score, scoreGroup } from "./classification/score.ts";
export type {
  AugmentationSpec,
  ClassificationOptions,
  Settings as ClassificationSettings,
  Trial,
} from "./classification/settings.ts";
export { partSize, testPart, testShare } from "./classification/tests.ts";
export { type Augmentation, type BatchFiller, type BatchOptions, batchFiller } from "./data/batch.ts";
export { parseCifar10 } from "./data/cifar10.ts";
export { classFolders, type LabelledPath } from "./data/class-folders.ts";
export { type CsvOptions, parseCsv } from "./data/csv.ts";
export { checkedDataset, type Dataset, firstImages, type Normalisation, normalisations } from "./data/dataset.ts";
export { type IdxArray, parseIdx } from "./data/idx.ts";
export {
  type DataContext,
  type DataMember,
  type Defaults,
  defineData,
  type OpenData,
  type Wanted,
} from "./data/member.ts";
export { type NamedBytes, parseMnist } from "./data/mnist.ts";
export { type DataFile, type NeededFiles, neededFiles } from "./data/needed-files.ts";
export { encodeNpy, type NpyArray, npyHeader, parseNpy, parseNpyDataset } from "./data/npy.ts";
export { type PlaneOptions, type PlanePattern, planePoints } from "./data/plane.ts";
export { type DataSpec, dataSets, openData } from "./data/registry.ts";
export { type BatchSchedule, dealtSchedule, shareSchedule } from "./data/schedule.ts";
export {
  chooseSplit,
  defineSplit,
  labelCounts,
  type Shares,
  type Split,
  type SplitMember,
  splitData,
  splits,
} from "./data/split.ts";
export { type SyntheticOptions, syntheticImages } from "./data/synthetic.ts";
export type { NnExports } from "./kernel/exports.ts";
export { createNnKernels, type NnKernels, type NnMemory } from "./kernel/kernels.ts";
export {
  BoundModel,
  type DrawnPass,
  type ReplicaPass,
  type SoftmaxAxis,
  type TrainingPass,
  type WorkspacePlan,
} from "./model/bound.ts";
export {
  type Activation,
  type Building,
  defineLayer,
  type GradientPlace,
  type Layer,
  type LayerMember,
  type LayerParameter,
  type Pass,
  type Place,
} from "./model/layer.ts";
export { DROPOUT_BLOCKS } from "./model/layers/elementwise.ts";
export { layers } from "./model/layers/registry.ts";
export { defineModel, type Images, type ModelMember } from "./model/member.ts";
export { Model, type ModelOptions } from "./model/model.ts";
export { type MnistCnnOptions, mnistCnn } from "./model/models/mnist-cnn.ts";
export { type PerceptronOptions, perceptron, softmaxRegression } from "./model/models/perceptron.ts";
export { type ResNet20Options, resNet20 } from "./model/models/resnet20.ts";
export { createModel, type ModelSpec, models } from "./model/registry.ts";
export { modelTensors, readSafetensors, type Tensor, writeSafetensors } from "./model/safetensors.ts";
export type { KnownLayer, LayerSpec, Parameter, Shape, Start } from "./model/spec.ts";
export type { Named } from "./options.ts";
