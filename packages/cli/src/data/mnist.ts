/** MNIST from its four IDX files, plain or gzip; Fashion-MNIST and KMNIST have the same names and formats. */

import { type Dataset, parseMnist } from "equitopo";
import { findFile, readData } from "./files.ts";
import { dataPlace, missing, type Wanted } from "./folder.ts";

export interface TrainAndTest {
  readonly train: Dataset;
  readonly test: Dataset;
}

const wanted: Wanted = {
  title: "MNIST",
  files: ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"].map(
    (name) => `${name}[.gz]`,
  ),
  source: "https://ossci-datasets.s3.amazonaws.com/mnist/ or http://yann.lecun.com/exdb/mnist/",
};

/** The folder itself, or where PyTorch and others put the files below it. */
const folders = ["", "mnist", "MNIST/raw", "raw"];

/** The training and the test set in a folder. */
export function loadMnist(folder: string | undefined): TrainAndTest {
  const place = dataPlace(folder, wanted);
  const part = (set: string, kind: "images-idx3" | "labels-idx1") => {
    const names = [`${set}-${kind}-ubyte`, `${set}-${kind.replace("-", ".")}-ubyte`];
    const path = findFile(place, folders, names);
    if (path === undefined) throw missing(wanted, place);
    return readData(path);
  };
  const set = (name: string) => parseMnist(part(name, "images-idx3"), part(name, "labels-idx1"));
  return { train: set("train"), test: set("t10k") };
}
