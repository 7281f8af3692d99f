/**
 * Models as .safetensors: eight bytes of header length, a JSON header with the type, the shape and the place of every
 * tensor, then the numbers, little-endian. The header is padded with blanks, so that the numbers begin at a multiple of 8.
 */

import { InputError } from "equitopo/internal/input";
import type { Model } from "../model/model.ts";

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/**
 * @example
 * ```ts
 * import { readSafetensors, writeSafetensors } from "@equitopo/nn";
 * const bytes = writeSafetensors({ a: { shape: [2, 1], data: Float32Array.of(1, 2) } }, { model: "none" });
 * readSafetensors(bytes).tensors.a.shape.join("x") // => "2x1"
 * ```
 */
export function writeSafetensors(
  tensors: Readonly<Record<string, Tensor>>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = JSON.stringify(header);
  const json = encodeUtf8(text + " ".repeat((8 - (encodeUtf8(text).length % 8)) % 8));
  const bytes = new Uint8Array(8 + json.length + end);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  let at = 8 + json.length;
  for (const { data } of Object.values(tensors)) {
    for (let k = 0; k < data.length; k++, at += 4) view.setFloat32(at, data[k], true);
  }
  return bytes;
}

/** What writeSafetensors wrote; other types than F32 are refused. */
export function readSafetensors(bytes: Uint8Array): {
  tensors: Record<string, Tensor>;
  metadata: Record<string, string>;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? Number.NaN : Number(view.getBigUint64(0, true));
  if (!(length <= bytes.length - 8)) {
    throw new InputError("a .safetensors file holds its whole header", `${bytes.length} bytes`, "fetch it again");
  }
  const { __metadata__: metadata = {}, ...entries } = JSON.parse(decodeUtf8(bytes.subarray(8, 8 + length)));
  const tensors: Record<string, Tensor> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const { dtype, shape, data_offsets } = entry as { dtype: string; shape: number[]; data_offsets: [number, number] };
    const [from, to] = data_offsets.map((offset) => 8 + length + offset);
    if (dtype !== "F32") throw new InputError(`${name} holds F32 numbers`, dtype, "convert it to F32");
    if (!(to <= bytes.length)) {
      const rule = `${name} ends at byte ${to} of the file`;
      throw new InputError(rule, `${bytes.length} bytes`, "it is cut off: fetch it again");
    }
    const data = Float32Array.from({ length: (to - from) / 4 }, (_, k) => view.getFloat32(from + 4 * k, true));
    tensors[name] = { shape, data };
  }
  return { tensors, metadata };
}

/** A network's parameters by name, and its running statistics where it has any. */
export function modelTensors(model: Model, parameters: Float32Array, statistics: Float32Array): Record<string, Tensor> {
  const tensors: Record<string, Tensor> = {};
  for (const { name, shape, offset, size } of model.parameters) {
    tensors[name] = { shape, data: parameters.slice(offset, offset + size) };
  }
  if (statistics.length > 0) tensors["running_statistics"] = { shape: [statistics.length], data: statistics.slice() };
  return tensors;
}

const encodeUtf8 = (text: string) => new TextEncoder().encode(text);
const decodeUtf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
