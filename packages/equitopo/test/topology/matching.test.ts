/** The three constructions of OU-EquiDyn's pairs: Alg. 2 (greedy), Alg. 4 (node-wise), Alg. 5 (Euclidean). */

import { describe, expect, test } from "vitest";
import { euclidMatched, greedyMatched } from "../../src/rate/equidyn.ts";
import { euclidMatching, euclidPartner, greedyMatching, greedyPartner } from "../../src/topology/matching.ts";

/** Calls visit(v, s) for every label difference and start. */
function everyChoice(n: number, visit: (v: number, s: number) => void): void {
  for (let v = 1; v < n; v++) for (let s = 0; s < n; s++) visit(v, s);
}

/** Whether pairs are mutual, and each pair's labels differ by v one way round. */
function isMatching(partner: Int32Array, v: number): boolean {
  const n = partner.length;
  return partner.every((j, i) => j === i || (partner[j] === i && ((i - j + n) % n === v || (j - i + n) % n === v)));
}

test("node-wise equals greedy in all 87,360 cases n <= 64 (errata 2)", () => {
  let cases = 0;
  for (let n = 2; n <= 64; n++) {
    everyChoice(n, (v, s) => {
      const partner = greedyMatching(n, v, s);
      const nodeWise = Int32Array.from({ length: n }, (_, i) => greedyPartner(n, v, s, i));
      if (partner.join() !== nodeWise.join())
        throw new Error(`n = ${n}, v = ${v}, s = ${s}: ${partner} is not ${nodeWise}`);
      cases++;
    });
  }
  expect(cases).toBe(87_360);
});

const constructions = [
  ["greedy", greedyMatching, greedyMatched],
  ["euclid", euclidMatching, euclidMatched],
] as const;

describe.each(constructions)("%s", (name, matching, matched) => {
  test("pairs nodes mutually at label difference v, in all 21,320 cases n <= 40 (errata 1)", () => {
    let cases = 0;
    for (let n = 2; n <= 40; n++) {
      everyChoice(n, (v, s) => {
        const partner = matching(n, v, s);
        if (!isMatching(partner, v)) throw new Error(`${name}, n = ${n}, v = ${v}, s = ${s}: ${partner}`);
        cases++;
      });
    }
    expect(cases).toBe(21_320);
  });

  test("matches the fraction f_v of the closed form, whatever the start", () => {
    for (let n = 2; n <= 40; n++) {
      everyChoice(n, (v, s) => {
        const busy = matching(n, v, s).reduce((count, j, i) => count + (j === i ? 0 : 1), 0);
        const expected = Math.round(matched(n, v) * n);
        if (busy !== expected || Math.abs(expected - matched(n, v) * n) > 1e-9) {
          throw new Error(`n = ${n}, v = ${v}, s = ${s}: ${busy} matched, closed form ${matched(n, v) * n}`);
        }
      });
    }
  });

  test("E[P] over the start is circulant", () => {
    for (let n = 2; n <= 30; n++) {
      for (let v = 1; v < n; v++) {
        const counts = new Int32Array(n * n);
        for (let s = 0; s < n; s++) for (const [i, j] of matching(n, v, s).entries()) counts[i * n + j]++;
        const shifted = counts.every((count, e) => {
          const i = Math.floor(e / n);
          return count === counts[(e - i * n - i + n) % n];
        });
        if (!shifted) throw new Error(`n = ${n}, v = ${v}`);
      }
    }
  });

  test("a label difference of n/2 pairs everybody", () => {
    for (let n = 2; n <= 40; n += 2) expect(matched(n, n / 2)).toBe(1);
  });
});

test("greedy follows the letter of Alg. 2: n = 7, v = 2, start 3", () => {
  // 3-5, 4-6, then 5 is taken, 6 is taken, 0-2, and 1-3 fails: 1 is idle.
  expect(Array.from(greedyMatching(7, 2, 3))).toEqual([2, 1, 0, 5, 6, 3, 4]);
});

test("greedy leaves at most a third idle, and does reach it (errata 5)", () => {
  let least = 1;
  for (let n = 2; n <= 300; n++) for (let v = 1; v < n; v++) least = Math.min(least, greedyMatched(n, v));
  expect(least).toBeCloseTo(2 / 3, 15);
});

test("euclid never leaves more nodes idle than greedy, on average over v", () => {
  for (let n = 2; n <= 300; n++) {
    let greedy = 0;
    let euclid = 0;
    for (let v = 1; v < n; v++) {
      greedy += greedyMatched(n, v);
      euclid += euclidMatched(n, v);
    }
    expect(euclid).toBeGreaterThanOrEqual(greedy - 1e-9);
  }
});

test("partners stay mutual and exact at n far beyond 2^26, where products pass 2^53", () => {
  for (const n of [2 ** 31 - 1, 2 ** 30, 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23]) {
    for (const v of [1, 6, n - 1, 715_827_883 % n, 1_000_000_007 % n]) {
      for (const i of [0, 1, n - 1, 123_456_789 % n]) {
        for (const partner of [greedyPartner, euclidPartner]) {
          const j = partner(n, v, 99_999_989 % n, i);
          expect(partner(n, v, 99_999_989 % n, j)).toBe(i);
          expect([0, v, n - v]).toContain((((i - j) % n) + n) % n);
        }
      }
    }
  }
});
