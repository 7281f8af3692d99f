/** Means, exact tests and intervals, against tables and against all signs written out. */

import { describe, expect, it } from "vitest";
import { holm, seedsNeeded, signFlip } from "../../src/number/sign-flip.ts";
import { mean, pairedDifferences, studentFactor, summaryOf } from "../../src/number/statistics.ts";

const bySeed = (...values: number[]) => new Map(values.map((value, seed) => [seed, value]));

describe("a mean and its standard error", () => {
  it("are the textbook's, and no spread of a single value", () => {
    expect(summaryOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      mean: 5,
      sd: expect.closeTo(Math.sqrt(32 / 7), 14),
      se: expect.closeTo(Math.sqrt(32 / 7 / 8), 14),
    });
    expect(summaryOf([3])).toEqual({ mean: 3, sd: null, se: null });
  });

  it("of equal values is that value, to the last bit", () => {
    expect(mean([0.1, 0.1, 0.1])).toBe(0.1);
  });
});

describe("the sign-flip test", () => {
  /** The definition. */
  const writtenOut = (differences: readonly number[]) => {
    const found = Math.abs(differences.reduce((sum, value) => sum + value, 0));
    let reached = 0;
    for (let signs = 0; signs < 2 ** differences.length; signs++) {
      const sum = differences.reduce((all, value, k) => all + ((signs >> k) & 1 ? value : -value), 0);
      if (Math.abs(sum) >= found * (1 - 1e-12)) reached++;
    }
    return reached / 2 ** differences.length;
  };

  it.each([
    [[1, 2, 3]],
    [[1, -2, 3, 0.5]],
    [[0.3, 0.3, -0.3, 0.3, 0.3, 0, 0.3]],
    [[5, -4, 3, 2, 8, -1, 0.25, 7, 7]],
    [[-1]],
  ])("counts all signs of %j", (differences) => {
    expect(signFlip(differences)).toBe(writtenOut(differences));
  });

  it("has 2 / 2^seeds as its smallest p, and 1 where nothing differs", () => {
    for (const seeds of [1, 5, 8, 21]) expect(signFlip(Array(seeds).fill(0.1))).toBe(2 / 2 ** seeds);
    expect(signFlip([0, 0, 0])).toBe(1);
  });

  it("gives up beyond forty", () => {
    expect(signFlip(Array(41).fill(1))).toBeNull();
  });

  it("needs six seeds for one pair, more for more", () => {
    // 2/2^5 = 0.0625 > 0.05 >= 2/2^6; ten pairs: 0.005 >= 2/2^9.
    expect([1, 3, 10].map((pairs) => seedsNeeded(pairs))).toEqual([6, 7, 9]);
  });
});

it("Holm's rule stops at the first p that does not hold", () => {
  expect(holm([0.01, 0.04, 0.03])).toEqual([true, false, false]);
  expect(holm([0.01, 0.025, 0.04])).toEqual([true, true, true]);
  expect(holm([0.04, null])).toEqual([false, false]);
});

it("Student's factors are those of the tables", () => {
  // Any table of t, two-sided 95 %.
  const table = [[1, 12.7062], [2, 4.30265], [3, 3.18245], [5, 2.57058], [7, 2.36462], [29, 2.04523], [200, 1.97190]]; // biome-ignore format: a table
  for (const [freedom, factor] of table) expect(studentFactor(freedom) / factor).toBeCloseTo(1, 5);
});

describe("paired differences", () => {
  it("go by the seeds that both have, with an interval and Holm over all pairs", () => {
    const a = bySeed(1, 2, 3, 4, 5, 6, 7, 8);
    const b = new Map([...a].map(([seed, value]) => [seed, value + 1 + 0.1 * seed]));
    const found = pairedDifferences(
      new Map([
        ["a", a],
        ["b", b],
        ["c", bySeed(1.5, 1.5, 3.5, 3.5)],
      ]),
    );
    expect(found.map((one) => [one.a, one.b, one.seeds])).toEqual([
      ["a", "b", 8],
      ["a", "c", 4],
      ["b", "c", 4],
    ]);
    const [ab, ac] = found;
    expect([ab.mean, ab.p, ab.distinguishable]).toEqual([expect.closeTo(-1.35, 12), 2 / 256, true]);
    expect(ab.interval![0]).toBeCloseTo(-1.35 - 2.36462 * ab.se!, 5);
    expect([ac.mean, ac.p, ac.distinguishable]).toEqual([0, 1, false]);
  });

  it("leave out what is no number", () => {
    expect(
      pairedDifferences(
        new Map([
          ["a", bySeed(1, Number.NaN)],
          ["b", bySeed(1, 2)],
        ]),
      ),
    ).toEqual([]);
  });
});
