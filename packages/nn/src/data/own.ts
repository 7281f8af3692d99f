/**
 * Your own data, as tables (.csv) or NumPy arrays (.npy):
 * - a folder with train.csv and test.csv, or train-images.npy, train-labels.npy and the same for test, which is split;
 * - or files by name, where `%r` in the training file's stands for the node's number: then every node reads its own file,
 *   which nobody else needs to have. Lengths may differ; so the spec says the steps of an epoch, the classes and the shape.
 */

import type { Files } from "equitopo";
import { InputError, option, type Values } from "equitopo/internal/input";
import { readBy, text, wholes } from "../options.ts";
import { type CsvOptions, parseCsv } from "./csv.ts";
import { checkedDataset, type Dataset, firstImages, matched, numberLabelled } from "./dataset.ts";
import type { DataContext, OpenData, WantedFiles } from "./member.ts";
import { defineData, find, missing, readNamed, wholeData } from "./member.ts";
import { parseNpyDataset } from "./npy.ts";

const wanted: WantedFiles = {
  title: "your own data",
  files: ["train.csv and test.csv", "or train-images.npy, train-labels.npy, test-images.npy, test-labels.npy"],
};

const column = readBy<string | number | undefined>(
  undefined,
  "a column's name, or its number from 0 on",
  "leave it out for the last column",
  (value) => (typeof value === "string" || Number.isInteger(value) ? (value as string | number) : undefined),
  "a column's name or number",
);

const options = {
  label: column,
  file: text("the training file; %r is the node's number"),
  labels: text("its labels, where it is .npy"),
  test: text("the test file"),
  testLabels: text("its labels, where it is .npy"),
  classes: option.optional(option.whole(10, 2)),
  shape: wholes(undefined),
  stepsPerEpoch: option.optional(option.whole(100, 1)),
};

type Options = Values<typeof options>;

export const own = defineData({
  name: "own",
  summary: "your own tables (.csv) or arrays (.npy): one set that is split, or a file for each node",
  options,
  defaults: {
    ...{ model: "perceptron", batch: 32, weightDecay: 0 },
    ...{ epochs: 10, momentum: 0.5, learningRate: () => 0.05 },
  },
  wanted,
  open(options, context) {
    const { files } = context;
    if (files === undefined) throw missing(wanted, undefined);
    if (options.stepsPerEpoch !== undefined && !options.file?.includes("%r")) {
      const remedy = "leave it out, or write %r for the node's number in file";
      throw new InputError("stepsPerEpoch belongs to a file for each node", options.stepsPerEpoch, remedy);
    }
    if (options.file === undefined) return wholeData(inFolder(files, options), context);
    if (options.file.includes("%r")) return apart(files, options, context);
    return wholeData(matched(readSet(files, options.file, options.labels, options), testSet(files, options)), context);
  },
});

/** A file for each node. */
function apart(files: Files, options: Options, { images, tests }: DataContext): OpenData {
  if (images !== undefined) {
    const rule = "images are the first of a set that is split, not of a file for each node";
    throw new InputError(rule, images, "leave it out");
  }
  const { classes, stepsPerEpoch } = options;
  if (classes === undefined || stepsPerEpoch === undefined || options.shape === undefined) {
    const rule = "a file for each node needs classes, shape and stepsPerEpoch beside it: nobody sees all files";
    throw new InputError(rule, options.file, "say them in the spec, beside file");
  }
  const named = (name: string, node: number) => name.replaceAll("%r", String(node));
  const nothing = () => {
    throw new InputError("data that every node has for itself is not split", options.file, "leave out split");
  };
  return {
    ...{ shape: shapeOf(options.shape), classes, count: 0, labels: nothing, train: nothing },
    test() {
      const data = numberLabelled(testSet(files, options));
      return firstImages(data, tests ?? data.count);
    },
    own: {
      stepsPerEpoch,
      of(node) {
        const labels = options.labels === undefined ? undefined : named(options.labels, node);
        return numberLabelled(readSet(files, named(options.file as string, node), labels, options));
      },
    },
  };
}

function inFolder(files: Files, options: Options): { train: Dataset; test: Dataset } {
  const set = (name: "train" | "test"): Dataset => {
    const csv = find(files, [""], [`${name}.csv`]);
    if (csv !== undefined) return readSet(files, csv, undefined, options);
    const [images, labels] = [`${name}-images.npy`, `${name}-labels.npy`];
    if (!files.has(images) || !files.has(labels)) throw missing(wanted, files.place);
    return readSet(files, images, labels, options);
  };
  return matched(set("train"), set("test"));
}

function testSet(files: Files, options: Options): Dataset {
  if (options.test !== undefined) return readSet(files, options.test, options.testLabels, options);
  throw new InputError("a training file needs a test file beside it", options.test, "say test in the spec");
}

/** One file of examples; .npy has its labels beside. Shape and classes are those of the spec, where it says them. */
function readSet(files: Files, name: string, labels: string | undefined, options: Options): Dataset {
  for (const path of [name, ...(labels === undefined ? [] : [labels])]) {
    if (!files.has(path)) throw new InputError("a data file must be there", path, "check its name, and --data DIR");
  }
  const data = read(files, name, labels, options.label === undefined ? {} : { label: options.label });
  const { shape, classes = data.classes } = options;
  return checkedDataset({ ...data, classes, ...(shape === undefined ? {} : { shape: shapeOf(shape) }) });
}

function read(files: Files, name: string, labels: string | undefined, options: CsvOptions): Dataset {
  if (labels !== undefined) return parseNpyDataset(readNamed(files, name), readNamed(files, labels));
  if (!/\.npy(\.gz)?$/.test(name)) return parseCsv(new TextDecoder().decode(files.read(name)), name, options);
  throw new InputError(`${name} needs a file of labels beside it`, labels, "say labels (and testLabels) in the spec");
}

function shapeOf(sizes: readonly number[]): Dataset["shape"] {
  if (sizes.length === 1) return { height: 1, width: 1, channels: sizes[0] };
  if (sizes.length === 3) return { height: sizes[0], width: sizes[1], channels: sizes[2] };
  throw new InputError("shape must be [features] or [height, width, channels]", sizes, "count them");
}
