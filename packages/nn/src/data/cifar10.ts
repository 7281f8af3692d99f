/**
 * CIFAR-10, binary version: records of one label byte and 3072 bytes of one 32 x 32 image, the red plane first, then
 * green and blue, 10,000 records a file.
 */

import type { Files } from "equitopo";
import { InputError, type NamedBytes } from "equitopo/internal/input";
import { checkedDataset, type Dataset, normalisations } from "./dataset.ts";
import { defineData, find, missing, readNamed, type WantedFiles, wholeData } from "./member.ts";
import { readTar } from "./tar.ts";

const PIXELS = 1024;
const RECORD = 1 + 3 * PIXELS;

/** The images of several batch files, one after another, with channels innermost. */
export function parseCifar10(files: readonly NamedBytes[]): Dataset {
  let count = 0;
  for (const { name, bytes } of files) {
    if (bytes.length === 0 || bytes.length % RECORD !== 0) {
      const rule = `${name}: a CIFAR-10 batch is a whole number of records of ${RECORD} bytes`;
      throw new InputError(rule, bytes.length, "fetch the binary version again (the Python version will not do)");
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
        const rule = `${name}: every record begins with a label from 0 to 9`;
        const remedy = `record ${from / RECORD} is not one: check that it is a CIFAR-10 (not CIFAR-100) batch`;
        throw new InputError(rule, bytes[from], remedy);
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

const trainNames = [1, 2, 3, 4, 5].map((k) => `data_batch_${k}.bin`);
const testName = "test_batch.bin";
const archive = "cifar-10-binary.tar.gz";

const wanted: WantedFiles = {
  title: "CIFAR-10",
  files: ["data_batch_1.bin to data_batch_5.bin", testName, `or ${archive}`],
  source: `https://www.cs.toronto.edu/~kriz/${archive}`,
};

const folders = ["", "cifar-10-batches-bin", "cifar10", "cifar-10"];

/** A batch by its name, from the folder or (where the folder has only that) from the archive. */
function batches(files: Files): (name: string) => NamedBytes {
  const named = /\.tar(\.gz)?$/.test(files.place ?? "") ? files.place : undefined;
  const packed = find(files, folders, [archive, "cifar-10-binary.tar"]) ?? named;
  if (packed === undefined || find(files, folders, [testName]) !== undefined) {
    return (name) => {
      const path = find(files, folders, [name]);
      if (path === undefined) throw missing(wanted, files.place && [files.place, name].join("/"));
      return readNamed(files, path);
    };
  }
  const inside = readTar(readNamed(files, packed));
  return (name) => {
    const bytes = inside.get(name);
    if (bytes === undefined) throw missing(wanted, packed);
    return { name: `${packed}: ${name}`, bytes };
  };
}

export const cifar10 = defineData({
  name: "cifar10",
  summary: "50,000 colour images of 32 x 32 pixels, and 10,000 for the test",
  options: {},
  defaults: {
    ...{ model: "resnet20", batch: 8, weightDecay: 1e-4, normalisation: normalisations.cifar10 },
    ...{ augmentation: { pad: 4, flip: true }, epochs: 130, momentum: 0.9, learningRate: () => "cifar10" },
  },
  wanted,
  open(_options, context) {
    const { files } = context;
    if (files === undefined) throw missing(wanted, undefined);
    const read = batches(files);
    return wholeData({ train: parseCifar10(trainNames.map(read)), test: parseCifar10([read(testName)]) }, context);
  },
});
