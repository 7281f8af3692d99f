/**
 * What the words of `equitopo train` mean: the data set's defaults (Appendix D.3, with the learning rates as run), the
 * protocol, and what was given on the command line.
 */

import {
  type Dataset,
  firstImages,
  InputError,
  type Normalisation,
  normalisations,
  type Split,
  syntheticImages,
  type TopologySpec,
  topologies,
} from "equitopo";
import type { ModelSpec, TrainingSpec } from "equitopo/training";
import { loadCifar10 } from "../data/cifar10.ts";
import { loadMnist, type TrainAndTest } from "../data/mnist.ts";
import { loadOwn } from "../data/own.ts";
import { type TopologyValues, topologyFromOptions } from "../topology-options.ts";

export const datasetNames = ["mnist", "cifar10", "synthetic", "own"] as const;
export type DatasetName = (typeof datasetNames)[number];

/** As commander hands them over. */
export interface TrainOptions extends TopologyValues {
  readonly data?: string;
  readonly nodes?: number;
  readonly topology?: string;
  readonly algorithm?: string;
  readonly momentum?: number;
  readonly learningRate?: number;
  readonly weightDecay?: number;
  readonly epochs?: number;
  readonly batch?: number;
  readonly model?: ModelSpec["name"];
  readonly dropout?: number;
  readonly protocol?: "corrected" | "as-run";
  readonly split?: "iid" | "shards" | "dirichlet";
  readonly alpha?: number;
  readonly shards?: number;
  readonly images?: number;
  readonly tests?: number;
  readonly seed?: number;
}

interface Defaults {
  readonly model: ModelSpec["name"];
  readonly epochs: number;
  readonly batch: number;
  readonly momentum: number;
  readonly weightDecay: number;
  readonly learningRate: number | "cifar10" | ((n: number) => number);
  readonly normalisation?: Normalisation;
  readonly augmentation?: { readonly pad: number; readonly flip: boolean };
}

const defaults: Record<DatasetName, Defaults> = {
  mnist: {
    ...{ model: "mnist-cnn", epochs: 20, batch: 64, momentum: 0.5, weightDecay: 0 },
    learningRate: (n) => 0.01 * n,
    normalisation: normalisations.mnist,
  },
  cifar10: {
    ...{ model: "resnet20", epochs: 130, batch: 8, momentum: 0.9, weightDecay: 1e-4 },
    learningRate: "cifar10",
    normalisation: normalisations.cifar10,
    augmentation: { pad: 4, flip: true },
  },
  synthetic: { model: "perceptron", epochs: 5, batch: 16, momentum: 0.5, weightDecay: 0, learningRate: 0.05 },
  own: { model: "perceptron", epochs: 10, batch: 32, momentum: 0.5, weightDecay: 0, learningRate: 0.05 },
};

export interface Settings {
  readonly dataset: DatasetName;
  readonly epochs: number;
  readonly spec: TrainingSpec;
}

export function settingsOf(dataset: DatasetName, options: TrainOptions): Settings {
  const preset = defaults[dataset];
  const protocol = options.protocol ?? "corrected";
  const topology = topologySpec(options);
  const { n } = topology;
  const rate = typeof preset.learningRate === "function" ? preset.learningRate(n) : preset.learningRate;
  const name = options.model ?? preset.model;
  return {
    dataset,
    epochs: options.epochs ?? preset.epochs,
    spec: {
      model: { name, ...(name === "mnist-cnn" ? { dropout: options.dropout ?? 0.5 } : {}) },
      topology,
      algorithm: algorithmSpec(options, preset.momentum),
      learningRate: options.learningRate ?? rate,
      batch: options.batch ?? preset.batch,
      seed: options.seed ?? 0,
      softmax: protocol === "as-run" ? "batch" : "classes",
      weightDecay: options.weightDecay ?? preset.weightDecay,
      split: splitSpec(protocol, options),
      ...(preset.normalisation === undefined ? {} : { normalisation: preset.normalisation }),
      ...(preset.augmentation === undefined ? {} : { augmentation: preset.augmentation }),
    },
  };
}

/** The topology's spec with its defaults written out; a seed is everybody's, also where the family has no use for it. */
function topologySpec(options: TrainOptions): TopologySpec {
  const name = options.topology ?? "od-equidyn";
  const { seed, n, ...others } = options;
  const nodes = options.nodes ?? n ?? 17;
  const values = "seed" in topologies.get(name).options && seed !== undefined ? { ...others, seed } : others;
  return topologyFromOptions(name, { ...values, n: nodes }).spec;
}

/** Momentum belongs to the algorithms that have one. */
function algorithmSpec(options: TrainOptions, preset: number): TrainingSpec["algorithm"] {
  const name = options.algorithm ?? "dmsgd";
  if (options.momentum !== undefined) return { name, momentum: options.momentum };
  return ["dmsgd", "centralised"].includes(name) ? { name, momentum: preset } : { name };
}

function splitSpec(protocol: "corrected" | "as-run", options: TrainOptions): Split | { readonly kind: "dealt" } {
  const kind = options.split ?? "iid";
  if (protocol === "as-run") {
    if (kind === "iid") return { kind: "dealt" };
    throw new InputError("as-run deals the data anew over the nodes every epoch", `--split ${kind}`, "leave it out");
  }
  if (options.alpha !== undefined && kind !== "dirichlet") {
    throw new InputError("--alpha belongs to --split dirichlet", `--split ${kind}`, "add --split dirichlet");
  }
  if (kind === "dirichlet") return { kind, alpha: options.alpha ?? 0.5 };
  if (kind === "shards") return { kind, shards: options.shards ?? 2 };
  return { kind };
}

/** The images that a run trains and is tried on. */
export function dataOf(settings: Settings, options: TrainOptions): TrainAndTest {
  const { dataset, spec } = settings;
  if (dataset === "synthetic") {
    const count = options.images ?? 4000;
    const colour = spec.model.name === "resnet20" ? ({ size: 32, channels: 3 } as const) : {};
    return {
      train: syntheticImages({ count, seed: spec.seed, ...colour }),
      test: syntheticImages({ count: options.tests ?? 1000, first: count, seed: spec.seed, ...colour }),
    };
  }
  const load = { mnist: loadMnist, cifar10: loadCifar10, own: loadOwn }[dataset];
  const { train, test } = load(options.data);
  const cut = (data: Dataset, count: number | undefined) => firstImages(data, count ?? data.count);
  return { train: cut(train, options.images), test: cut(test, options.tests) };
}
