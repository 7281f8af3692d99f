/**
 * Tile sizes by shape alone, as for float32 (shader/tile.ts) and for the same reason: they fix the order of additions. Rows
 * are as many as workgroup memory has room for: little of it a workgroup lets more of them wait for memory at a time.
 */

import { type MatrixTile, matrixCostOf } from "./convolution.ts";
import { layoutOf, type MatrixGeometry } from "./layout.ts";
import { SIDE } from "./matrix.ts";
import { type MatrixWeightTile, matrixWeightCostOf } from "./weight-gradient.ts";

const BYTES = 19 * 1024;
const WEIGHT_BYTES = 24 * 1024;
const THREADS = 256;

/** Narrow positions need no space between them: a small tile is worth more. */
const paddingOf = (channels: number) => (channels <= SIDE ? 0 : 8);

const largestFirst = [8, 4, 2, 1];

export function matrixTileOf(geometry: MatrixGeometry): MatrixTile {
  const { source, target, stride, transposed } = geometry;
  const stem = source.channels < SIDE;
  const channels = Math.min(target.channels, 64);
  const padding = stem ? 8 : paddingOf(source.channels);
  const { height, width } = stride === 2 && transposed ? source : target;
  const most = stem || (transposed && width >= 2 * SIDE) ? 4 : 8;
  for (const rows of largestFirst) {
    if (rows > most || height % rows !== 0) continue;
    const { tiles, parities } = layoutOf(geometry, rows);
    const share = parities === 4 ? 1 : transposed && width >= SIDE ? 2 : stem || stride === 2 ? 2 : 4;
    const pixelTiles = width < SIDE && parities === 1 ? tiles : Math.min(share, tiles);
    const tile = { rows, pixelTiles, channels, padding };
    const { bytes, threads } = matrixCostOf(geometry, tile);
    if (bytes <= BYTES && threads <= THREADS) return tile;
  }
  return { rows: 1, pixelTiles: 1, channels: SIDE, padding };
}

export function matrixWeightTileOf(geometry: MatrixGeometry, batch: number): MatrixWeightTile {
  const { source, target } = geometry;
  const stem = source.channels < SIDE;
  const inputs = stem ? source.channels : Math.min(source.channels, 32);
  const outputs = Math.min(target.channels, 64);
  const warps = (stem ? 1 : inputs / SIDE) * (outputs / SIDE);
  const pixelGroups = Math.max(1, 4 / warps);
  const images = Math.min(batch, target.width < SIDE ? 4 : 1);
  const padding = stem ? 0 : paddingOf(Math.max(inputs, outputs));
  const most = target.width >= SIDE && target.width < 2 * SIDE ? 2 : 4;
  for (const rows of largestFirst) {
    if (rows > most || target.height % rows !== 0) continue;
    const tile = { rows, inputs, outputs, pixelGroups, images, padding };
    const { bytes, threads } = matrixWeightCostOf(geometry, tile);
    if (bytes <= WEIGHT_BYTES && threads <= THREADS) return tile;
  }
  return { rows: 1, inputs, outputs: SIDE, pixelGroups: 1, images, padding };
}
