/**
 * Convolutions over halves, forward and back, against the formula: both ways of tiling, both strides, the stem, what leaves for
 * batch norm, and images of a short batch that do not count. Compiling is what costs: most are done at length only.
 */

import type { Shape } from "@equitopo/nn";
import { expect } from "vitest";
import { storage } from "../../src/device/memory.ts";
import { type MatrixTile, matrixConvolution, rowTiles } from "../../src/matrix/convolution.ts";
import { finishBack, finishForward, type HalfValue } from "../../src/matrix/finish.ts";
import { gradientReader, valueReader } from "../../src/matrix/reader.ts";
import { atLength, deviceOfTests, onDevice } from "../device.ts";
import { batch, buffer, distance, entryOf, imagesOf, matrices, numbers, replicas, run, tables } from "./kernel.ts";

const count = 1;
const width = 64;
const pixelsOf = (shape: Shape) => replicas * batch * shape.height * shape.width;

/** Every number of a value: [replica][image][row][column][channel]. */
function each(
  shape: Shape,
  of: (replica: number, image: number, y: number, x: number, c: number) => number | undefined,
) {
  const list: (number | undefined)[] = [];
  for (let k = 0; k < pixelsOf(shape) * shape.channels; k++) {
    const [c, p] = [k % shape.channels, Math.floor(k / shape.channels)];
    const [x, q] = [p % shape.width, Math.floor(p / shape.width)];
    const [y, n] = [q % shape.height, Math.floor(q / shape.height)];
    list.push(of(Math.floor(n / batch), n % batch, y, x, c));
  }
  return list;
}

/** The two sums of the images that count, over all workgroups, of a replica's channel. */
function sumsOf(
  parts: Float32Array,
  groups: number,
  channels: number,
  replica: number,
  which: 0 | 1,
  c: number,
): number {
  let sum = 0;
  for (let g = 0; g < groups; g++) sum += parts[((replica * groups + g) * 2 + which) * channels + c];
  return sum;
}

async function forward(source: Shape, target: Shape, stride: 1 | 2, tile: MatrixTile): Promise<void> {
  const gpu = await deviceOfTests();
  const stem = source.channels < 16;
  const depth = stem ? 4 : source.channels;
  const norms = tables(gpu, width);
  const y = numbers(pixelsOf(source) * depth, 1);
  const size = 9 * source.channels * target.channels;
  const weights = numbers(replicas * (size + 96), 2);
  const x: HalfValue = { shape: source, y: buffer(gpu, y), relu: !stem, ...(stem ? {} : { norm: 16 }) };
  const out = storage(gpu, "y", pixelsOf(target) * target.channels);
  const groups = rowTiles({ source, target, stride, transposed: false }, tile) * batch;
  const parts = storage(gpu, "sums", replicas * groups * 2 * target.channels);
  const kernel = matrixConvolution({
    ...{ label: "forward", matrices, geometry: { source, target, stride, transposed: false }, tile, replicas, batch },
    ...{ norms, finish: finishForward, halves: buffer(gpu, weights), stride: size + 96, out, parts, weights: 32 },
    source: stem ? { images: x } : valueReader("source", x, norms, matrices),
    ...{ sourceNorm: 16, targetNorm: 0 },
  });
  const entry = entryOf(norms.norm, width);
  const at = imagesOf({ ...source, channels: depth }, y);
  const read = (r: number, n: number, iy: number, ix: number, c: number) => {
    const inside = iy >= 0 && ix >= 0 && iy < source.height && ix < source.width;
    if (stem || !inside) return at(r, n, iy, ix, c);
    const [mean, scale, shift] = entry(r, 16 + c);
    return Math.max(0, (at(r, n, iy, ix, c) - mean) * scale + shift);
  };
  const expected = each(target, (r, n, oy, ox, o) => {
    let sum = 0;
    for (let k = 0; k < 9 * source.channels; k++) {
      const [c, tap] = [k % source.channels, Math.floor(k / source.channels)];
      const [ky, kx] = [Math.floor(tap / 3), tap % 3];
      const w = weights[r * (size + 96) + 32 + k * target.channels + o];
      sum += w * read(r, n, oy * stride + ky - 1, ox * stride + kx - 1, c);
    }
    return sum;
  });
  expect(distance(await run(gpu, kernel, count, out), expected)).toBeLessThan(1e-5);
  const found = await run(gpu, kernel, count, parts);
  const perReplica = batch * target.height * target.width * target.channels;
  const counted = (r: number, c: number) =>
    expected.filter(
      (_, k) => Math.floor(k / perReplica) === r && k % perReplica < perReplica / batch && k % target.channels === c,
    ) as number[];
  const plain = counted(1, 3).reduce((a, b) => a + b, 0);
  expect(sumsOf(found, groups, target.channels, 1, 0, 3)).toBeCloseTo(plain, 2);
  const squares = counted(1, 3).reduce((a, b) => a + b * b, 0);
  expect(sumsOf(found, groups, target.channels, 1, 1, 3) / squares).toBeCloseTo(1, 4);
}

const shape = (side: number, channels: number): Shape => ({ height: side, width: side, channels });
const tile = (rows: number, pixelTiles: number, padding = 0): MatrixTile => ({
  ...{ rows, pixelTiles, channels: 16, padding },
});

atLength("forward, 16 wide", () => forward(shape(16, 16), shape(16, 16), 1, tile(2, 1)), 300_000);
onDevice("forward, 8 wide", () => forward(shape(8, 16), shape(8, 16), 1, tile(4, 3, 8)), 300_000);
atLength("forward, a stride of 2", () => forward(shape(16, 16), shape(8, 16), 2, tile(2, 2)), 300_000);
atLength("forward, the stem", () => forward(shape(16, 3), shape(16, 16), 1, tile(2, 2, 8)), 300_000);

/** The gradient of a block's input, or of a value inside a block. */
async function back(small: Shape, large: Shape, stride: 1 | 2, size: MatrixTile, blocks: boolean): Promise<void> {
  const gpu = await deviceOfTests();
  const norms = tables(gpu, width);
  const [g, y] = [1, 2].map((seed) => numbers(pixelsOf(small) * small.channels, seed));
  const [own, h] = [3, 4].map((seed) => numbers(pixelsOf(large) * large.channels, seed));
  const above = numbers(pixelsOf(small) * small.channels, 5);
  const perReplica = 9 * large.channels * small.channels;
  const weights = numbers(replicas * perReplica, 6);
  const value: HalfValue = { shape: small, y: buffer(gpu, y), gradient: buffer(gpu, g), relu: true, norm: 32 };
  const normed: HalfValue = { shape: large, y: buffer(gpu, own), relu: true, norm: 8 };
  const x: HalfValue = blocks ? { shape: large, y: buffer(gpu, h), relu: true, normed } : normed;
  const block: HalfValue = { shape: small, y: value.y, gradient: buffer(gpu, above), relu: true };
  const geometry = { source: small, target: large, stride, transposed: true };
  const out = storage(gpu, "g", pixelsOf(large) * large.channels);
  const groups = rowTiles(geometry, size) * batch;
  const parts = storage(gpu, "sums", replicas * groups * 2 * large.channels);
  const kernel = matrixConvolution({
    ...{ label: "back", matrices, geometry, tile: size, replicas, batch, norms },
    source: gradientReader("source", value, norms, matrices),
    finish: finishBack(x, blocks ? { block, batch } : undefined, norms, matrices),
    ...{ halves: buffer(gpu, weights), stride: perReplica, out, parts, weights: 0, sourceNorm: 32, targetNorm: 8 },
  });
  const [slope, norm] = [entryOf(norms.slope, width), entryOf(norms.norm, width)];
  const [gAt, yAt, hAt, ownAt, aboveAt] = [
    ...[imagesOf(small, g), imagesOf(small, y), imagesOf(large, h), imagesOf(large, own), imagesOf(small, above)],
  ];
  const dy = (r: number, n: number, oy: number, ox: number, o: number) => {
    const [scale, a, b, mean] = slope(r, 32 + o);
    return scale * (gAt(r, n, oy, ox, o) - a - (yAt(r, n, oy, ox, o) - mean) * b);
  };
  const expected = each(large, (r, n, iy, ix, c) => {
    if (n >= count) return undefined;
    let sum = 0;
    for (let tap = 0; tap < 9; tap++) {
      const [oy, ox] = [(iy + 1 - Math.floor(tap / 3)) / stride, (ix + 1 - (tap % 3)) / stride];
      if (oy < 0 || ox < 0 || oy >= small.height || ox >= small.width || oy % 1 !== 0 || ox % 1 !== 0) continue;
      for (let o = 0; o < small.channels; o++) {
        sum += weights[r * perReplica + (tap * large.channels + c) * small.channels + o] * dy(r, n, oy, ox, o);
      }
    }
    const front = (small.channels - large.channels) / 2;
    if (blocks && iy % stride === 0 && ix % stride === 0) sum += aboveAt(r, n, iy / stride, ix / stride, c + front);
    const [mean, scale, shift] = norm(r, 8 + c);
    const seen = blocks ? hAt(r, n, iy, ix, c) : (ownAt(r, n, iy, ix, c) - mean) * scale + shift;
    return seen > 0 ? sum : 0;
  });
  expect(distance(await run(gpu, kernel, count, out), expected)).toBeLessThan(1e-5);
  const found = await run(gpu, kernel, count, parts);
  let [first, second] = [0, 0];
  for (let p = 0; p < large.height * large.width; p++) {
    const [iy, ix] = [Math.floor(p / large.width), p % large.width];
    const v = expected[(batch * large.height * large.width + p) * large.channels + 3] as number;
    first += v;
    second += v * (ownAt(1, 0, iy, ix, 3) - norm(1, 11)[0]);
  }
  expect(sumsOf(found, groups, large.channels, 1, 0, 3)).toBeCloseTo(first, 2);
  expect(sumsOf(found, groups, large.channels, 1, 1, 3)).toBeCloseTo(second, 2);
}

atLength("back, 16 wide, inside a block", () => back(shape(16, 16), shape(16, 16), 1, tile(2, 2), false), 300_000);
atLength("back, 8 wide, into a block", () => back(shape(8, 16), shape(8, 16), 1, tile(4, 3, 8), true), 300_000);
onDevice(
  "back, a stride of 2, into a block that grows",
  () => back(shape(8, 32), shape(16, 16), 2, tile(2, 1, 8), true),
  300_000,
);
