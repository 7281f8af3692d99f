import { expect, test } from "vitest";
import { csvOf, curvesSheet } from "../../src/export/csv.ts";

test("curves side by side as CSV: all digits, empty cells where one has ended, quotes where a name has a comma", () => {
  const curves = [
    { label: "D-EquiStatic, m = 9", values: [1, 0.1 + 0.2] },
    { label: 'a "ring"', values: Float64Array.of(1, 1 / 3, 1e-300) },
  ];
  expect(csvOf(curvesSheet("c", "round", curves))).toBe(
    'round,"D-EquiStatic, m = 9","a ""ring"""\n0,1,1\n1,0.30000000000000004,0.3333333333333333\n2,,1e-300\n',
  );
  expect(csvOf(curvesSheet("c", "round", []))).toBe("round\n");
});
