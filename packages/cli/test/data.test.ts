/** Data sets from files: folders, gzip, tar; and errors that name the file and say what to fetch. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openData } from "@equitopo/nn";
import { folderFiles } from "@equitopo/node";
import { InputError } from "equitopo";
import { afterAll, expect, test } from "vitest";

/** Both sets, all of them. */
const load = (data: string) => (place: string) => {
  const found = openData(data, { files: folderFiles(place), seed: 0 });
  return { train: found.train(), test: found.test() };
};
const [loadMnist, loadCifar10, loadOwn] = [load("mnist"), load("cifar10"), load("own")];

const root = mkdtempSync(join(tmpdir(), "equitopo-data-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
function folder(files: Record<string, Uint8Array | string>): string {
  const path = join(root, String(made++));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

const images = (count: number) =>
  Uint8Array.of(0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 2, 0, 0, 0, 2, ...new Array(4 * count).fill(9));
const labels = (count: number) => Uint8Array.of(0, 0, 8, 1, 0, 0, 0, count, ...new Array(count).fill(1));
const mnist = {
  "train-images-idx3-ubyte.gz": gzipSync(images(3)),
  "train-labels-idx1-ubyte": labels(3),
  "t10k-images.idx3-ubyte": images(2),
  "t10k-labels-idx1-ubyte.gz": gzipSync(labels(2)),
};

test("MNIST, plain or gzip, in the folder or below it", () => {
  for (const path of [
    folder(mnist),
    folder(Object.fromEntries(Object.entries(mnist).map(([k, v]) => [`MNIST/raw/${k}`, v]))),
  ]) {
    const { train, test } = loadMnist(path);
    expect([train.count, test.count]).toEqual([3, 2]);
    expect(train.shape).toEqual({ height: 2, width: 2, channels: 1 });
  }
});

test("a missing file: which files, from where, and how to name the folder", () => {
  const { "t10k-labels-idx1-ubyte.gz": _, ...rest } = mnist;
  const path = folder(rest);
  for (const place of [path, join(root, "nowhere")]) {
    expect(() => loadMnist(place)).toThrow(InputError);
    expect(() => loadMnist(place)).toThrow(/t10k-labels-idx1-ubyte\[\.gz\].*https:.*--data DIR or EQUITOPO_DATA/);
  }
});

test("damaged files are named", () => {
  const cut = gzipSync(images(3)).subarray(0, 20);
  expect(() => loadMnist(folder({ ...mnist, "train-images-idx3-ubyte.gz": cut }))).toThrow(
    /train-images-idx3-ubyte\.gz: a gzip file must be whole/,
  );
  expect(() => loadMnist(folder({ ...mnist, "train-labels-idx1-ubyte": labels(4) }))).toThrow(
    /train-labels-idx1-ubyte: .*must be 3 labels, got 4/,
  );
});

const record = (label: number) => Uint8Array.of(label, ...new Array(3072).fill(label));
const batches = Object.fromEntries([
  ...[1, 2, 3, 4, 5].map((k) => [`data_batch_${k}.bin`, record(k)] as const),
  ["test_batch.bin", record(9)] as const,
]);

/** A tar archive of the plainest kind. */
function tar(files: Record<string, Uint8Array>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(`cifar-10-batches-bin/${name}`);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write("        ", 148);
    header.write("0", 156);
    const sum = header.reduce((a, b) => a + b, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

test("CIFAR-10 from a folder, from the archive, and from a folder with the archive", () => {
  const archive = gzipSync(tar(batches));
  const places = [
    folder(batches),
    folder({ "cifar-10-binary.tar.gz": archive }),
    join(folder({ "x.tar.gz": archive }), "x.tar.gz"),
  ];
  for (const place of places) {
    const { train, test } = loadCifar10(place);
    expect([...train.labels]).toEqual([1, 2, 3, 4, 5]);
    expect([...test.labels]).toEqual([9]);
    expect(train.images[0]).toBe(1);
  }
});

test("CIFAR-10: missing, truncated and damaged", () => {
  const { "data_batch_3.bin": _, ...rest } = batches;
  expect(() => loadCifar10(folder(rest))).toThrow(/cifar-10-binary\.tar\.gz.*data_batch_3\.bin.*toronto/);
  expect(() => loadCifar10(folder({ "cifar-10-binary.tar.gz": gzipSync(tar(rest)) }))).toThrow(/data_batch_1\.bin/);
  const archive = tar(batches);
  expect(() => loadCifar10(folder({ "cifar-10-binary.tar": archive.subarray(0, 3000) }))).toThrow(/truncated/);
  // The second header: 512 bytes of the first, and 3073 bytes in whole blocks.
  archive[4096 + 10] ^= 1;
  expect(() => loadCifar10(folder({ "cifar-10-binary.tar": archive }))).toThrow(/sound header/);
});

test("your own tables and arrays", () => {
  const { train, test } = loadOwn(folder({ "train.csv": "1,2,0\n3,4,1\n", "test.csv": "5,6,2\n" }));
  expect([train.classes, test.classes, train.count, test.count]).toEqual([3, 3, 2, 1]);
  expect(() => loadOwn(folder({ "train.csv": "1,2,0\n", "test.csv": "5,6,7,2\n" }))).toThrow(
    /1 x 1 x 2, got "1 x 1 x 3"/,
  );
  expect(() => loadOwn(folder({ "train.csv": "1,2,0\n" }))).toThrow(/train\.csv and test\.csv/);
});
