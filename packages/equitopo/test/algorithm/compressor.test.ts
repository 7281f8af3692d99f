/** The compressors: contractions, with as many numbers as they say. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantise, randomK, topK } from "../../src/algorithm/compressor.ts";

const square = (v: ArrayLike<number>) => Array.from(v).reduce((sum, x) => sum + x * x, 0);
const rows = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((list) => Float64Array.from(list, (v) => (Math.abs(v) < 1e-150 ? 0 : v)));

test("top-k keeps the k largest, the first of equals", () => {
  const row = Float64Array.of(1, -5, 2, 2, 0, 2);
  topK(6, 3).compress(row, new Uint32Array(0));
  expect(Array.from(row)).toEqual([0, -5, 2, 2, 0, 0]);
  const zeros = new Float64Array(4);
  topK(4, 2).compress(zeros, new Uint32Array(0));
  expect(Array.from(zeros)).toEqual([0, 0, 0, 0]);
});

test("top-k: ||Q(v) - v||^2 <= (1 - k/d) ||v||^2", () => {
  fc.assert(
    fc.property(rows, fc.double({ min: 0, max: 1, noNaN: true }), (row, share) => {
      const k = 1 + Math.floor(share * (row.length - 1));
      const out = row.slice();
      topK(row.length, k).compress(out, new Uint32Array(0));
      const kept = out.filter((v) => v !== 0).length;
      const error = square(row.map((v, j) => v - out[j]));
      return (
        kept <= k &&
        out.every((v, j) => v === 0 || v === row[j]) &&
        error <= (1 - k / row.length) * square(row) * (1 + 1e-12)
      );
    }),
  );
});

test("random-k keeps k coordinates, each as often as any other", () => {
  const d = 7;
  const k = 3;
  const codec = randomK(d, k);
  expect(codec.words).toBe(k);
  const counts = new Array(d).fill(0);
  const words = new Uint32Array(k);
  const draws = 7000;
  for (let draw = 0; draw < draws; draw++) {
    // A low-discrepancy walk through the words: no generator to trust.
    for (let j = 0; j < k; j++)
      words[j] = Math.floor((((draw + 1) * [0.8191725134, 0.6710436067, 0.5497004779][j]) % 1) * 2 ** 32);
    const row = Float64Array.from({ length: d }, (_, j) => j + 1);
    codec.compress(row, words);
    const kept = Array.from(row).flatMap((v, j) => (v === 0 ? [] : [j]));
    expect(kept.length).toBe(k);
    for (const j of kept) {
      expect(row[j]).toBe(j + 1);
      counts[j]++;
    }
  }
  for (const count of counts) expect(Math.abs(count / draws - k / d)).toBeLessThan(0.02);
});

test("quantise: at most 2^b - 1 levels, the largest exact, no error above half a level or the number itself", () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 2, max: 8 }), (row, bits) => {
      const out = row.slice();
      quantise(row.length, bits).compress(out, new Uint32Array(0));
      const largest = row.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
      const unit = largest / (2 ** (bits - 1) - 1);
      return row.every((v, j) => {
        const error = Math.abs(out[j] - v);
        return (
          error <= Math.min(unit / 2, Math.abs(v)) * (1 + 1e-9) &&
          Math.abs(out[j]) <= largest * (1 + 1e-12) &&
          (Math.abs(v) < largest || error <= 1e-12 * largest)
        );
      });
    }),
  );
});

test("quantise sends numbers whose squares vanish as 0", () => {
  const row = Float64Array.of(5e-324, -1e-300, 0);
  quantise(3, 4).compress(row, new Uint32Array(0));
  expect(Array.from(row)).toEqual([0, 0, 0]);
});

describe("bytes", () => {
  test("top-k sends index and number, random-k numbers, quantise bits and one scale", () => {
    expect(topK(100, 10).bytes(8)).toBe(120);
    expect(topK(100, 10).bytes(4)).toBe(80);
    expect(randomK(100, 10).bytes(8)).toBe(80);
    expect(quantise(100, 4).bytes(8)).toBe(58);
    expect(quantise(3, 3).bytes(8)).toBe(10);
  });
});
