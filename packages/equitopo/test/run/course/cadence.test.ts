import { describe, expect, test } from "vitest";
import { Cadence, type CadenceOptions } from "../../../src/run/course/cadence.ts";

/** All times at which something is due. */
function times(options: CadenceOptions): { record: number[]; evaluate: number[] } {
  const cadence = new Cadence(options);
  const all = Array.from({ length: options.rounds + 1 }, (_, updates) => updates);
  return {
    record: all.filter((updates) => cadence.due(updates).record),
    evaluate: all.filter((updates) => cadence.due(updates).evaluate),
  };
}

describe("a run is recorded and evaluated", () => {
  test("at multiples of `every`, at evaluations and at the end; evaluated every epoch by default", () => {
    const problem = { epoch: 4, evaluation: {} };
    const found = times({ rounds: 10, every: 3, problem });
    expect(found).toEqual({ record: [0, 3, 4, 6, 8, 9, 10], evaluate: [4, 8, 10] });
    expect(times({ rounds: 10, every: 5, evaluate: 6, problem })).toEqual({ record: [0, 5, 6, 10], evaluate: [6, 10] });
    expect(times({ rounds: 10, every: 3, problem: { epoch: 4 } })).toEqual({ record: [0, 3, 6, 9, 10], evaluate: [] });
  });

  test("at the end only: without epochs, with an interval beyond the end, in asynchronous rounds", () => {
    for (const more of [{}, { evaluate: Number.MAX_SAFE_INTEGER }, { evaluate: 2, async: true }]) {
      expect(times({ rounds: 5, every: 9, problem: { evaluation: {} }, ...more }).evaluate).toEqual([5]);
    }
    expect(times({ rounds: 0, problem: { evaluation: {} } })).toEqual({ record: [0], evaluate: [] });
  });

  test("what comes next, and what was passed, are the same times", () => {
    for (const [rounds, every, evaluate] of [
      [20, 3, 7],
      [20, 1, 20],
      [21, 50, 4],
    ]) {
      const options = { rounds, every, evaluate, problem: { evaluation: {} } };
      const cadence = new Cadence(options);
      const { record, evaluate: evaluations } = times(options);
      for (let updates = 0; updates < rounds; updates++) {
        expect(cadence.next(updates)).toBe(record.find((time) => time > updates));
        expect(cadence.nextEvaluation(updates)).toBe(evaluations.find((time) => time > updates));
        for (let after = updates + 1; after <= rounds; after++) {
          const passed = record.filter((time) => time > updates && time <= after).at(-1);
          expect(cadence.passed(updates, after)).toBe(passed);
        }
      }
    }
  });

  test("so often at most that the record has room", () => {
    const problem = {};
    expect(new Cadence({ rounds: 2 ** 24, problem }).next(5)).toBe(6);
    expect(() => new Cadence({ rounds: 1e9, every: 59, problem })).toThrow(/at most 16777216 times.*set every to 60/);
    expect(new Cadence({ rounds: 1e9, every: 60, problem }).next(0)).toBe(60);
  });
});
