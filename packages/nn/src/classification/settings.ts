/**
 * What the spec of a classification problem says, with the data set's defaults (the paper's) where it says nothing. The
 * two protocols of the paper's experiments differ only in here (errata of its code): softmax over the classes or over the
 * batch, shares that stay or data dealt anew every epoch.
 */

import type { Values } from "equitopo/internal/input";
import { integer, nonnegative, onlyKeys, option, real, settle } from "equitopo/internal/input";
import type { Augmentation } from "../data/batch.ts";
import type { Normalisation } from "../data/dataset.ts";
import { type DataSpec, dataSets } from "../data/registry.ts";
import { chooseSplit, type Split } from "../data/split.ts";
import { hasLayers, type ModelSpec, models } from "../model/registry.ts";
import { chosen, named, readBy, text } from "../options.ts";

/** What nodes' own models are tried on: all test images, their share of them, or (averaged) nothing. */
export type Trial = "all" | "share" | "averaged";

/** 4 pixels of padding, random flip and crop are the paper's for CIFAR-10. */
export type AugmentationSpec = Omit<Augmentation, "seed">;

const data = chosen<DataSpec>(
  "synthetic",
  "mnist, cifar10, synthetic, plane, own, or one of these with its options",
  (value) => dataSets.get(named("data", value).name),
);

const model = chosen<ModelSpec>(
  "perceptron",
  "a name, a name with options, or { layers: [...] }",
  (value) => hasLayers(value) || models.get(named("model", value).name),
);

const split = chosen<Split>("iid", "iid, shards, dirichlet, dealt, or one of these with its options", chooseSplit);

const normalisation = readBy<Normalisation | "none">(
  "none",
  "none, or mean and deviation of each channel",
  "try { mean: [0.5], deviation: [0.5] }",
  (value) => {
    if (value === "none") return value;
    const { mean, deviation } = Object(value) as Normalisation;
    const numbers = (list: unknown) => Array.isArray(list) && list.every((one) => Number.isFinite(one));
    return numbers(mean) && numbers(deviation) && deviation.every((one) => one > 0) ? { mean, deviation } : undefined;
  },
);

const augmentation = readBy<AugmentationSpec | "none">(
  "none",
  "none, or pad and flip",
  "try { pad: 4, flip: true }",
  (value, name) => {
    if (value === "none") return value;
    if (typeof value !== "object" || value === null) return undefined;
    onlyKeys(name, value, ["pad", "flip"]);
    const { pad = 4, flip = true } = value as Partial<AugmentationSpec>;
    return { pad: real("pad", pad, nonnegative, 4), flip: flip === true };
  },
);

/** What it takes beside n; what is optional is the data set's. */
export const options = {
  data: option.required(data),
  model: option.optional(model),
  batch: option.about(option.optional(option.whole(64, 1)), "images that a node sees in a step"),
  split: option.about(split, "who holds what"),
  softmax: option.about(option.word("classes", "batch"), "over what; batch as the paper's code did"),
  weightDecay: option.optional(option.number(1e-4, { min: 0, max: 1 })),
  normalisation: option.optional(normalisation),
  augmentation: option.optional(augmentation),
  images: option.about(option.optional(option.whole(6000, 1)), "the first so many training images"),
  tests: option.about(option.optional(option.whole(1000, 1)), "the first so many test images"),
  try: option.about(option.word<Trial>("all", "share", "averaged"), "what nodes' own models are tried on"),
  start: option.about(text("a file"), "a saved model to start from"),
  seed: option.seed,
};

/** A spec: what has a default may be left out. */
export type ClassificationOptions = { readonly n: number; readonly data: DataSpec } & Partial<Values<typeof options>>;

export interface Settings extends Omit<Values<typeof options>, "normalisation" | "augmentation"> {
  readonly n: number;
  readonly model: ModelSpec;
  readonly batch: number;
  readonly weightDecay: number;
  readonly normalisation: Normalisation | undefined;
  readonly augmentation: AugmentationSpec | undefined;
}

export function settingsOf({ n, ...given }: ClassificationOptions): Settings {
  const values = settle("classification", options, given);
  const { defaults } = dataSets.get(named("data", values.data).name);
  const unless = <T>(value: T | "none" | undefined) => (value === "none" ? undefined : value);
  return {
    ...values,
    n: integer("n", n, 1),
    model: values.model ?? defaults.model,
    batch: values.batch ?? defaults.batch,
    weightDecay: values.weightDecay ?? defaults.weightDecay,
    normalisation: unless(values.normalisation ?? defaults.normalisation),
    augmentation: unless(values.augmentation ?? defaults.augmentation),
  };
}
