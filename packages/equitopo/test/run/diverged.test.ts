import { expect, test } from "vitest";
import { divergedAt } from "../../src/run/diverged.ts";

const updates = [0, 1, 2, 3];

test("a run has diverged where a number is none any more, also as a file has it", () => {
  expect(divergedAt({ updates, metrics: { error: [1, 5, Number.POSITIVE_INFINITY, Number.NaN] } })).toBe(2);
  expect(divergedAt({ updates, metrics: { error: [1, 5, 9, null as unknown as number] } })).toBe(3);
  expect(divergedAt({ updates, metrics: { error: [1, 5, 9, 7] } })).toBeUndefined();
});

test("what was none from the start on has not: a loss before the first update, an accuracy that nobody tried", () => {
  const evaluations = { updates: [2, 3], metrics: { meanAccuracy: [Number.NaN, 0.9] } };
  expect(divergedAt({ updates, metrics: { batchLoss: [Number.NaN, 2, 1, 1] }, evaluations })).toBeUndefined();
  expect(divergedAt({ updates, metrics: { batchLoss: [Number.NaN, 2, Number.NaN, 1] } })).toBe(2);
});

test("a metric that falls in a good run has, where it ends above ten times its start", () => {
  const of = (metric: string, values: readonly number[]) =>
    divergedAt({ updates, metric, metrics: { [metric]: values } });
  expect(of("relativeError", [1, 5, 20, 1e5])).toBe(2);
  expect(of("gradientNorm", [1, 20, 5, 11])).toBe(3);
  expect(of("gradientNorm", [Number.NaN, 2, 5, 21])).toBe(3);
  // Back in time, not far enough, or from a start that says nothing.
  expect(of("relativeError", [1, 100, 100, 10])).toBeUndefined();
  expect(of("relativeError", [0, 1, 10, 100])).toBeUndefined();
});

test("what does not say that it falls has not: a consensus distance, a plug-in's metric", () => {
  const values = [1, 5, 20, 1e5];
  for (const metric of ["consensusDistance", "angle"]) {
    expect(divergedAt({ updates, metric, metrics: { [metric]: values } })).toBeUndefined();
  }
  expect(divergedAt({ updates, metrics: { relativeError: values } })).toBeUndefined();
  expect(divergedAt({ updates, metric: "relativeError", metrics: { consensusDistance: values } })).toBeUndefined();
});
