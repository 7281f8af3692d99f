/** Who holds what, who sees what when, and what happens to it on the way into a batch. */

import { RandomStream } from "equitopo/internal/random";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchFiller } from "../../src/data/batch.ts";
import type { Dataset } from "../../src/data/dataset.ts";
import { dirichlet, logGamma } from "../../src/data/gamma.ts";
import { dealtSchedule, shareSchedule } from "../../src/data/schedule.ts";
import { labelCounts, type Split, splitData } from "../../src/data/split.ts";
import { syntheticImages } from "../../src/data/synthetic.ts";

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b);
const upTo = (n: number) => Array.from({ length: n }, (_, k) => k);
const tenClasses = (count: number) => Uint8Array.from({ length: count }, (_, k) => (k * 7) % 10);

describe("gamma and Dirichlet variates", () => {
  it.each([0.1, 0.7, 1, 3.5, 40])("have mean and variance a (a = %d)", (a) => {
    const stream = new RandomStream(1, 1000, 0);
    const values = upTo(20_000).map(() => Math.exp(logGamma(stream, a)));
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
    // Five standard errors: the variance of a sample mean is a / N, of a sample variance about (2 a^2 + 6 a) / N.
    expect(Math.abs(mean - a)).toBeLessThan(5 * Math.sqrt(a / 20_000));
    expect(Math.abs(variance - a)).toBeLessThan(5 * Math.sqrt((2 * a * a + 6 * a) / 20_000));
  });

  it("sum to one even where every gamma is zero in floating point", () => {
    const share = dirichlet(new RandomStream(3, 1000, 0), 17, 1e-4);
    expect(share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(Math.max(...share)).toBeGreaterThan(0.99);
  });

  it("have the variance of the Dirichlet distribution", () => {
    const [n, alpha, count] = [4, 0.5, 5000];
    const stream = new RandomStream(4, 1000, 0);
    const first = upTo(count).map(() => dirichlet(stream, n, alpha)[0]);
    const variance = first.reduce((sum, p) => sum + (p - 1 / n) ** 2, 0) / count;
    expect(variance).toBeCloseTo((n - 1) / (n * n * (n * alpha + 1)), 2);
  });
});

describe("splits", () => {
  const splits: Split[] = [
    { name: "iid" },
    { name: "shards" },
    { name: "shards", shards: 3 },
    { name: "dirichlet", alpha: 0.3 },
    { name: "dirichlet", alpha: 0.001 },
    { name: "dirichlet", alpha: 100 },
  ];
  it.each(splits)("%o gives every image to exactly one node, and every node some", (split) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(50), fc.nat(1000), (n, more, seed) => {
        const labels = tenClasses(3 * n + more);
        const shares = splitData(labels, n, split, seed);
        expect(shares).toHaveLength(n);
        expect(Math.min(...shares.map((share) => share.length))).toBeGreaterThan(0);
        expect(sorted(shares.flatMap((share) => [...share]))).toEqual(upTo(labels.length));
        expect(splitData(labels, n, split, seed)).toEqual(shares);
      }),
      { numRuns: 30 },
    );
  });

  it("iid shares are equal and mixed", () => {
    const shares = splitData(tenClasses(1003), 10, { name: "iid" }, 1);
    expect(sorted(shares.map((share) => share.length))).toEqual([100, 100, 100, 100, 100, 100, 100, 101, 101, 101]);
    for (const row of labelCounts(tenClasses(1003), shares, 10)) expect(Math.min(...row)).toBeGreaterThan(0);
    expect(splitData(tenClasses(1003), 10, { name: "iid" }, 2)).not.toEqual(shares);
  });

  it("a node with two shards of sorted labels sees few classes", () => {
    const labels = tenClasses(2000);
    const counts = labelCounts(labels, splitData(labels, 10, { name: "shards", shards: 2 }, 1), 10);
    for (const row of counts) expect(row.filter((c) => c > 0).length).toBeLessThanOrEqual(2);
  });

  it("alpha says how unequal the classes are", () => {
    const labels = tenClasses(10_000);
    const unevenness = (alpha: number) => {
      const counts = labelCounts(labels, splitData(labels, 10, { name: "dirichlet", alpha }, 1), 10);
      return counts.flat().reduce((sum, c) => sum + (c - 100) ** 2, 0);
    };
    expect(unevenness(0.1)).toBeGreaterThan(3 * unevenness(1));
    expect(unevenness(1)).toBeGreaterThan(10 * unevenness(100));
  });

  it("refuse what cannot be", () => {
    expect(() => splitData(tenClasses(3), 4, { name: "iid" }, 1)).toThrow(/4 nodes need at least 4 images, got 3/);
    expect(() => splitData(tenClasses(30), 4, { name: "dirichlet", alpha: 0 }, 1)).toThrow(/alpha must lie in/);
    expect(() => splitData(tenClasses(30), 4, { name: "shards", shards: 8 }, 1)).toThrow(/need 32 images, got 30/);
  });
});

describe("schedules", () => {
  it("with equal shares an epoch is one pass, in a new order every time", () => {
    const shares = splitData(tenClasses(60), 3, { name: "iid" }, 1);
    const schedule = shareSchedule({ shares, batch: 8, seed: 1 });
    expect([schedule.stepsPerEpoch, schedule.imagesPerEpoch]).toEqual([3, 20]);
    const pass = (epoch: number, node: number) => upTo(3).flatMap((step) => [...schedule.indices(epoch, step, node)]);
    for (let node = 0; node < 3; node++) {
      for (const epoch of [2, 0, 1]) expect(sorted(pass(epoch, node))).toEqual(sorted(shares[node]));
      expect(pass(0, node)).not.toEqual(pass(1, node));
    }
    expect(schedule.indices(0, 2, 0)).toHaveLength(4);
    const fresh = shareSchedule({ shares, batch: 8, seed: 1 });
    expect(fresh.indices(5, 1, 2)).toEqual(schedule.indices(5, 1, 2));
  });

  it("with unequal shares all nodes take the average share, and passes follow one another", () => {
    const shares = [Int32Array.of(0, 1, 2), Int32Array.from({ length: 13 }, (_, k) => 3 + k)];
    const schedule = shareSchedule({ shares, batch: 3, seed: 1 });
    expect([schedule.stepsPerEpoch, schedule.imagesPerEpoch]).toEqual([3, 8]);
    const seen = (node: number, epochs: number) =>
      upTo(epochs).flatMap((e) => upTo(3).flatMap((step) => [...schedule.indices(e, step, node)]));
    const small = seen(0, 3);
    for (let at = 0; at < 24; at += 3) expect(sorted(small.slice(at, at + 3))).toEqual([0, 1, 2]);
    expect(sorted(seen(1, 2).slice(0, 13))).toEqual([...shares[1]]);
  });

  it("as run, the data is dealt anew over the nodes in every epoch", () => {
    const schedule = dealtSchedule({ count: 50, n: 4, batch: 5, seed: 1 });
    expect([schedule.stepsPerEpoch, schedule.imagesPerEpoch]).toEqual([3, 13]);
    const share = (epoch: number, node: number) => upTo(3).flatMap((step) => [...schedule.indices(epoch, step, node)]);
    for (let epoch = 0; epoch < 3; epoch++) {
      const dealt = upTo(4).flatMap((node) => share(epoch, node));
      expect(dealt).toHaveLength(52);
      expect(sorted(new Set(dealt))).toEqual(upTo(50));
    }
    expect(sorted(share(0, 0))).not.toEqual(sorted(share(1, 0)));
  });
});

describe("batches", () => {
  const shape = { height: 4, width: 5, channels: 3 };
  const images = Uint8Array.from({ length: 2 * 60 }, (_, k) => k + 1);
  const data: Dataset = { name: "t", shape, classes: 2, count: 2, images, labels: Uint8Array.of(0, 1) };

  it("are normalised, at any pitch", () => {
    const [out, labels] = [new Float32Array(4 * 20).fill(9), new Int32Array(1)];
    const normalisation = { mean: [0, 0.5, 1], deviation: [1, 0.5, 2] };
    batchFiller(data, { normalisation, pitch: 4 })([1], out, labels);
    expect(labels[0]).toBe(1);
    expect(out[0]).toBeCloseTo(61 / 255, 6);
    expect(out[1]).toBeCloseTo((62 / 255 - 0.5) / 0.5, 6);
    expect(out[2]).toBeCloseTo((63 / 255 - 1) / 2, 6);
    expect(out[3]).toBe(9);
    expect(out[4]).toBeCloseTo(64 / 255, 6);
  });

  it("augmented, every image is a shift of itself or of its mirror image, black outside", () => {
    const [out, labels] = [new Float32Array(60), new Int32Array(1)];
    const fill = batchFiller(data, { augmentation: { pad: 2, flip: true, seed: 5 } });
    const pixel = (y: number, x: number, flip: boolean, c: number) => {
      const column = flip ? 4 - x : x;
      const inside = y >= 0 && y < 4 && column >= 0 && column < 5;
      return inside ? Math.fround(images[60 + (y * 5 + column) * 3 + c] / 255) : 0;
    };
    const found = new Set<string>();
    for (let round = 0; round < 400; round++) {
      fill([1], out, labels, round);
      for (const flip of [false, true]) {
        for (let move = 0; move < 25; move++) {
          const [top, left] = [Math.floor(move / 5) - 2, (move % 5) - 2];
          const same = [...out].every((v, k) => {
            const at = Math.floor(k / 3);
            return Math.abs(v - pixel(Math.floor(at / 5) + top, (at % 5) + left, flip, k % 3)) < 1e-6;
          });
          if (same) found.add(`${flip} ${top} ${left}`);
        }
      }
    }
    expect(found.size).toBe(50);
  });
});

describe("drawn images", () => {
  it("are a function of their number, with all classes among them", () => {
    const data = syntheticImages({ count: 200, seed: 3, size: 32, channels: 3 });
    const part = syntheticImages({ count: 20, seed: 3, size: 32, channels: 3, first: 100 });
    expect(part.images).toEqual(data.images.subarray(100 * 3072, 120 * 3072));
    expect(part.labels).toEqual(data.labels.subarray(100, 120));
    expect(new Set(data.labels).size).toBe(10);
    expect(syntheticImages({ count: 20, seed: 4, size: 32, channels: 3, first: 100 }).images).not.toEqual(part.images);
  });
});
