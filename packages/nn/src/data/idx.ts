/**
 * IDX, the format of MNIST: bytes 0, 0, type, number of dimensions, then each dimension as a big-endian 32-bit integer,
 * then the numbers. Type 8 is unsigned bytes, the only one here.
 */

import { InputError } from "equitopo/internal/input";

export interface IdxArray {
  readonly dimensions: readonly number[];
  readonly values: Uint8Array;
}

const hex = (number: number) => `0x${number.toString(16).padStart(8, "0")}`;

/**
 * The array in an IDX file of unsigned bytes with `rank` dimensions (3: images, 1: labels). `name` appears in errors.
 *
 * @example
 * ```ts
 * import { parseIdx } from "@equitopo/nn";
 * parseIdx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9), 1, "labels").values.join() // => "7,9"
 * ```
 */
export function parseIdx(bytes: Uint8Array, rank: number, name: string): IdxArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = 0x800 + rank;
  const header = 4 + 4 * rank;
  if (bytes.length < header) {
    throw new InputError(`${name}: an IDX header has ${header} bytes`, bytes.length, "fetch the file again");
  }
  if (view.getUint32(0) !== magic) {
    const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const remedy = gzip ? "it is still compressed: gunzip it first" : "check that it is the right file";
    throw new InputError(
      `${name}: the magic number of unsigned bytes in ${rank} ${rank === 1 ? "dimension" : "dimensions"} is ${hex(magic)}`,
      hex(view.getUint32(0)),
      remedy,
    );
  }
  const dimensions = Array.from({ length: rank }, (_, k) => view.getUint32(4 + 4 * k));
  const size = dimensions.reduce((a, b) => a * b, 1);
  if (bytes.length !== header + size) {
    throw new InputError(
      `${name}: ${dimensions.join(" x ")} bytes after the header make ${header + size} in all`,
      bytes.length,
      bytes.length < header + size ? "the file is truncated: fetch it again" : "the file is too long: fetch it again",
    );
  }
  return { dimensions, values: bytes.subarray(header) };
}
