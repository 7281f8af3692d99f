/** Neural networks and data sets as a problem of equitopo, for Node and browsers. */

export { encodeNpy, npyHeader, parseNpy } from "equitopo/input";
export type { Holdings } from "./classification/holdings.ts";
export { decodeModel, encodeModel, type SavedModel } from "./classification/model-file.ts";
export { predictClasses } from "./classification/predict.ts";
export { type PreparedClassification, prepareClassification } from "./classification/prepare.ts";
export { classification, classificationFamily } from "./classification/problem.ts";
export type {
  AugmentationSpec,
  ClassificationOptions,
  Settings as ClassificationSettings,
  Trial,
} from "./classification/settings.ts";
export { testPart } from "./classification/tests.ts";
export { type Augmentation, type BatchFiller, type BatchOptions, batchFiller } from "./data/batch.ts";
export { parseCifar10 } from "./data/cifar10.ts";
export { classFolders, type LabelledPath } from "./data/class-folders.ts";
export { type CsvOptions, parseCsv } from "./data/csv.ts";
export { type Dataset, type Normalisation, normalisations } from "./data/dataset.ts";
export { type IdxArray, parseIdx } from "./data/idx.ts";
export {
  type DataContext,
  type DataFamily,
  type Defaults,
  defineData,
  type OpenData,
  type WantedFiles,
} from "./data/member.ts";
export { parseMnist } from "./data/mnist.ts";
export { type DataFile, type NeededFiles, neededFiles } from "./data/needed-files.ts";
export { parseNpyDataset } from "./data/npy.ts";
export { type PlaneOptions, type PlanePattern, planePoints } from "./data/plane.ts";
export { type DataSpec, dataSets, openData } from "./data/registry.ts";
export { type BatchSchedule, shareSchedule } from "./data/schedule.ts";
export {
  defineSplit,
  labelCounts,
  type Shares,
  type Split,
  type SplitFamily,
  splitData,
  splits,
} from "./data/split.ts";
export { type SyntheticOptions, syntheticImages } from "./data/synthetic.ts";
export {
  createNnKernels,
  type Exports as NnExports,
  type NnKernels,
  type NnMemory,
} from "./kernel/kernels.ts";
export { type GenerateOptions, generateText } from "./language/generate.ts";
export { language, languageFamily } from "./language/problem.ts";
export type { LanguageOptions, Settings as LanguageSettings } from "./language/settings.ts";
export type { BoundModel, DrawnPass, ReplicaPass, TrainingPass, WorkspacePlan } from "./model/bound.ts";
export {
  type Activation,
  type Building,
  defineLayer,
  type GradientPlace,
  type Layer,
  type LayerFamily,
  type LayerParameter,
  type Pass,
  type Place,
} from "./model/layer.ts";
export { layers } from "./model/layers/registry.ts";
export { defineModel, type Images, type ModelFamily } from "./model/member.ts";
export { Model, type ModelOptions } from "./model/model.ts";
export { type GptOptions, gpt } from "./model/models/gpt.ts";
export { type MnistCnnOptions, mnistCnn } from "./model/models/mnist-cnn.ts";
export { type PerceptronOptions, perceptron, softmaxRegression } from "./model/models/perceptron.ts";
export { type ResNet20Options, resNet20 } from "./model/models/resnet20.ts";
export { createModel, type ModelSpec, models } from "./model/registry.ts";
export { modelTensors, readSafetensors, type Tensor, writeSafetensors } from "./model/safetensors.ts";
export type { SoftmaxAxis } from "./model/score.ts";
export type { Initialisation, LayerSpec, Parameter, Shape } from "./model/spec.ts";
export type { Named } from "./options.ts";
export { defineText, type TextContext, type TextFamily } from "./text/member.ts";
export { openText, texts } from "./text/registry.ts";
export { type Alphabet, decodeTokens, encodeText, type TokenizedText, type Tokens, tokenized } from "./text/tokens.ts";
