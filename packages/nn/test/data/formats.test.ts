/** The parsers of data files: what they read, and what they say about what they cannot. */

import { encodeNpy, InputError, parseNpy } from "equitopo/internal/input";
import { describe, expect, it } from "vitest";
import { parseCifar10 } from "../../src/data/cifar10.ts";
import { parseCsv } from "../../src/data/csv.ts";
import { firstImages } from "../../src/data/dataset.ts";
import { parseMnist } from "../../src/data/mnist.ts";
import { parseNpyDataset } from "../../src/data/npy.ts";

function idx(dimensions: readonly number[], values: readonly number[], type = 8): Uint8Array {
  const header = new DataView(new ArrayBuffer(4 + 4 * dimensions.length));
  header.setUint8(2, type);
  header.setUint8(3, dimensions.length);
  dimensions.forEach((size, k) => {
    header.setUint32(4 + 4 * k, size);
  });
  return Uint8Array.of(...new Uint8Array(header.buffer), ...values);
}

const images = { name: "images", bytes: idx([2, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) };
const labels = { name: "labels", bytes: idx([2], [3, 1]) };

describe("IDX", () => {
  it("gives images and labels", () => {
    const data = parseMnist(images, labels);
    expect(data.shape).toEqual({ height: 2, width: 3, channels: 1 });
    expect([...data.images]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect([...data.labels]).toEqual([3, 1]);
    expect([...firstImages(data, 1).images]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(firstImages(data, 5)).toBe(data);
  });

  it.each([
    ["a wrong magic number", idx([2, 2, 3], [], 13), /images: the magic number .* 0x00000803, got "0x00000d03"/],
    ["the labels in place of the images", idx([12], new Array(12).fill(0)), /0x00000803, got "0x00000801"/],
    ["a compressed file", Uint8Array.of(0x1f, 0x8b, ...new Array(30).fill(0)), /still compressed/],
    ["a truncated file", images.bytes.subarray(0, 20), /2 x 2 x 3 bytes .* make 28 in all, got 20; .*truncated/],
    ["a file that is too long", Uint8Array.of(...images.bytes, 0), /got 29; the file is too long/],
    ["an empty file", new Uint8Array(0), /an IDX header has 16 bytes, got 0/],
  ])("says so of %s", (_, bytes, message) => {
    expect(() => parseMnist({ name: "images", bytes }, labels)).toThrow(InputError);
    expect(() => parseMnist({ name: "images", bytes }, labels)).toThrow(message);
  });

  it("says so of mismatched counts and impossible labels", () => {
    expect(() => parseMnist(images, { name: "labels", bytes: idx([3], [1, 2, 3]) })).toThrow(
      /images holds 2 images, so there must be 2 labels, got 3/,
    );
    expect(() => parseMnist(images, { name: "labels", bytes: idx([2], [1, 10]) })).toThrow(
      /labels lie in 0 to 9, got 10/,
    );
  });
});

describe("CIFAR-10", () => {
  const record = (label: number) => {
    const bytes = new Uint8Array(3073);
    bytes[0] = label;
    for (let k = 0; k < 3072; k++) bytes[1 + k] = (k * 7 + label) % 256;
    return bytes;
  };

  it("turns planes into pixels, file after file", () => {
    const data = parseCifar10([
      { name: "a", bytes: Uint8Array.of(...record(3), ...record(9)) },
      { name: "b", bytes: record(0) },
    ]);
    expect([...data.labels]).toEqual([3, 9, 0]);
    expect(data.shape).toEqual({ height: 32, width: 32, channels: 3 });
    const plane = (k: number, label: number) => (k * 7 + label) % 256;
    expect([...data.images.subarray(3072 + 15, 3072 + 18)]).toEqual([plane(5, 9), plane(1029, 9), plane(2053, 9)]);
  });

  it("says so of a truncated file and of another format", () => {
    expect(() => parseCifar10([{ name: "x.bin", bytes: record(1).subarray(1) }])).toThrow(
      /x\.bin: .* records of 3073 bytes, got 3072/,
    );
    expect(() => parseCifar10([{ name: "x.bin", bytes: record(77) }])).toThrow(/x\.bin: .* label from 0 to 9, got 77/);
  });
});

describe("CSV", () => {
  it("reads numbers, with and without a header, and any label column", () => {
    const plain = parseCsv("1,2,0\n3,4.5,1\r\n\n-1e3,6,2\n", "t.csv");
    expect([...plain.images]).toEqual([1, 2, 3, 4.5, -1000, 6]);
    expect([...plain.labels]).toEqual([0, 1, 2]);
    expect(plain.classes).toBe(3);
    const named = parseCsv("kind,a,b\nblue,1,2\nred,3,4\n", "t.csv", { label: "kind" });
    expect([...named.labels]).toEqual([0, 1]);
    expect([...named.images]).toEqual([1, 2, 3, 4]);
    expect([...parseCsv("1,2\n0,4\n", "t.csv", { label: 0 }).labels]).toEqual([1, 0]);
    // A column of words in the last place is no header.
    expect(parseCsv("1,cat\n2,dog\n", "t.csv").count).toBe(2);
    expect(parseCsv("1,2,cat\n", "t.csv").count).toBe(1);
  });

  it.each([
    ["an uneven line", "1,2,0\n3,1\n", /t\.csv, line 2: every line has 3 columns, got 2/],
    ["quotes", '1,2,0\n"3","x",1\n', /t\.csv, line 2: cells have no quotes, got/],
    ["a header alone", "a,b,kind\n", /a header is followed by examples/],
    ["a word among numbers", "1,2,0\n3,x,1\n", /t\.csv, line 2, column 2: a number is needed, got "x"/],
    ["an empty file", "\n", /at least one line/],
    ["a header alone", "a,b\n", /followed by examples/],
    ["one column", "1\n2\n", /separated by commas/],
  ])("says so of %s", (_, text, message) => {
    expect(() => parseCsv(text, "t.csv")).toThrow(message);
  });

  it("names the columns when the label is none of them", () => {
    expect(() => parseCsv("a,b\n1,2\n", "t.csv", { label: "c" })).toThrow(/must be one of a, b, got "c"/);
  });
});

/** What numpy.save writes, version 1.0. */
function npy(descr: string, shape: readonly number[], body: Uint8Array, order = "False"): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${tuple}, }`;
  const header = `${dictionary.padEnd(64 * Math.ceil((dictionary.length + 11) / 64) - 11)}\n`;
  const bytes = Uint8Array.from(
    `\x93NUMPY\x01\x00${String.fromCharCode(header.length % 256, header.length >> 8)}${header}`,
    (c) => c.charCodeAt(0),
  );
  return Uint8Array.of(...bytes, ...body);
}

const raw = (values: ArrayBufferView) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

describe(".npy", () => {
  it("what is written is read back, and begins where numbers may", () => {
    for (const values of [Uint8Array.of(1, 2, 3), Float32Array.of(0.5, -1, 2), Float64Array.of(1e300, 0, 3)]) {
      for (const shape of [[3], [1, 3], [3, 1, 1]]) {
        const bytes = encodeNpy({ shape, values });
        expect((bytes.length - values.byteLength) % 64).toBe(0);
        expect(parseNpy({ name: "a.npy", bytes })).toEqual({ shape, values });
      }
    }
  });

  it("reads every type it names", () => {
    const cases: [string, ArrayBufferView, number[]][] = [
      ["|u1", Uint8Array.of(1, 255), [1, 255]],
      ["|i1", Int8Array.of(-1, 2), [-1, 2]],
      ["<i2", Int16Array.of(-300, 2), [-300, 2]],
      ["<u2", Uint16Array.of(65535, 2), [65535, 2]],
      ["<i4", Int32Array.of(-70000, 2), [-70000, 2]],
      ["<u4", Uint32Array.of(4e9, 2), [4e9, 2]],
      ["<i8", BigInt64Array.of(-5n, 7n), [-5, 7]],
      ["<u8", BigUint64Array.of(5n, 7n), [5, 7]],
      ["<f4", Float32Array.of(0.5, -2), [0.5, -2]],
      ["<f8", Float64Array.of(0.1, -2), [0.1, -2]],
    ];
    for (const [descr, body, values] of cases) {
      const bytes = npy(descr, [2], raw(body));
      const parsed = parseNpy({ name: "a.npy", bytes });
      // As Node reads files: a buffer whose slice is a view.
      expect(parseNpy({ name: "a.npy", bytes: Buffer.from(bytes) })).toEqual(parsed);
      expect([...parsed.values]).toEqual(values);
      expect(parsed.shape).toEqual([2]);
    }
  });

  it("reads Fortran order", () => {
    const bytes = npy("|u1", [2, 3, 2], Uint8Array.of(0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11), "True");
    const { shape, values } = parseNpy({ name: "a.npy", bytes });
    expect([shape, [...values]]).toEqual([
      [2, 3, 2],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    ]);
  });

  it("makes a data set of images and of tables", () => {
    const answers = { name: "y.npy", bytes: npy("<i8", [2], raw(BigInt64Array.of(1n, 0n))) };
    const table = { name: "x.npy", bytes: npy("<f4", [2, 3], raw(Float32Array.of(1, 2, 3, 4, 5, 6))) };
    expect(parseNpyDataset(table, answers).shape).toEqual({ height: 1, width: 1, channels: 3 });
    const pictures = {
      name: "x.npy",
      bytes: npy(
        "|u1",
        [2, 1, 2, 3],
        Uint8Array.from({ length: 12 }, (_, k) => k),
      ),
    };
    const data = parseNpyDataset(pictures, answers);
    expect(data.shape).toEqual({ height: 1, width: 2, channels: 3 });
    expect(data.images).toBeInstanceOf(Uint8Array);
    expect([...data.labels]).toEqual([1, 0]);
    const three = { name: "y.npy", bytes: npy("|u1", [3], Uint8Array.of(0, 1, 2)) };
    expect(() => parseNpyDataset(table, three)).toThrow(/x\.npy holds 2 examples, so it must hold 2 labels, got "3"/);
    const half = { name: "y.npy", bytes: npy("<f4", [2], raw(Float32Array.of(1, 0.5))) };
    expect(() => parseNpyDataset(table, half)).toThrow(/labels are integers from 0 on, got 0\.5/);
    expect(() => parseNpyDataset(answers, answers)).toThrow(/the shape is count x features/);
  });

  it.each([
    ["another file", Uint8Array.of(1, 2, 3), /begins with \\x93NUMPY/],
    ["an unknown type", npy("<c8", [1], new Uint8Array(8)), /the type is one of .*, got "<c8"/],
    ["a truncated file", npy("<f4", [3], new Uint8Array(8)), /3 numbers of 4 bytes .*truncated/],
    ["a cut header", npy("<f4", [3], new Uint8Array(8)).subarray(0, 40), /the header names/],
  ])("says so of %s", (_, bytes, message) => {
    expect(() => parseNpy({ name: "a.npy", bytes })).toThrow(message);
  });
});
