/** Searches, exhaustion and bounds, against figures that are known. */

import { describe, expect, test } from "vitest";
import { designBound, welchBound } from "../../src/design/bounds.ts";
import { betterOf, chunksOf, designTopology, question } from "../../src/design/designer.ts";
import { exhaust, forEachClass } from "../../src/design/exhaust.ts";
import { designOnePeer, onePeerBound, sequenceNorm } from "../../src/design/one-peer.ts";
import { chunkSize, type Found, Search } from "../../src/design/search.ts";
import { InputError } from "../../src/input/input.ts";
import { circulantRate } from "../../src/rate/circulant.ts";

/** Proved rates: all classes exhausted elsewhere, with optimal weights. */
const proved: [n: number, degree: number, directed: boolean, rate: number][] = [
  [16, 2, true, 0.765685],
  [16, 4, true, 0.423931],
  [16, 8, true, 0.239418],
  [17, 5, true, 0.381954],
  [25, 4, true, 0.489517],
  [64, 2, true, 0.934725],
  [100, 3, true, 0.832413],
  [16, 3, false, 0.759287],
  [16, 7, false, 0.333333],
  [17, 6, false, 0.384696],
  [32, 8, false, 0.380493],
  [64, 7, false, 0.561852],
  [1000, 4, false, 0.988885],
];

describe("exhaustion", () => {
  test.each(proved)("n = %i, %i peers, directed %s: %f", (n, degree, directed, rate) => {
    expect(exhaust({ n, degree, directed }).rate).toBeCloseTo(rate, 6);
  });

  test("visits one support of every class, and every support belongs to one", () => {
    // 7 = 2^2 + 2 + 1: sets {0, a, b} mod 7 up to u -> a u + c: 35 sets in 2 classes, {0, 1, 2} and {0, 1, 3}.
    const seen: string[] = [];
    forEachClass({ n: 7, degree: 2, directed: true }, (columns) => seen.push(columns.join()));
    expect(seen).toEqual(["0,1,2", "0,1,3"]);
    // All supports at n = 12 against the classes: none has a rate that no class has.
    for (const directed of [true, false]) {
      const rates = new Set<string>();
      const asked = { n: 12, degree: directed ? 3 : 4, directed };
      const equal = (members: ArrayLike<number>) => {
        const all = Array.from(members).flatMap((u) => (directed || u === 0 ? [u] : [u, 12 - u]));
        const others = all.filter((u) => u !== 0).sort((a, b) => a - b);
        const weight = 1 / (others.length + 1);
        const circulant = { n: 12, self: weight, shifts: others, weights: others.map(() => weight) };
        return circulantRate(circulant).rate.toFixed(9);
      };
      forEachClass(asked, (columns) => rates.add(equal(columns)));
      for (let a = 1; a < (directed ? 12 : 6); a++) {
        for (let b = a + 1; b < (directed ? 12 : 6); b++) {
          for (let c = directed ? b + 1 : b; c < (directed ? 12 : b + 1); c++) {
            expect(rates).toContain(equal(directed ? [0, a, b, c] : [0, a, b]));
          }
        }
      }
    }
  });
});

describe("the search", () => {
  test.each([
    [64, 8, true, 0.352159],
    [300, 12, false, 0.525],
    [100, 12, false, 0.381121],
  ])("n = %i, %i peers, directed %s finds %f", (n, degree, directed, rate) => {
    expect(designTopology({ n, degree, directed, evaluations: 3e6 }).rate).toBeLessThan(rate + 1e-6);
  });

  test("Singer's difference sets meet Welch's bound", () => {
    expect(designTopology({ n: 57, degree: 7, evaluations: 2e6 }).rate).toBeCloseTo(welchBound(57, 7), 6);
  });

  test("is a function of seed and evaluations, whoever does which chunk", () => {
    const asked = question({ n: 40, degree: 5, directed: true });
    const chunks = chunksOf(asked, 2.5 * chunkSize(asked));
    expect(chunks).toHaveLength(3);
    const inOrder = new Search(asked);
    const finds = chunks.map(({ c, evaluations }) => inOrder.chunk(3, c, evaluations / 20));
    const reversed = [...chunks].reverse().map(({ c, evaluations }) => new Search(asked).chunk(3, c, evaluations / 20));
    expect(reversed.reverse()).toEqual(finds);
    expect(finds.reduce<Found | undefined>(betterOf, undefined)).toEqual([...finds].sort((a, b) => a.rate - b.rate)[0]);
    expect(finds.map(({ shifts }) => shifts.join())).not.toEqual([finds[0], finds[0], finds[0]]);
  });

  test("stops when asked, with the best so far", () => {
    let asked = 0;
    const design = designTopology({ n: 200, degree: 6, evaluations: 1e9, stop: () => ++asked > 3 });
    expect(design.rate).toBeLessThan(0.9);
    expect(design.shifts).toHaveLength(6);
  });

  test("complete graphs, and what has no choice", () => {
    expect(designTopology({ n: 5, degree: 4 }).rate).toBeLessThan(1e-10);
    expect(designTopology({ n: 6, degree: 5, directed: false }).rate).toBeLessThan(1e-10);
    expect(designTopology({ n: 2, degree: 1 }).rate).toBe(0);
  });

  test("refuses what no circulant has", () => {
    expect(() => designTopology({ n: 17, degree: 3, directed: false })).toThrow(InputError);
    expect(() => designTopology({ n: 17, degree: 17 })).toThrow("from 1 to 16");
    expect(() => designTopology({ n: 17, degree: 3, evaluation: 3 } as never)).toThrow("did you mean evaluations?");
  });
});

describe("bounds", () => {
  test("Welch's is (n / (K + 1) - 1) / (n - 1), rooted", () => {
    expect(welchBound(7, 2)).toBeCloseTo(Math.sqrt(2) / 3, 12);
  });

  test("lie below every proved rate, and not far", () => {
    for (const [n, degree, directed, rate] of proved) {
      const { value } = designBound({ n, degree, directed });
      expect([n, degree, value <= rate + 1e-6, value > 0.6 * rate]).toEqual([n, degree, true, true]);
    }
  });

  test("hold for unequal weights as well: two shifts, weights from a grid", () => {
    const n = 9;
    const { value } = designBound({ n, degree: 2, directed: true });
    let least = 1;
    for (let a = 0; a <= 20; a++) {
      for (let b = 0; a + b <= 20; b++) {
        for (let s = 1; s < n; s++) {
          const weights = [a / 20, b / 20];
          const shifts = [1, s].sort((x, y) => x - y);
          if (s === 1) continue;
          least = Math.min(least, circulantRate({ n, self: 1 - (a + b) / 20, shifts, weights }).rate);
        }
      }
    }
    expect(least).toBeGreaterThan(value);
    expect(least).toBeLessThan(1.3 * value);
  });
});

describe("one-peer sequences", () => {
  test("are exact at powers of two, and never worse than doubling", () => {
    expect(designOnePeer({ n: 64, evaluations: 1 })).toMatchObject({ norm: 0, bound: 0, period: 6 });
    const doubling = sequenceNorm(100, [1, 2, 4, 8, 16, 32, 64]).norm;
    const { norm, bound, rate, shifts } = designOnePeer({ n: 100, evaluations: 2e5 });
    expect(norm).toBeLessThan(0.6 * doubling);
    expect(norm).toBeGreaterThanOrEqual(bound);
    expect(rate).toBeCloseTo(norm ** (1 / 7), 12);
    expect(sequenceNorm(100, shifts).norm).toBe(norm);
  });

  test("the bound is what an even spread of 2^T over n would have", () => {
    // 2^5 = 32 ways over 17 labels: 15 labels twice, 2 once.
    const spread = Array.from({ length: 17 }, (_, i) => (i < 15 ? 2 : 1) / 32 - 1 / 17);
    const square = (17 / 16) * spread.reduce((sum, d) => sum + d * d, 0);
    expect(onePeerBound(17, 5)).toBeCloseTo(Math.sqrt(square), 12);
  });
});
