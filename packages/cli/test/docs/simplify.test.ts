/** Pictures of the guides: smaller, and nowhere more than half a pixel from what was drawn. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { simplify, simplifySvg } from "../../../../scripts/docs/simplify.mjs";

test("points on a line go, corners and ends stay", () => {
  const line = Array.from({ length: 101 }, (_, k) => [k, Math.abs(k - 50)]);
  expect(simplify(line)).toEqual([
    [0, 50],
    [50, 0],
    [100, 50],
  ]);
  expect(simplify([[1, 2]])).toEqual([[1, 2]]);
});

test("a curve stays within half a pixel", () => {
  const curve = Array.from({ length: 500 }, (_, k) => [k, 80 * Math.sin(k / 40)]);
  const kept = simplify(curve);
  expect(kept.length).toBeLessThan(100);
  for (const [x, y] of curve) {
    const next = kept.findIndex(([a]) => a >= x);
    const [[ax, ay], [bx, by]] = [kept[Math.max(0, next - 1)], kept[next]];
    const drawn = bx === ax ? ay : ay + ((by - ay) * (x - ax)) / (bx - ax);
    // Across the curve it is less than half a pixel; straight up, where it is steepest, the same twice over at most.
    expect(Math.abs(drawn - y)).toBeLessThan(0.5 * Math.hypot(1, 2));
  }
});

test("polylines are simplified, closed ones and several in a path too; circles and words are left alone", () => {
  const circle = '<path d="M1 2a3 3 0 1 0 6 0Z" fill="red"/>';
  const svg = `<svg><text>M0 0L1 1</text>${circle}<path class="x" d="M0 0L1.04 1L2 2.001Z M5 5L6 5L7 5"/></svg>`;
  expect(simplifySvg(svg)).toBe(`<svg><text>M0 0L1 1</text>${circle}<path class="x" d="M0 0l2 2ZM5 5l2 0"/></svg>`);
});

test("every picture of the paper's page is small enough, and whole", () => {
  const folder = new URL("../../../../docs/figures/paper/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".svg"));
  expect(names.length).toBeGreaterThanOrEqual(10);
  for (const name of names) {
    expect([name, statSync(new URL(name, folder)).size < 60_000]).toEqual([name, true]);
    expect(readFileSync(new URL(name, folder), "utf8").trim()).toMatch(/^<svg[\s\S]*<\/svg>$/);
  }
});
