import { expect, test } from "vitest";
import { divergedAt } from "../../src/run/run.ts";

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
