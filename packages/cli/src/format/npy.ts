/** Graphs as NumPy arrays: the dense n x n matrix, written as '<f8' in C order. */

import { npyHeader } from "equitopo/input";
import { forEachEdgeInto, selfWeight } from "equitopo/internal/round";
import type { Drawing } from "./drawing.ts";

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
