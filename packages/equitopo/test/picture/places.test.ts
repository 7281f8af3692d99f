import { describe, expect, test } from "vitest";
import { createTopology } from "../../src/index.ts";
import { along, layoutOf, marksOf, nodeAt, placesOf } from "../../src/internal/picture.ts";

const paper = { width: 640, height: 640, theme: "light" } as const;

function placed(spec: Parameters<typeof createTopology>[0]) {
  const topology = createTopology(spec);
  return { layout: layoutOf(topology), symmetric: topology.symmetric };
}

describe("a torus that is not square", () => {
  const shape = placed({ name: "torus", n: 18, rows: 3, cols: 6 });
  const { curves, at } = placesOf(shape, paper);

  test("has its edges around the short side as two stubs, which hide no node between", () => {
    // Node 1 stands above node 7, and node 13 below both: 1 and 13 are neighbours around the end.
    const pieces = curves(1, 13);
    expect(pieces).toHaveLength(2);
    const [up, down] = pieces;
    expect(up[2][1]).toBeLessThan(at(1)[1]);
    expect(down[2][1]).toBeGreaterThan(at(13)[1]);
    expect(curves(1, 7)).toHaveLength(1);
    expect(curves(0, 5)).toHaveLength(2);
  });

  test("keeps its nodes apart, however long and thin it is", () => {
    const thin = placesOf(placed({ name: "grid", n: 200, rows: 2, cols: 100 }), paper);
    const [a, b] = [thin.at(0), thin.at(1)];
    expect(2 * thin.radius).toBeLessThan(b[0] - a[0]);
  });
});

test("a torus of one row is a ring, and drawn as one", () => {
  expect(placed({ name: "torus", n: 17 }).layout.shape).toBe("circle");
  expect(placed({ name: "grid", n: 17 }).layout.shape).toBe("lattice");
});

test("a curve begins and ends at its nodes, and the node at a point is the one that stands there", () => {
  const ring = placed({ name: "od-equidyn", n: 12 });
  const { at, curves } = placesOf(ring, paper);
  const [curve] = curves(2, 9);
  expect(along(curve, 0)).toEqual(at(2));
  expect(along(curve, 1)).toEqual(at(9));
  expect(nodeAt(ring, ...at(7), paper)).toBe(7);
  expect(nodeAt(ring, -500, 0, paper)).toBeUndefined();
  expect(marksOf(placed({ name: "ring", n: 100_000 }), paper)).toBeLessThan(1000);
});
