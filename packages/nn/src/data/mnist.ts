/** MNIST and its relatives (Fashion-MNIST, KMNIST): for training and test an IDX file of images and one of labels. */

import { InputError, type NamedBytes } from "equitopo/internal/input";
import { checkedDataset, type Dataset, normalisations } from "./dataset.ts";
import { parseIdx } from "./idx.ts";
import { defineData, fileData, find, missing, readNamed, type WantedFiles } from "./member.ts";

/** Images and labels from the bytes of two (uncompressed) IDX files. */
export function parseMnist(images: NamedBytes, labels: NamedBytes, classes = 10): Dataset {
  const { dimensions, values } = parseIdx(images.bytes, 3, images.name);
  const [count, height, width] = dimensions;
  const answers = parseIdx(labels.bytes, 1, labels.name);
  if (answers.dimensions[0] !== count) {
    const rule = `${labels.name}: ${images.name} holds ${count} images, so there must be ${count} labels`;
    throw new InputError(rule, answers.dimensions[0], "take both files from the same set (train or t10k)");
  }
  const shape = { height, width, channels: 1 };
  return checkedDataset({ name: images.name, shape, classes, count, images: values, labels: answers.values });
}

const wanted: WantedFiles = {
  title: "MNIST",
  files: ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"].map(
    (name) => `${name}[.gz]`,
  ),
  source: "https://ossci-datasets.s3.amazonaws.com/mnist/ or http://yann.lecun.com/exdb/mnist/",
};

/** The folder itself, or where PyTorch and others put the files below it. */
const folders = ["", "mnist", "MNIST/raw", "raw"];

export const mnist = defineData({
  name: "mnist",
  summary: "60,000 handwritten digits of 28 x 28 pixels (or Fashion-MNIST, KMNIST), and 10,000 for the test",
  options: {},
  defaults: {
    ...{ model: "mnist-cnn", batch: 64, weightDecay: 0, normalisation: normalisations.mnist },
    ...{ epochs: 20, momentum: 0.5, learningRate: (n) => 0.01 * n },
  },
  wanted,
  open(_options, context) {
    const { files } = context;
    const part = (set: string, kind: "images-idx3" | "labels-idx1") => {
      const name = find(files, folders, [`${set}-${kind}-ubyte`, `${set}-${kind.replace("-", ".")}-ubyte`]);
      if (files === undefined || name === undefined) throw missing(wanted, files?.place);
      return { read: () => readNamed(files, name), name };
    };
    const [x, y] = [part("train", "images-idx3"), part("train", "labels-idx1")];
    const [testX, testY] = [part("t10k", "images-idx3"), part("t10k", "labels-idx1")];
    const reader = {
      shape: { height: 28, width: 28, channels: 1 },
      classes: 10,
      labels: parseIdx(y.read().bytes, 1, y.name).values,
      train: () => parseMnist(x.read(), y.read()),
      test: () => parseMnist(testX.read(), testY.read()),
    };
    return fileData(reader, context);
  },
});
