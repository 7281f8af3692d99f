/** Where exchanges and evaluations stand: no two share a number, and a number says where its sender is. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Numbering } from "../../../src/peer/course/numbering.ts";

describe("numbering", () => {
  it("gives every exchange and every evaluation numbers of their own, in order, and knows them again", () => {
    const settings = fc.record({
      yields: fc.integer({ min: 1, max: 6 }),
      rounds: fc.integer({ min: 0, max: 40 }),
      evaluation: fc.option(
        fc.record({ every: fc.integer({ min: 1, max: 50 }), length: fc.integer({ min: 1, max: 9 }) }),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(settings, ({ yields, rounds, evaluation }) => {
        const numbering = new Numbering({ yields, rounds, evaluation });
        const seen: number[] = [];
        for (let t = 0; t < rounds; t++) {
          for (let k = 0; k < yields; k++) {
            const number = numbering.of(t, yields * t + k);
            expect(numbering.iteration(number)).toBe(t);
            seen.push(number);
          }
          const done = t + 1;
          if (evaluation === undefined || (done % evaluation.every !== 0 && done !== rounds)) continue;
          for (let k = 0; k < evaluation.length; k++) {
            const number = numbering.evaluation(done) + k;
            if (done % evaluation.every === 0) expect(numbering.iteration(number)).toBe(done);
            seen.push(number);
          }
        }
        expect(seen).toEqual(Array.from({ length: numbering.length }, (_, k) => k));
      }),
    );
    expect(new Numbering({ yields: 2, rounds: 10 }).iteration(-1)).toBe(-1);
  });
});
