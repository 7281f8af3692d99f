/**
 * What the spec of a classification problem says, with the data set's defaults (the paper's) where it says nothing. The
 * two protocols of the paper's experiments differ only in here (errata of its code): softmax over the classes or over the
 * batch, shares that stay or data dealt anew every epoch.
 */

import { InputError, integer, nonnegative, oneOf, onlyKeys, real } from "equitopo/input";
import type { Normalisation } from "../data/dataset.ts";
import { type DataSpec, dataSets } from "../data/registry.ts";
import { chooseSplit, type Split } from "../data/split.ts";
import type { SoftmaxAxis } from "../model/bound.ts";
import type { ModelSpec } from "../model/registry.ts";
import { named } from "../options.ts";

export interface ClassificationOptions {
  readonly n: number;
  /** mnist, cifar10, synthetic, own, or one of these with options. */
  readonly data: DataSpec;
  /** A name, a name with options, or `{ layers: [...] }`. */
  readonly model?: ModelSpec;
  /** Images that a node sees in a step. */
  readonly batch?: number;
  /** Who holds what: iid (default), shards, dirichlet, dealt. */
  readonly split?: Split;
  /** Default "classes"; "batch" as the paper's code did. */
  readonly softmax?: SoftmaxAxis;
  readonly weightDecay?: number;
  readonly normalisation?: Normalisation | "none";
  readonly augmentation?: { readonly pad: number; readonly flip: boolean } | "none";
  /** The first so many training and test images. */
  readonly images?: number;
  readonly tests?: number;
  /** What nodes' own models are tried on: all test images (default), their share of them, or (averaged) not at all. */
  readonly try?: Trial;
  /** The file of a saved model to start from. */
  readonly start?: string;
  readonly seed?: number;
}

export type Trial = "all" | "share" | "averaged";

export interface Settings {
  readonly n: number;
  readonly data: DataSpec;
  readonly model: ModelSpec;
  readonly batch: number;
  readonly split: Split;
  readonly softmax: SoftmaxAxis;
  readonly weightDecay: number;
  readonly normalisation: Normalisation | undefined;
  readonly augmentation: { readonly pad: number; readonly flip: boolean } | undefined;
  readonly images: number | undefined;
  readonly tests: number | undefined;
  readonly try: Trial;
  readonly start: string | undefined;
  readonly seed: number;
}

/** What it takes beside n. */
export const optionNames = [
  ...["data", "model", "batch", "split", "softmax", "weightDecay", "normalisation", "augmentation"],
  ...["images", "tests", "try", "start", "seed"],
] as const;

export function settingsOf(options: ClassificationOptions): Settings {
  onlyKeys("classification", options, ["n", ...optionNames]);
  const { defaults } = dataSets.get(named("data", options.data).name);
  const { split = "iid", start } = options;
  chooseSplit(split);
  if (start !== undefined && typeof start !== "string") {
    throw new InputError("start must be the name of a saved model's file", start, "put it in quotes");
  }
  return {
    n: integer("n", options.n, 1),
    data: options.data,
    model: options.model ?? defaults.model,
    batch: integer("batch", options.batch ?? defaults.batch, 1),
    split,
    softmax: oneOf("softmax", options.softmax ?? "classes", ["classes", "batch"]),
    weightDecay: real("weightDecay", options.weightDecay ?? defaults.weightDecay, { min: 0, max: 1 }, 1e-4),
    normalisation: normalisationOf(options.normalisation ?? defaults.normalisation),
    augmentation: augmentationOf(options.augmentation ?? defaults.augmentation),
    images: options.images === undefined ? undefined : integer("images", options.images, 1),
    tests: options.tests === undefined ? undefined : integer("tests", options.tests, 1),
    try: oneOf("try", options.try ?? "all", ["all", "share", "averaged"]),
    start,
    seed: integer("seed", options.seed ?? 0, 0),
  };
}

function normalisationOf(value: Normalisation | "none" | undefined): Normalisation | undefined {
  if (value === undefined || value === "none") return undefined;
  const { mean, deviation } = value;
  const numbers = (list: unknown) => Array.isArray(list) && list.every((one) => Number.isFinite(one));
  if (numbers(mean) && numbers(deviation) && deviation.every((one) => one > 0)) return { mean, deviation };
  throw new InputError(
    "normalisation must be none, or mean and deviation of each channel",
    value,
    "try { mean: [0.5], deviation: [0.5] }",
  );
}

function augmentationOf(value: ClassificationOptions["augmentation"]): Settings["augmentation"] {
  if (value === undefined || value === "none") return undefined;
  onlyKeys("augmentation", value, ["pad", "flip"]);
  return { pad: real("pad", value.pad ?? 4, nonnegative, 4), flip: value.flip ?? true };
}
