/** One's own data: train.csv and test.csv, or train-images.npy, train-labels.npy and the same for test. */

import { type CsvOptions, type Dataset, InputError, parseCsv, parseNpyDataset } from "equitopo";
import { findFile, readData } from "./files.ts";
import { dataPlace, missing, type Wanted } from "./folder.ts";
import type { TrainAndTest } from "./mnist.ts";

const wanted: Wanted = {
  title: "one's own data",
  files: ["train.csv and test.csv", "or train-images.npy, train-labels.npy, test-images.npy, test-labels.npy"],
  source: "one's own program",
};

export function loadOwn(folder: string | undefined, options: CsvOptions = {}): TrainAndTest {
  const place = dataPlace(folder, wanted);
  const set = (name: "train" | "test"): Dataset => {
    const csv = findFile(place, [""], [`${name}.csv`]);
    if (csv !== undefined) {
      const { bytes } = readData(csv);
      return parseCsv(new TextDecoder().decode(bytes), csv, options);
    }
    const images = findFile(place, [""], [`${name}-images.npy`]);
    const labels = findFile(place, [""], [`${name}-labels.npy`]);
    if (images === undefined || labels === undefined) throw missing(wanted, place);
    return parseNpyDataset(readData(images), readData(labels));
  };
  return matched(set("train"), set("test"));
}

/** Both sets have the same shape of images; the classes are those of the two together. */
function matched(train: Dataset, test: Dataset): TrainAndTest {
  const size = ({ shape }: Dataset) => `${shape.height} x ${shape.width} x ${shape.channels}`;
  if (size(train) !== size(test)) {
    throw new InputError(
      `${test.name}: test images are like the training images, ${size(train)}`,
      size(test),
      "check both",
    );
  }
  const classes = Math.max(train.classes, test.classes);
  return { train: { ...train, classes }, test: { ...test, classes } };
}
