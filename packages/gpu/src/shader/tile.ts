/**
 * Tile sizes by shape alone, never by the number of replicas: they fix the order of additions, so that a replica's numbers
 * do not depend on who else is in the batch. At most 15 KB of workgroup memory a workgroup: more, and fewer of them fit on
 * a processor at a time. The rest is what was fastest of all tiles tried for ResNet-20's layers, 136 replicas on an NVIDIA
 * H200: few registers a thread (4 channels forward and back, all taps of one input for weights) beat many by a tenth to a third.
 */

import { costOf, type Geometry, type Tile } from "./convolution.ts";
import { type WeightTile, weightCostOf } from "./weight-gradient.ts";

const THREADS = 128;
const WEIGHT_THREADS = 256;
const BYTES = 15 * 1024;

const roundUp = (value: number, unit: number) => Math.ceil(value / unit) * unit;

/** As many threads as `threads` where the sizes allow it: then the kernel can run beside another. */
export function tileOf(geometry: Geometry, batch: number, threads = THREADS): Tile {
  const { source, target, stride, transposed } = geometry;
  const channels = Math.min(roundUp(target.channels, 4), 32);
  const rowUnit = transposed ? stride : 1;
  const chunk = Math.min(stride === 1 ? 4 : 2, source.channels);
  const fits = (tile: Tile) => {
    const cost = costOf(geometry, tile);
    return cost.bytes <= BYTES && cost.threads <= Math.max(THREADS, threads);
  };
  let best: Tile = { rows: rowUnit, images: 1, channels, chunk };
  const height = roundUp(target.height, rowUnit);
  for (let rows = rowUnit; rows <= height; rows += rowUnit) {
    // Tiles that leave a rest would have threads without work.
    if (height % rows === 0 && fits({ ...best, rows })) best = { ...best, rows };
  }
  if (best.rows < height) return best;
  for (let images = 2; images <= batch; images *= 2) if (fits({ ...best, images })) best = { ...best, images };
  return best;
}

export function weightTileOf(geometry: Geometry, batch: number): WeightTile {
  const { source, target, kernel } = geometry;
  const inputs = Math.min(source.channels, kernel <= 3 ? 32 : 16);
  const outputs = Math.min(roundUp(target.channels, 4), 32);
  const team = (inputs * outputs) / 4;
  const targetQuads = Math.ceil(target.width / 4);
  let best: WeightTile = {
    ...{ inputs, outputs, rows: 1, segments: 1, rowGroups: 1 },
    images: Math.min(batch, target.width <= 8 ? 4 : 1),
  };
  for (const rows of [1, 2, 4, 8]) {
    if (rows > target.height) continue;
    const teams = Math.max(1, Math.floor(WEIGHT_THREADS / team));
    let rowGroups = 1;
    while (2 * rowGroups <= Math.min(rows, teams)) rowGroups *= 2;
    const segments = Math.max(1, Math.min(targetQuads, Math.floor(teams / rowGroups)));
    const tile = { ...best, rows, rowGroups, segments };
    if (weightCostOf(geometry, tile).bytes <= BYTES) best = tile;
  }
  return best;
}
