/**
 * NumPy's .npy: "\x93NUMPY", version, header length, a Python dictionary (descr, fortran_order, shape), then the numbers,
 * little-endian integers or floats. Read in C and in Fortran order, written in C order.
 */

import { InputError } from "./input.ts";

/** A file's content, with its name for errors. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An array; its numbers in C order. */
export interface NpyArray {
  readonly shape: readonly number[];
  readonly values: (typeof types)[keyof typeof types]["prototype"];
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

const MAGIC = "\x93NUMPY";

const letters = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

/** Whether a file begins as .npy files do. */
export const isNpy = (bytes: Uint8Array): boolean => letters(bytes, 0, MAGIC.length) === MAGIC;

/** The array in an .npy file; 64-bit integers come back as doubles. */
export function parseNpy({ name, bytes }: NamedBytes): NpyArray {
  const text = (from: number, to: number) => letters(bytes, from, to);
  if (!isNpy(bytes)) {
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
    const rule = `${dimensions.join(" x ")} numbers of ${size} bytes after the header make ${start + count * size} bytes`;
    throw new InputError(`${name}: ${rule}`, bytes.length, "the file is truncated or too long: save it again");
  }
  // A copy, so that numbers are aligned; not by slice, which in Node's buffers is a view of the whole file.
  const body = new Uint8Array(bytes.subarray(start)).buffer;
  const whole = type === "<i8" ? BigInt64Array : BigUint64Array;
  const values = wide ? Float64Array.from(new whole(body), Number) : new make(body);
  return { shape: dimensions, values: order === "True" ? inCOrder(values, dimensions) : values };
}

/** Reorders an array whose first index runs fastest, so that the last one does. */
function inCOrder(values: NpyArray["values"], shape: readonly number[]): NpyArray["values"] {
  const ordered = values.slice();
  const index = shape.map(() => 0);
  for (let from = 0; from < values.length; from++) {
    ordered[index.reduce((place, k, axis) => place * shape[axis] + k, 0)] = values[from];
    for (let axis = 0; axis < shape.length && ++index[axis] === shape[axis]; axis++) index[axis] = 0;
  }
  return ordered;
}

/**
 * The header before the numbers of an .npy file: a multiple of 64 bytes, so that the numbers can be read in place. O(1).
 *
 * @example
 * ```ts
 * import { npyHeader } from "equitopo/input";
 * npyHeader("<f8", [300, 300]).length // => 128
 * ```
 */
export function npyHeader(type: keyof typeof types, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  // A tuple of one has a comma behind it.
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dictionary = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const length = 64 * Math.ceil((10 + dictionary.length + 1) / 64);
  const text = `${MAGIC}\x01\x00${String.fromCharCode((length - 10) & 255, (length - 10) >> 8)}${dictionary}`;
  return Uint8Array.from(`${text.padEnd(length - 1)}\n`, (letter) => letter.charCodeAt(0));
}

/**
 * An array as an .npy file. O(bytes).
 *
 * @example
 * ```ts
 * import { encodeNpy, parseNpy } from "equitopo/input";
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
