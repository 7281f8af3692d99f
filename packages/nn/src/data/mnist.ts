/** MNIST and its relatives (Fashion-MNIST, KMNIST): an IDX file of images and one of labels. */

import { InputError } from "equitopo/input";
import { checkedDataset, type Dataset } from "./dataset.ts";
import { parseIdx } from "./idx.ts";

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Images and labels from the bytes of two (uncompressed) IDX files. */
export function parseMnist(images: NamedBytes, labels: NamedBytes, classes = 10): Dataset {
  const { dimensions, values } = parseIdx(images.bytes, 3, images.name);
  const [count, height, width] = dimensions;
  const answers = parseIdx(labels.bytes, 1, labels.name);
  if (answers.dimensions[0] !== count) {
    throw new InputError(
      `${labels.name}: ${images.name} holds ${count} images, so there must be ${count} labels`,
      answers.dimensions[0],
      "take both files from the same set (train or t10k)",
    );
  }
  const shape = { height, width, channels: 1 };
  return checkedDataset({ name: images.name, shape, classes, count, images: values, labels: answers.values });
}
