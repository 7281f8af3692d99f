/** What a lattice says of itself where it is none. */

import { expect, test } from "vitest";
import { createTopology, grid, InputError, torus } from "../../src/index.ts";
import { topologyNote } from "../../src/topology/index.ts";

test("a lattice of one row says that it is a line, and which n has two sides", () => {
  expect(torus({ n: 17 }).note).toBe("torus of 1 x 17 is a ring: try n = 16 or 18 for two sides");
  expect(torus({ n: 13 }).note).toContain("try n = 12 or 15");
  expect(grid({ n: 13 }).note).toBe("grid of 1 x 13 is a path: try n = 12 or 14 for two sides");
  expect(torus({ n: 3 }).note).toContain(": try n = 9 for two sides");
  expect(grid({ n: 12, cols: 1 }).note).toBe("grid of 12 x 1 is a path: left to itself it is 3 x 4");
  // At a large prime the next n is found without a search of all that lie between.
  expect(topologyNote({ name: "grid", n: 999_983 })).toMatch(/try n = 999982 or 999984 /);
});

test("others say nothing, and a note changes nothing", () => {
  for (const spec of [{ n: 16 }, { n: 10 }, { n: 300, rows: 15 }]) {
    expect(grid(spec)).not.toHaveProperty("note");
    expect(topologyNote({ name: "torus", ...spec })).toBeUndefined();
  }
  expect(topologyNote({ name: "ring", n: 17 })).toBeUndefined();
  expect(createTopology({ name: "torus", n: 17 }).rate().rate).toBe(
    createTopology({ name: "ring", n: 17 }).rate().rate,
  );
  expect(() => topologyNote({ name: "grid", n: 12, rows: 5 })).toThrow(InputError);
});
