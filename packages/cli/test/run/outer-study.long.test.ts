/** The study of outer rules, small: its units run, its checks hold, and they fail where results are wrong. */

import { experiments, runUnit, type UnitResult } from "@equitopo/experiments";
import { expect, test } from "vitest";

const study = experiments.find(({ name }) => name === "outer")!;

test("the quick form holds what it checks", { timeout: 120_000 }, async () => {
  const results = new Map<string, UnitResult>();
  for (const unit of study.units("quick")) results.set(unit.key, await runUnit(unit));
  const { checks, tables } = study.outcome(results, "quick");
  expect(checks.filter(({ pass }) => !pass)).toEqual([]);
  expect(checks.length).toBeGreaterThan(15);
  // A unit is plain JSON, and so is its result: a journal keeps both.
  expect(JSON.parse(JSON.stringify([...results]))).toEqual([...results]);
  expect(tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(40);
});

test("every check fails on wrong results", () => {
  for (const scale of ["quick", "full"] as const) {
    // Everybody is alike and nobody near what is predicted, or not where it grows; whole periods are no all-reduce.
    const units = study.units(scale);
    const results = new Map(
      units.map(({ key }, k) => {
        const settled = { measured: 1, predicted: k % 2 === 0 ? 2 : null, factor: 2, grew: false, refused: false };
        return [key, { ...settled, errors: [[k, k]], apart: [[1, 1]] } as unknown as UnitResult];
      }),
    );
    const passed = study.outcome(results, scale).checks.filter(({ pass }) => pass);
    expect(passed.map(({ name }) => name)).toEqual([]);
  }
});
