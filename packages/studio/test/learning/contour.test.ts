import { expect, it } from "vitest";
import { gridPoints, zeroLine } from "../../src/work/learning/contour.ts";

it("finds the circle where x^2 + y^2 = 1, all of it", () => {
  const grid = { size: 41, reach: 1.5 };
  const points = gridPoints(grid);
  expect(Array.from(points.slice(0, 4))).toEqual([-1.5, -1.5, Math.fround(-1.425), -1.5]);
  const values = Array.from({ length: 41 * 41 }, (_, k) => points[2 * k] ** 2 + points[2 * k + 1] ** 2 - 1);
  const line = zeroLine(grid, values);
  let length = 0;
  for (let at = 0; at < line.length; at += 4) {
    for (const end of [at, at + 2]) expect(Math.hypot(line[end], line[end + 1])).toBeCloseTo(1, 2);
    length += Math.hypot(line[at + 2] - line[at], line[at + 3] - line[at + 1]);
  }
  expect(length).toBeCloseTo(2 * Math.PI, 1);
});

it("finds nothing where the sign never changes", () => {
  expect(zeroLine({ size: 3, reach: 1 }, new Float32Array(9).fill(2))).toHaveLength(0);
});
