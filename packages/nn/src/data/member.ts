/**
 * What a data set of the registry is: where its files are, what the paper does with it, and how a node that needs only its
 * own share comes by it: labels first, then the images of some numbers.
 */

import type { Files } from "equitopo";
import { type AnyFamily, InputError, type NamedBytes, type Options, type Values } from "equitopo/internal/input";
import type { Images } from "../model/member.ts";
import type { ModelSpec } from "../model/registry.ts";
import { type Dataset, firstImages, type Normalisation, takeImages } from "./dataset.ts";

/** Where data is found, and how much of it is wanted. */
export interface DataContext {
  readonly files?: Files;
  readonly seed: number;
  /** The first so many training and test images; all where left out. */
  readonly images?: number;
  readonly tests?: number;
}

/** A data set that was found. */
export interface OpenData extends Images {
  /** Training images. */
  readonly count: number;
  /** The labels of all training images. */
  labels(): ArrayLike<number>;
  /** The training images of these numbers, in this order; all where left out. */
  train(index?: Int32Array): Dataset;
  test(): Dataset;
  /** Where every node has data of its own that nobody else sees; then there is nothing to split. */
  readonly own?: { readonly stepsPerEpoch: number; of(node: number): Dataset };
}

/** What a problem takes where its spec says nothing: the paper's (Appendix D.3, learning rates as run). */
export interface Defaults {
  readonly model: ModelSpec;
  readonly batch: number;
  readonly weightDecay: number;
  readonly normalisation?: Normalisation;
  readonly augmentation?: { readonly pad: number; readonly flip: boolean };
  /** For `equitopo train`: passes over the data, momentum, and the learning rate on n nodes. */
  readonly epochs: number;
  readonly momentum: number;
  readonly learningRate: (n: number) => number | string;
}

/** A member of the registry of data sets: one file each. */
export interface DataFamily<O extends Options = Options> extends AnyFamily {
  readonly options: O;
  readonly defaults: Defaults;
  /** The files it is read from; left out where it needs none. */
  readonly wanted?: WantedFiles;
  open(options: Values<O>, context: DataContext): OpenData;
}

export const defineData = <O extends Options>(member: DataFamily<O>): DataFamily<O> => member;

/** A data set in files: the labels of all training images, and how both sets are read as a whole. */
export interface DataReader extends Images {
  readonly labels: Dataset["labels"];
  train(): Dataset;
  test(): Dataset;
}

/** The data set that a reader reads, as much of it as is wanted. */
export function fileData(reader: DataReader, { images, tests }: DataContext): OpenData {
  const { shape, classes, labels } = reader;
  const count = Math.min(labels.length, images ?? labels.length);
  return {
    shape,
    classes,
    count,
    labels: () => labels.subarray(0, count),
    train(index) {
      const train = firstImages(reader.train(), count);
      return index === undefined ? train : takeImages(train, index);
    },
    test() {
      const test = reader.test();
      return firstImages(test, tests ?? test.count);
    },
  };
}

/** A data set that could only be read as a whole. */
export function wholeData({ train, test }: { train: Dataset; test: Dataset }, context: DataContext): OpenData {
  const { shape, classes, labels } = train;
  return fileData({ shape, classes, labels, train: () => train, test: () => test }, context);
}

/** What a data set needs and where it is usually had: the text of the error when it is not there. */
export interface WantedFiles {
  readonly title: string;
  readonly files: readonly string[];
  /** Where they are usually fetched from; none where they are written. */
  readonly source?: string;
}

export function missing({ title, files, source }: WantedFiles, place: string | undefined): InputError {
  const how =
    source === undefined ? "write them (equitopo train --help says how)" : `fetch them (usually from ${source})`;
  return new InputError(
    `${title} is read from a folder with ${files.join(", ")}`,
    place,
    `${how} and name the folder with --data DIR or EQUITOPO_DATA`,
  );
}

/** The first of `names` that is there, in one of the folders. */
export function find(files: Files | undefined, folders: readonly string[], names: readonly string[]) {
  const paths = folders.flatMap((folder) => names.map((name) => (folder === "" ? name : `${folder}/${name}`)));
  return paths.find((path) => files?.has(path));
}

/** A file's bytes with its name, for the parsers' errors. */
export const readNamed = (files: Files, name: string): NamedBytes => ({ name, bytes: files.read(name) });
