import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combine, combineRow } from "../../src/round/combine.ts";

describe("combine", () => {
  for (const Rows of [Float32Array, Float64Array] as (typeof Float64Array)[]) {
    it(`${Rows.name}: the kernel gives the definition's bits, for any length and number of rows`, () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 9000 }),
          fc.integer({ min: 0, max: 16 }),
          fc.double({ min: -2, max: 2, noNaN: true }),
          fc.nat(),
          (length, count, self, seed) => {
            const row = (j: number) =>
              Rows.from({ length }, (_, k) => Math.sin(seed + j * 7.3 + k) * 10 ** ((k % 60) - 30));
            const x = row(0);
            const rows = Array.from({ length: count }, (_, j) => row(j + 1));
            const weights = rows.map((_, j) => 1 / (j + 3));
            const [fast, plain] = [new Rows(length), new Rows(length)];
            combine(fast, self, x, weights, rows);
            combineRow(plain, self, x, weights, rows);
            expect(Buffer.compare(Buffer.from(fast.buffer), Buffer.from(plain.buffer))).toBe(0);
            combine(x, self, x, weights, rows);
            expect(Buffer.compare(Buffer.from(x.buffer), Buffer.from(plain.buffer))).toBe(0);
          },
        ),
        { numRuns: 60 },
      );
    });
  }
});
