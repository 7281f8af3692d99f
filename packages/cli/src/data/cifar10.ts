/** CIFAR-10 from its binary version: a folder of batches, or the archive as it is fetched. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { type NamedBytes, parseCifar10 } from "equitopo";
import { findFile, readData, readTar } from "./files.ts";
import { dataPlace, missing, type Wanted } from "./folder.ts";
import type { TrainAndTest } from "./mnist.ts";

const trainNames = [1, 2, 3, 4, 5].map((k) => `data_batch_${k}.bin`);
const testName = "test_batch.bin";
const archive = "cifar-10-binary.tar.gz";

const wanted: Wanted = {
  title: "CIFAR-10",
  files: ["data_batch_1.bin to data_batch_5.bin", testName, `or ${archive}`],
  source: `https://www.cs.toronto.edu/~kriz/${archive}`,
};

const folders = ["", "cifar-10-batches-bin", "cifar10", "cifar-10"];

/** The training and the test set in a folder, or in the archive itself. */
export function loadCifar10(folder: string | undefined): TrainAndTest {
  const place = dataPlace(folder, wanted);
  const packed = statSync(place).isFile() ? place : findFile(place, folders, [archive, "cifar-10-binary.tar"]);
  const unpacked = packed === place ? undefined : findFile(place, folders, [testName]);
  let read: (name: string) => NamedBytes;
  if (unpacked === undefined && packed !== undefined) {
    const files = readTar(readData(packed));
    read = (name) => {
      const bytes = files.get(name);
      if (bytes === undefined) throw missing(wanted, packed);
      return { name: `${packed}: ${name}`, bytes };
    };
  } else {
    read = (name) => {
      const path = findFile(place, folders, [name]);
      if (path === undefined) throw missing(wanted, join(place, name));
      return readData(path);
    };
  }
  return { train: parseCifar10(trainNames.map(read)), test: parseCifar10([read(testName)]) };
}
