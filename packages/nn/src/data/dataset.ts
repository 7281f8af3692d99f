/** Labelled images in memory, and how they enter a network. */

import { InputError } from "equitopo/internal/input";
import type { Shape } from "../model/spec.ts";

export interface Dataset {
  readonly name: string;
  /** The size of one image; a row of a table is an image of one pixel. */
  readonly shape: Shape;
  readonly classes: number;
  readonly count: number;
  /** count x height x width x channels, the last fastest. Bytes count as fractions of 255. */
  readonly images: Uint8Array | Float32Array;
  /** count labels in [0, classes). */
  readonly labels: Uint8Array | Int32Array;
  /** Where labels were words: class k was called words[k]. */
  readonly words?: readonly string[];
}

/** (value - mean) / deviation for every channel, after bytes became fractions of 255. */
export interface Normalisation {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** Mean and deviation of the training images: the paper's code's constants for MNIST, the usual ones for CIFAR-10. */
export const normalisations = {
  mnist: { mean: [0.1307], deviation: [0.3081] },
  cifar10: { mean: [0.4914, 0.4822, 0.4465], deviation: [0.2023, 0.1994, 0.201] },
} as const satisfies Record<string, Normalisation>;

/** The data set, or an error that names what does not fit together. */
export function checkedDataset(data: Dataset): Dataset {
  const { height, width, channels } = data.shape;
  const size = height * width * channels;
  if (data.images.length !== data.count * size) {
    throw new InputError(
      `${data.name}: ${data.count} images of ${height} x ${width} x ${channels} are ${data.count * size} numbers`,
      data.images.length,
      "check that the file is whole",
    );
  }
  if (data.labels.length !== data.count) {
    const rule = `${data.name}: ${data.count} images need ${data.count} labels`;
    throw new InputError(rule, data.labels.length, "take images and labels from the same set");
  }
  for (let k = 0; k < data.count; k++) {
    if (data.labels[k] < data.classes && data.labels[k] >= 0) continue;
    const rule = `${data.name}: labels lie in 0 to ${data.classes - 1}`;
    throw new InputError(rule, data.labels[k], `look at image ${k}, or raise the number of classes`);
  }
  return data;
}

/** The first images as a data set of their own: for quick runs. The views share memory. */
export function firstImages(data: Dataset, count: number): Dataset {
  if (count >= data.count) return data;
  const size = data.images.length / data.count;
  return { ...data, count, images: data.images.subarray(0, count * size), labels: data.labels.subarray(0, count) };
}

/** The images of these numbers, in this order: a copy. */
export function takeImages(data: Dataset, index: Int32Array): Dataset {
  const size = data.images.length / data.count;
  const Kind = data.images instanceof Uint8Array ? Uint8Array : Float32Array;
  const images = new Kind(index.length * size);
  index.forEach((from, k) => {
    images.set(data.images.subarray(from * size, (from + 1) * size), k * size);
  });
  return { ...data, count: index.length, images, labels: Int32Array.from(index, (k) => data.labels[k]) };
}

/** Both sets have the same shape of images; the classes are those of the two together. */
export function matched(train: Dataset, test: Dataset): { train: Dataset; test: Dataset } {
  const size = ({ shape }: Dataset) => `${shape.height} x ${shape.width} x ${shape.channels}`;
  if (size(train) !== size(test)) {
    const rule = `${test.name}: test images are like the training images, ${size(train)}`;
    throw new InputError(rule, size(test), "check both");
  }
  const numbered = alike(train, test);
  const classes = Math.max(train.classes, numbered.classes);
  return { train: { ...train, classes }, test: { ...numbered, classes } };
}

/** The test set with its words numbered as the training set numbers them: by itself it would count its own only. */
function alike(train: Dataset, test: Dataset): Dataset {
  const kind = ({ words }: Dataset) => (words === undefined ? "numbers" : "words");
  if (kind(train) !== kind(test)) {
    const rule = `${test.name}: labels are ${kind(train)}, as in ${train.name}`;
    throw new InputError(rule, kind(test), "write both files alike");
  }
  const { words } = train;
  if (words === undefined || test.words === undefined) return test;
  const places = test.words.map((word) => {
    const at = words.indexOf(word);
    if (at >= 0) return at;
    const rule = `${test.name}: a label must be one of ${words.join(", ")}, which ${train.name} has`;
    throw new InputError(rule, word, "correct it, or train on examples of it");
  });
  return { ...test, words, classes: train.classes, labels: Int32Array.from(test.labels, (label) => places[label]) };
}

/** The data set, or an error where its labels are words and nobody knows how others number theirs. */
export function numberLabelled(data: Dataset): Dataset {
  if (data.words === undefined) return data;
  const rule = `${data.name}: labels are numbers from 0 on where the files of others are not seen`;
  throw new InputError(rule, data.words[0], "write numbers, the same for a word in every file");
}
