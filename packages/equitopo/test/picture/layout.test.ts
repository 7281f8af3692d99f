import { describe, expect, test } from "vitest";
import { createTopology, defineTopology, geometric, ring, topologies } from "../../src/index.ts";
import { layoutOf, titleOf } from "../../src/picture/index.ts";

describe("every family", () => {
  test.each(topologies.names)("%s: everybody has a place of its own inside the square", (name) => {
    const sizes = Array.from({ length: 3000 }, (_, k) => 64 + k);
    const n = sizes.find((size) => topologies.get(name).refuses?.(size) === undefined)!;
    const { x, y } = layoutOf(createTopology({ name, n }));
    expect([x.length, y.length]).toEqual([n, n]);
    for (const place of [...x, ...y]) expect(Math.abs(place)).toBeLessThanOrEqual(1 + 1e-12);
    expect(new Set(Array.from(x, (at, i) => `${at.toFixed(6)} ${y[i].toFixed(6)}`)).size).toBe(n);
  });
});

test("a family of one's own says its title and its layout", () => {
  const wheel = defineTopology({
    name: "my-wheel",
    title: "Wheel of Mine",
    layout: "star",
    summary: "an example",
    source: "this test",
    options: {},
    create: ({ n }) => ({ ...ring({ n }), name: "my-wheel", spec: { name: "my-wheel", n } }),
  });
  expect(titleOf("my-wheel")).toBe("My wheel");
  topologies.add(wheel);
  expect(titleOf("my-wheel")).toBe("Wheel of Mine");
  expect(layoutOf(createTopology({ name: "my-wheel" as string, n: 6 }))).toMatchObject({ shape: "star" });
});

test("points stand where the geometric graph drew them, so that neighbours are near", () => {
  const topology = geometric({ n: 100, seed: 1 });
  const { shape, x, y } = layoutOf(topology);
  expect(shape).toBe("points");
  const radius = 2 * Math.sqrt((2 * Math.log(100)) / 100);
  for (let i = 0; i < 100; i++) {
    for (const { node } of topology.peers(0, i).from) {
      expect(Math.hypot(x[i] - x[node], y[i] - y[node])).toBeLessThanOrEqual(radius + 1e-9);
    }
  }
});

test("neighbours of a grid are one cell apart; under fresh labels there is only the circle", () => {
  const grid = createTopology({ name: "grid", n: 12, rows: 3, cols: 4 });
  const { x, y, cols } = layoutOf(grid);
  expect(cols).toBe(4);
  for (const { node } of grid.peers(0, 5).from) expect(Math.hypot(x[5] - x[node], y[5] - y[node])).toBeCloseTo(0.5, 9);
  expect(layoutOf(createTopology({ name: "grid", n: 12, relabel: true })).shape).toBe("circle");
});
