/**
 * Tile sizes by shape alone, as for float32 (shader/tile.ts) and for the same reason: they fix the order of additions. Rows
 * are as many as workgroup memory has room for: little of it a workgroup lets more of them wait for memory at a time.
 */

import { type MatrixTile, matrixCostOf } from "./convolution.ts";
import { layoutOf, type MatrixGeometry } from "./layout.ts";
import { SIDE, WARP } from "./matrix.ts";
import { type MatrixWeightTile, matrixWeightCostOf } from "./weight-gradient.ts";

const BYTES = 19 * 1024;
const WEIGHT_BYTES = 24 * 1024;

/** Matrices of sums that a warp holds: as many as its registers have room for, beside what gradients are completed with. */
const SUMS = 8;
const BACK_SUMS = 5;

/** Narrow positions need no space between them: a small tile is worth more. */
const paddingOf = (channels: number) => (channels <= SIDE ? 0 : 8);

const largestFirst = [8, 4, 2, 1];

/**
 * A warp makes all pixels of its 16 channels: what it reads of the weights then serves as many products as can be. Where a
 * workgroup shall have more threads than that, to run beside another kernel, its warps share the rows.
 */
export function matrixTileOf(geometry: MatrixGeometry, threads = 0): MatrixTile {
  const { source, target, stride, transposed } = geometry;
  const stem = source.channels < SIDE;
  const channels = Math.min(target.channels, 64);
  const shares = Math.max(1, threads / (WARP * (channels / SIDE)));
  const padding = stem ? 8 : paddingOf(source.channels);
  const { height } = stride === 2 && transposed ? source : target;
  for (const rows of largestFirst) {
    if (height % rows !== 0) continue;
    const { tiles, parities } = layoutOf(geometry, rows);
    const pixelTiles = stem ? 2 : Math.ceil(tiles / shares);
    const tile = { rows, pixelTiles, channels, padding };
    const { bytes } = matrixCostOf(geometry, tile);
    if (bytes <= BYTES && pixelTiles * parities <= (transposed && parities === 1 ? BACK_SUMS : SUMS)) return tile;
  }
  return { rows: 1, pixelTiles: 1, channels: SIDE, padding };
}

export function matrixWeightTileOf(geometry: MatrixGeometry, batch: number): MatrixWeightTile {
  const { source, target } = geometry;
  const stem = source.channels < SIDE;
  const narrow = target.width < SIDE;
  const inputs = stem ? source.channels : Math.min(source.channels, 2 * SIDE);
  const outputs = narrow ? 2 * SIDE : SIDE;
  const pixelGroups = stem ? 4 : inputs === SIDE ? 2 : 1;
  const images = Math.min(batch, narrow ? 4 : target.width < 2 * SIDE ? 2 : 1);
  const padding = stem ? 0 : paddingOf(Math.max(inputs, outputs));
  for (const rows of [4, 2, 1]) {
    if (target.height % rows !== 0) continue;
    const tile = { rows, inputs, outputs, pixelGroups, images, padding };
    if (matrixWeightCostOf(geometry, tile).bytes <= WEIGHT_BYTES) return tile;
  }
  return { rows: 1, inputs, outputs: SIDE, pixelGroups: 1, images, padding };
}
