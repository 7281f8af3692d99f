import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { giveRow, takeRow } from "../../src/kernel/space.ts";
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

  it.each(["float32", "float64"] as const)("%s rows of one space: the same bits, where they lie", (type) => {
    for (const length of [64, 65, 67, 130, 9001]) {
      for (const count of [1, 2, 5]) {
        const taken = Array.from({ length: count + 2 }, () => {
          const row = takeRow(type, length);
          if (row === undefined) throw new Error("no space");
          return row;
        });
        const [y, x, ...rows] = taken;
        taken.forEach((row, j) => {
          row.forEach((_, k) => {
            row[k] = Math.sin(j + k) * 10 ** ((k % 60) - 30);
          });
        });
        const weights = rows.map((_, j) => 1 / (j + 3));
        const plain = x.slice();
        combineRow(plain, 0.3, x, weights, rows);
        expect(combine(y, 0.3, x, weights, rows)).toBe(true);
        expect(y).toEqual(plain);
        combine(x, 0.3, x, weights, rows);
        expect(x).toEqual(plain);
        for (const row of taken) giveRow(row);
      }
    }
  });

  it.each([Float32Array, Float64Array])(
    "%o: what is not finite is seen wherever it is, though its weight be 0",
    (Rows) => {
      const length = 131;
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        for (const at of [0, 3, 64, 127, 128, 130]) {
          const [x, z, y] = [new Rows(length).fill(1), new Rows(length).fill(2), new Rows(length)];
          expect(combine(y, 0.5, x, [0], [z])).toBe(true);
          z[at] = bad;
          expect(combine(y, 0.5, x, [0], [z])).toBe(false);
        }
      }
    },
  );

  it("the row that was given back last is taken first, so that no more are written to than are in use", () => {
    const places = new Set<number>();
    let held = takeRow("float64", 777);
    for (let k = 0; k < 30; k++) {
      const next = takeRow("float64", 777);
      if (held === undefined || next === undefined) throw new Error("no space");
      places.add(next.byteOffset);
      giveRow(held);
      held = next;
    }
    expect(places.size).toBe(2);
  });

  it("a row that is given back twice is handed out once", () => {
    const [a, b] = [takeRow("float32", 1000), takeRow("float32", 1000)];
    if (a === undefined || b === undefined) throw new Error("no space");
    expect(a.byteOffset).not.toBe(b.byteOffset);
    giveRow(a);
    giveRow(a);
    const later = Array.from({ length: 20 }, () => takeRow("float32", 1000)).filter((row) => row !== undefined);
    expect(new Set(later.map(({ byteOffset }) => byteOffset)).size).toBe(later.length);
    expect(later.map(({ byteOffset }) => byteOffset)).not.toContain(b.byteOffset);
  });
});
