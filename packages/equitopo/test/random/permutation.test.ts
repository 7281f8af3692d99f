/** Keyed permutations: one-to-one and undone by their inverse at every n, and as uniform as pairs of labels can tell. */

import { expect, test } from "vitest";
import { KeyedPermutation } from "../../src/random/permutation.ts";

const STREAM = 1000;

test("every n from 1 to 200: all labels once, and the inverse leads back", () => {
  for (let n = 1; n <= 200; n++) {
    const order = new KeyedPermutation(n, 5, STREAM).at(n);
    const seen = new Set<number>();
    for (let i = 0; i < n; i++) {
      const place = order.forward(i);
      expect(order.inverse(place)).toBe(i);
      seen.add(place);
    }
    expect(seen.size).toBe(n);
    expect(Math.min(...seen)).toBe(0);
    expect(Math.max(...seen)).toBe(n - 1);
  }
});

test("large n, up to what 32-bit labels count", () => {
  for (const n of [10 ** 6, 10 ** 6 + 3, 2 ** 20, 46340 ** 2 - 1, 2 ** 31 - 1]) {
    const order = new KeyedPermutation(n, 2 ** 40, STREAM);
    for (let t = 0; t < 200; t++) {
      const i = (t * 7_919_317) % n;
      const place = order.at(t).forward(i);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThan(n);
      expect(order.inverse(place)).toBe(i);
    }
  }
});

test("a round's order is the same whatever was asked before; rounds, seeds and streams have orders of their own", () => {
  const text = (order: KeyedPermutation, t: number) =>
    Array.from({ length: 50 }, (_, i) => order.at(t).forward(i)).join();
  const order = new KeyedPermutation(50, 1, STREAM);
  const first = text(order, 3);
  text(order, 2 ** 33 + 3);
  expect(text(order, 3)).toBe(first);
  const others = [text(order, 4), text(order, 2 ** 33 + 3), text(new KeyedPermutation(50, 2, STREAM), 3)];
  others.push(text(new KeyedPermutation(50, 1, STREAM + 1), 3), first);
  expect(new Set(others).size).toBe(5);
});

test("ordered pairs of places are uniform, n = 2 to 24: chi-square within five standard deviations", () => {
  for (let n = 2; n <= 24; n++) {
    const order = new KeyedPermutation(n, 9, STREAM);
    const draws = 60 * n * (n - 1);
    // Neighbours, and labels that share a half: where a network with too few half-rounds shows first.
    for (const [p, q] of [
      [0, 1],
      [0, n - 1],
      [n >> 1, (n >> 1) - 1],
    ]) {
      const counts = new Float64Array(n * n);
      for (let t = 0; t < draws; t++) counts[order.at(t).forward(p) * n + order.forward(q)]++;
      let chiSquare = 0;
      for (let e = 0; e < n * n; e++) if (e % (n + 1) !== 0) chiSquare += (counts[e] - 60) ** 2 / 60;
      const freedom = n * (n - 1) - 1;
      expect(Math.abs(chiSquare - freedom), `n = ${n}, labels ${p} and ${q}`).toBeLessThan(
        5 * Math.sqrt(2 * freedom) + 8,
      );
    }
  }
});

test("parities: all even at an odd square, nearly one alone a little below it, both alike at every other n", () => {
  for (let n = 2; n <= 100; n++) {
    const order = new KeyedPermutation(n, 3, STREAM);
    const draws = 400;
    let odd = 0;
    for (let t = 0; t < draws; t++) odd += parity(n, (i) => order.at(t).forward(i)) / draws;
    const a = Math.ceil(Math.sqrt(n));
    const missing = a * a - n;
    if (a % 2 === 0 || missing >= a) expect(Math.abs(odd - 0.5)).toBeLessThan(0.13);
    else if (missing === 0) expect(odd).toBe(0);
    else expect(Math.abs(odd - (missing % 2))).toBeLessThan((2 * missing) / n + 0.05);
  }
});

/** 0 of an even permutation: the number of labels less that of cycles, mod 2. */
function parity(n: number, map: (i: number) => number): number {
  const seen = new Set<number>();
  let sum = n;
  for (let i = 0; i < n; i++) {
    if (!seen.has(i)) sum--;
    for (let j = i; !seen.has(j); j = map(j)) seen.add(j);
  }
  return sum % 2;
}

test("all 24 orders of four labels come equally often, though pairs could not tell", () => {
  const order = new KeyedPermutation(4, 1, STREAM);
  const counts = new Map<string, number>();
  const draws = 24_000;
  for (let t = 0; t < draws; t++) {
    const key = [0, 1, 2, 3].map((i) => order.at(t).forward(i)).join("");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(counts.size).toBe(24);
  let chiSquare = 0;
  for (const count of counts.values()) chiSquare += (count - draws / 24) ** 2 / (draws / 24);
  // 23 degrees of freedom: above 58 once in 10,000.
  expect(chiSquare).toBeLessThan(58);
});
