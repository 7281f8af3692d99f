/**
 * NumPy's .npy: the magic bytes, a version, a header that is a Python dictionary, then the numbers.
 * Written: the dense n x n matrix, '<f8' in C order. Read: '<f8' and '<f4', C or Fortran order.
 */

import { npyHeader } from "@equitopo/nn";
import { type CustomOptions, type Edge, InputError } from "equitopo";
import { forEachEdgeInto, selfWeight } from "equitopo/round";
import type { Drawing } from "./drawing.ts";

const MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);

export function isNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, k) => bytes[k] === byte);
}

export function* writeNpy({ rounds: [{ round }] }: Drawing): Generator<Uint8Array> {
  const { n } = round;
  yield npyHeader("<f8", [n, n]);
  for (let i = 0; i < n; i++) {
    const row = new DataView(new ArrayBuffer(8 * n));
    const add = (j: number, weight: number) => row.setFloat64(8 * j, row.getFloat64(8 * j, true) + weight, true);
    add(i, selfWeight(round, i));
    forEachEdgeInto(round, i, (from, _to, weight) => add(from, weight));
    yield new Uint8Array(row.buffer);
  }
}

export function readNpy(bytes: Uint8Array): CustomOptions {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const remedy = "save it with numpy.save('graph.npy', W.astype('<f8'))";
  const wide = bytes[6] >= 2;
  const start = wide ? 12 : 10;
  if (bytes.length < start) throw new InputError("the file must be a whole .npy", `${bytes.length} bytes`, remedy);
  const data = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder("latin1").decode(bytes.subarray(start, data));
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const size = type === "<f8" ? 8 : type === "<f4" ? 4 : 0;
  if (size === 0) throw new InputError("the numbers of an npy file must be <f8 or <f4", type ?? header, remedy);
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? "";
  const sides = shape.split(",").filter((side) => side.trim() !== "");
  const n = Number(sides[0]);
  if (sides.length !== 2 || Number(sides[1]) !== n) {
    throw new InputError("a weight matrix must be square", `(${shape})`, remedy);
  }
  if (bytes.length - data !== n * n * size) {
    throw new InputError(`the file must hold ${n * n * size} bytes of numbers`, bytes.length - data, remedy);
  }
  const fortran = /'fortran_order':\s*True/.test(header);
  const self = new Float64Array(n);
  const edges: Edge[] = [];
  for (let to = 0; to < n; to++) {
    for (let from = 0; from < n; from++) {
      const at = data + size * (fortran ? from * n + to : to * n + from);
      const weight = size === 8 ? view.getFloat64(at, true) : view.getFloat32(at, true);
      if (from === to) self[to] = weight;
      else if (weight !== 0) edges.push([from, to, weight]);
    }
  }
  // A row of n float32 numbers sums to 1 only as far as they reach.
  return size === 8 ? { n, self, edges } : { n, self, edges, tolerance: 1e-6 };
}
