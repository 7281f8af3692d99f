/**
 * CIFAR-10, binary version: records of one label byte and 3072 bytes of one 32 x 32 image, the red plane first, then
 * green and blue, 10,000 records a file.
 */

import { InputError } from "equitopo/input";
import { checkedDataset, type Dataset } from "./dataset.ts";
import type { NamedBytes } from "./mnist.ts";

const PIXELS = 1024;
const RECORD = 1 + 3 * PIXELS;

/** The images of several batch files, one after another, with channels innermost. */
export function parseCifar10(files: readonly NamedBytes[]): Dataset {
  let count = 0;
  for (const { name, bytes } of files) {
    if (bytes.length === 0 || bytes.length % RECORD !== 0) {
      throw new InputError(
        `${name}: a CIFAR-10 batch is a whole number of records of ${RECORD} bytes`,
        bytes.length,
        "fetch the binary version again (the Python version will not do)",
      );
    }
    count += bytes.length / RECORD;
  }
  const images = new Uint8Array(count * 3 * PIXELS);
  const labels = new Uint8Array(count);
  let image = 0;
  for (const { name, bytes } of files) {
    for (let from = 0; from < bytes.length; from += RECORD, image++) {
      labels[image] = bytes[from];
      if (bytes[from] > 9) {
        throw new InputError(
          `${name}: every record begins with a label from 0 to 9`,
          bytes[from],
          `record ${from / RECORD} is not one: check that it is a CIFAR-10 (not CIFAR-100) batch`,
        );
      }
      const to = 3 * PIXELS * image;
      for (let p = 0; p < PIXELS; p++) {
        for (let c = 0; c < 3; c++) images[to + 3 * p + c] = bytes[from + 1 + PIXELS * c + p];
      }
    }
  }
  const shape = { height: 32, width: 32, channels: 3 };
  return checkedDataset({ name: files[0]?.name ?? "CIFAR-10", shape, classes: 10, count, images, labels });
}
