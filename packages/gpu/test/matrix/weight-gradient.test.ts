/** Gradients of weights over halves against the formula: both ways of tiling, both strides, the stem, a short batch. */

import type { Shape } from "@equitopo/nn";
import { expect } from "vitest";
import { storage } from "../../src/device/memory.ts";
import type { HalfValue } from "../../src/matrix/finish.ts";
import { gradientReader, valueReader } from "../../src/matrix/reader.ts";
import { type MatrixWeightTile, matrixWeightGradient, matrixWeightParts } from "../../src/matrix/weight-gradient.ts";
import { atLength, deviceOfTests, onDevice } from "../device.ts";
import { batch, buffer, distance, entryOf, imagesOf, matrices, numbers, replicas, run, tables } from "./kernel.ts";

const width = 64;
const place = 64;

async function weights(source: Shape, target: Shape, stride: 1 | 2, tile: MatrixWeightTile, count: number) {
  const gpu = await deviceOfTests();
  const stem = source.channels < 16;
  const depth = stem ? 4 : source.channels;
  const norms = tables(gpu, width);
  const y = numbers(replicas * batch * source.height * source.width * depth, 1);
  const [g, z] = [2, 3].map((seed) => numbers(replicas * batch * target.height * target.width * target.channels, seed));
  const x: HalfValue = { shape: source, y: buffer(gpu, y), relu: !stem, ...(stem ? {} : { norm: 16 }) };
  const value: HalfValue = { shape: target, y: buffer(gpu, z), gradient: buffer(gpu, g), relu: true, norm: 32 };
  const size = 9 * source.channels * target.channels;
  const parts = matrixWeightParts(batch, tile);
  const out = storage(gpu, "parts", place + replicas * parts * size);
  const kernel = matrixWeightGradient({
    ...{ label: "weights", matrices, geometry: { source, target, stride, transposed: false }, tile, replicas, batch },
    ...{ norms, out, place, sourceNorm: 16, targetNorm: 32 },
    source: stem ? { images: x } : valueReader("source", x, norms, matrices),
    slope: gradientReader("slope", value, norms, matrices),
  });
  const [norm, slope] = [entryOf(norms.norm, width), entryOf(norms.slope, width)];
  const [yAt, gAt, zAt] = [imagesOf({ ...source, channels: depth }, y), imagesOf(target, g), imagesOf(target, z)];
  const sums = new Float64Array(replicas * size);
  for (let r = 0; r < replicas; r++) {
    for (let k = 0; k < size; k++) {
      const [o, c] = [k % target.channels, Math.floor(k / target.channels) % source.channels];
      const tap = Math.floor(k / target.channels / source.channels);
      const [mean, scale, shift] = norm(r, 16 + c);
      const [factor, a, b, middle] = slope(r, 32 + o);
      for (let p = 0; p < count * target.height * target.width; p++) {
        const [ox, q] = [p % target.width, Math.floor(p / target.width)];
        const [oy, n] = [q % target.height, Math.floor(q / target.height)];
        const [iy, ix] = [oy * stride + Math.floor(tap / 3) - 1, ox * stride + (tap % 3) - 1];
        if (iy < 0 || ix < 0 || iy >= source.height || ix >= source.width) continue;
        const seen = yAt(r, n, iy, ix, c);
        const input = stem ? seen : Math.max(0, (seen - mean) * scale + shift);
        sums[r * size + k] += input * factor * (gAt(r, n, oy, ox, o) - a - (zAt(r, n, oy, ox, o) - middle) * b);
      }
    }
  }
  const found = await run(gpu, kernel, count, out);
  const summed = new Float64Array(replicas * size);
  for (let r = 0; r < replicas; r++) {
    for (let k = 0; k < size; k++) {
      for (let part = 0; part < parts; part++) summed[r * size + k] += found[place + (r * parts + part) * size + k];
    }
  }
  expect(distance(summed, [...sums])).toBeLessThan(1e-5);
}

const shape = (side: number, channels: number): Shape => ({ height: side, width: side, channels });
const tile = (rows: number, pixelGroups: number, images: number, padding: number): MatrixWeightTile => ({
  ...{ rows, inputs: 16, outputs: 16, pixelGroups, images, padding },
});

onDevice(
  "16 wide, two warps a tile, half an image a part",
  () => weights(shape(16, 16), shape(16, 16), 1, tile(2, 2, 0.5, 0), 1),
  300_000,
);
atLength(
  "8 wide, two images a part, one of two tiles of outputs",
  () => weights(shape(8, 16), shape(8, 32), 1, tile(4, 1, 2, 8), 2),
  300_000,
);
atLength("a stride of 2", () => weights(shape(16, 16), shape(8, 16), 2, tile(2, 1, 1, 0), 2), 300_000);
atLength("the stem", () => weights(shape(16, 3), shape(16, 16), 1, { ...tile(2, 1, 1, 0), inputs: 3 }, 1), 300_000);
