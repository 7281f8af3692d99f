/** Points in the plane: where they lie, and that any of them can be had alone. */

import { describe, expect, it } from "vitest";
import { planePoints } from "../../src/data/plane.ts";
import { openData } from "../../src/data/registry.ts";

const patterns = ["moons", "circles", "blobs", "spirals"] as const;

describe.each(patterns)("%s", (pattern) => {
  const data = planePoints({ pattern, count: 400, seed: 3, noise: 0.02 });

  it("has as many points of every class, all within sight", () => {
    const counts = new Array(data.classes).fill(0);
    for (const label of data.labels) counts[label]++;
    expect(new Set(counts)).toEqual(new Set([400 / data.classes]));
    expect(Math.max(...data.images.map(Math.abs))).toBeLessThan(1.1);
  });

  it("keeps classes apart: the nearest other point is nearly always of the same class", () => {
    const { images, labels } = data;
    let alike = 0;
    for (let k = 0; k < 400; k++) {
      let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
      for (let j = 0; j < 400; j++) {
        const square = (images[2 * j] - images[2 * k]) ** 2 + (images[2 * j + 1] - images[2 * k + 1]) ** 2;
        if (j !== k && square < least) [nearest, least] = [j, square];
      }
      if (labels[nearest] === labels[k]) alike++;
    }
    expect(alike).toBeGreaterThan(390);
  });

  it("is the same point by point, in any order, and another for the test", () => {
    const some = planePoints({ pattern, count: Int32Array.of(17, 4), seed: 3, noise: 0.02 });
    expect([...some.images]).toEqual([...data.images.slice(34, 36), ...data.images.slice(8, 10)]);
    const opened = openData({ name: "plane", pattern, noise: 0.02 }, { seed: 3, images: 400, tests: 10 });
    expect(opened.train()).toEqual(data);
    expect(Array.from(opened.labels())).toEqual(Array.from(data.labels));
    expect(opened.test()).toEqual(planePoints({ pattern, count: 10, first: 400, seed: 3, noise: 0.02 }));
  });
});
