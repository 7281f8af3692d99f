/** What is said of runs over several seeds: in sentences, and in files of numbers. */

import { describe, expect, it } from "vitest";
import { differencesInWords, differencesTable, finalTable, seedDifferences } from "../../src/internal/outcome.ts";
import { byLabel, type Wanted } from "./results.ts";

/** Runs of seeds 0, 1, ... that end at these errors. */
const runs = (label: string, ...ends: readonly number[]): Wanted[] =>
  ends.map((end, seed) => ({ label, seed, metrics: { relativeError: [1, end] }, bytesPerUpdate: 80 + seed }));

const level = [0.2, 0.25, 0.3, 0.2, 0.25, 0.3, 0.2, 0.25];
const mixed = level.map((end, seed) => end * (seed % 2 === 0 ? 1.01 : 0.99));
const worse = level.map((end, seed) => end + 0.01 * (seed + 1));

describe("several seeds in words", () => {
  const say = (...wanted: Wanted[]) => differencesInWords(...seedDifferences(byLabel(...wanted)));

  it("name what is not distinguishable, and what is", () => {
    expect(say(...runs("A", ...level), ...runs("B", ...mixed))).toEqual([
      "Not distinguishable in relative error (exact sign-flip test over 8 seeds, 0.05 by Holm's rule): A from B.",
    ]);
    expect(say(...runs("A", ...level), ...runs("B", ...worse))).toEqual([
      "The one pair of runs is distinguishable in relative error (exact sign-flip test over 8 seeds, 0.05 by Holm's rule).",
    ]);
  });

  it("say how many seeds are needed where no p could be small enough", () => {
    const five = (values: readonly number[]) => values.slice(0, 5);
    expect(say(...runs("A", ...five(level)), ...runs("B", ...five(worse)))).toEqual([
      "Too few seeds to tell: 6 are needed, there are 5 (relative error: A from B).",
    ]);
  });

  it("say nothing of one seed, and compare no run that diverged", () => {
    expect(say(...runs("A", 0.1), ...runs("B", 0.2))).toEqual([]);
    expect(say(...runs("A", 0.1, 0.2), ...runs("wild", 1e5, 1e5))).toEqual([]);
  });
});

describe("several seeds in tables", () => {
  const wanted = byLabel(...runs("A", ...level), ...runs("B", ...worse));

  it("have today's columns for the means, and the deviations behind them", () => {
    const { columns, rows, spread } = finalTable(wanted, "seconds");
    expect(columns).toEqual(["run", "degree", "exact rate", "relative error", "bytes per node", "seconds"]);
    expect(rows[0][3]).toBeCloseTo(0.24375, 14);
    expect(spread!.columns.slice(0, 4)).toEqual(["seeds", "degree sd", "exact rate sd", "relative error sd"]);
    expect(spread!.columns.at(-1)).toBe("seconds se");
    const row = Object.fromEntries(spread!.columns.map((name, k) => [name, spread!.rows[0][k]]));
    expect(row["bytes per node sd"]).toBeCloseTo(Math.sqrt(6), 12);
    expect(row["bytes per node se"]).toBeCloseTo(Math.sqrt(6 / 8), 12);
    expect(finalTable(byLabel(...runs("A", 0.1)), "seconds").spread).toBeUndefined();
  });

  it("have the differences with interval and p", () => {
    const { columns, rows } = differencesTable(...seedDifferences(wanted));
    expect(columns).toEqual(["a", "b", "seeds", "mean", "se", "low", "high", "p", "distinguishable"]);
    expect(rows).toHaveLength(1);
    const [a, b, seeds, mean, , low, high, p, verdict] = rows[0];
    expect([a, b, seeds, mean, p, verdict]).toEqual(["A", "B", 8, expect.closeTo(-0.045, 12), 2 / 256, "yes"]);
    expect((low as number) < -0.045 && (high as number) < 0).toBe(true);
  });
});
