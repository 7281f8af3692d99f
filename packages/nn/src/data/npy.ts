/**
 * NumPy's .npy: "\x93NUMPY", version, header length, a Python dictionary (descr, fortran_order, shape), then the numbers.
 * Little-endian integers and floats in C order. Read, and written.
 */

import { InputError } from "equitopo/input";
import { checkedDataset, type Dataset } from "./dataset.ts";
import type { NamedBytes } from "./mnist.ts";

export interface NpyArray {
  readonly shape: readonly number[];
  readonly values:
    | Uint8Array
    | Int8Array
    | Int16Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | Float32Array
    | Float64Array;
}

const types = {
  "|u1": Uint8Array,
  "|i1": Int8Array,
  "|b1": Uint8Array,
  "<u2": Uint16Array,
  "<i2": Int16Array,
  "<u4": Uint32Array,
  "<i4": Int32Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
} as const;

/** The array in an .npy file; 64-bit integers come back as doubles. */
export function parseNpy({ name, bytes }: NamedBytes): NpyArray {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 6) !== "\x93NUMPY") {
    throw new InputError(`${name}: an .npy file begins with \\x93NUMPY`, text(0, 6), "save it with numpy.save");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = bytes[6] >= 2;
  const length = bytes.length < 12 ? 0 : long ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = (long ? 12 : 10) + length;
  const header = text(long ? 12 : 10, start);
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1];
  const order = /'fortran_order':\s*(True|False)/.exec(header)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  if (type === undefined || order === undefined || shape === undefined || bytes.length < start) {
    throw new InputError(`${name}: the header names descr, fortran_order and shape`, header, "fetch or save it again");
  }
  if (order === "True") {
    throw new InputError(`${name}: the array is in C order`, "Fortran order", "save numpy.ascontiguousarray(array)");
  }
  const dimensions = shape.split(",").flatMap((part) => (part.trim() === "" ? [] : [Number(part)]));
  const count = dimensions.reduce((a, b) => a * b, 1);
  const wide = type === "<i8" || type === "<u8";
  const make = types[type as keyof typeof types];
  if (make === undefined && !wide) {
    const known = [...Object.keys(types), "<i8", "<u8"].join(", ");
    throw new InputError(`${name}: the type is one of ${known}`, type, "convert it with array.astype('float32')");
  }
  const size = wide ? 8 : make.BYTES_PER_ELEMENT;
  if (bytes.length !== start + count * size) {
    throw new InputError(
      `${name}: ${dimensions.join(" x ")} numbers of ${size} bytes after the header make ${start + count * size} bytes`,
      bytes.length,
      "the file is truncated or too long: save it again",
    );
  }
  // A copy, so that numbers begin where they may; not by slice, which in Node's buffers is a view of the whole file.
  const body = new Uint8Array(bytes.subarray(start)).buffer;
  if (!wide) return { shape: dimensions, values: new make(body) };
  const whole = type === "<i8" ? new BigInt64Array(body) : new BigUint64Array(body);
  return { shape: dimensions, values: Float64Array.from(whole, Number) };
}

/**
 * What stands before the numbers of an .npy file: up to a multiple of 64 bytes, so that they can be read in place. O(1).
 *
 * @example
 * ```ts
 * import { npyHeader } from "@equitopo/nn";
 * npyHeader("<f8", [300, 300]).length // => 128
 * ```
 */
export function npyHeader(type: keyof typeof types, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  // A tuple of one has a comma behind it.
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const length = 64 * Math.ceil((10 + dictionary.length + 1) / 64);
  const text = `\x93NUMPY\x01\x00${String.fromCharCode((length - 10) & 255, (length - 10) >> 8)}${dictionary}`;
  return Uint8Array.from(`${text.padEnd(length - 1)}\n`, (letter) => letter.charCodeAt(0));
}

/**
 * An array as an .npy file. O(bytes).
 *
 * @example
 * ```ts
 * import { encodeNpy, parseNpy } from "@equitopo/nn";
 * const bytes = encodeNpy({ shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) });
 * parseNpy({ name: "x.npy", bytes }).shape // => [2, 2]
 * ```
 */
export function encodeNpy({ shape, values }: NpyArray): Uint8Array<ArrayBuffer> {
  const type = (Object.keys(types) as (keyof typeof types)[]).find((name) => values instanceof types[name]);
  const header = npyHeader(type as keyof typeof types, shape);
  const { buffer, byteOffset, byteLength } = values;
  const bytes = new Uint8Array(header.length + byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), header.length);
  return bytes;
}

/** A data set from an array of images (count x height x width [x channels], or count x features) and one of labels. */
export function parseNpyDataset(images: NamedBytes, labels: NamedBytes): Dataset {
  const x = parseNpy(images);
  const y = parseNpy(labels);
  const [count, ...rest] = x.shape;
  if (rest.length < 1 || rest.length > 3) {
    throw new InputError(
      `${images.name}: the shape is count x features, count x height x width or count x height x width x channels`,
      x.shape.join(" x "),
      "reshape it",
    );
  }
  if (y.shape.length !== 1 || y.shape[0] !== count) {
    throw new InputError(
      `${labels.name}: ${images.name} holds ${count} examples, so it must hold ${count} labels`,
      y.shape.join(" x "),
      "save the labels that belong to the images",
    );
  }
  const shape =
    rest.length === 1
      ? { height: 1, width: 1, channels: rest[0] }
      : { height: rest[0], width: rest[1], channels: rest[2] ?? 1 };
  for (let k = 0; k < count; k++) {
    if (Number.isInteger(y.values[k]) && y.values[k] >= 0) continue;
    throw new InputError(`${labels.name}: labels are integers from 0 on`, y.values[k], `look at number ${k}`);
  }
  const answers = Int32Array.from(y.values);
  const classes = answers.reduce((a, b) => Math.max(a, b), 0) + 1;
  const values = x.values instanceof Uint8Array ? x.values : Float32Array.from(x.values);
  return checkedDataset({ name: images.name, shape, classes, count, images: values, labels: answers });
}
