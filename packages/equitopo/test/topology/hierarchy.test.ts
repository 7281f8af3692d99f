/** Two levels: the weights that keep the mean of all nodes, the exact rate, and what is refused. */

import { describe, expect, test } from "vitest";
import { createTopology, gossip, type Topology } from "../../src/index.ts";
import { denseMatrix, membersOf, sizeOf } from "../../src/internal/round.ts";
import { forEachEdgeInto, type GroupedRound, selfWeight } from "../../src/round/round.ts";
import { multiply, symmetricEigenvalues, transpose } from "../../src/testing/dense.ts";
import { hierarchy } from "../../src/topology/hierarchy.ts";

const uneven = [5, 5, 4, 3];
const grouped = (between: unknown, groups: unknown = uneven, n = 17) =>
  createTopology({ name: "hierarchy" as string, n, groups, between });

/** The largest eigenvalue of the mean of W'W over these rounds, that of consensus taken off. */
function meanSquareRate(topology: Topology, rounds: readonly Float64Array[]): number {
  const { n } = topology;
  const mean = new Float64Array(n * n);
  for (const w of rounds) {
    const square = multiply(transpose(w, n), w, n);
    for (let e = 0; e < n * n; e++) mean[e] += square[e] / rounds.length;
  }
  return Math.sqrt(
    symmetricEigenvalues(
      mean.map((value) => value - 1 / n),
      n,
    )[n - 1],
  );
}

describe("the weights between groups of sizes 5, 5, 4, 3", () => {
  test.each(["ring", "star", "complete", "od-equidyn", "ou-equidyn", "static-exp"])(
    "%s: A 1 = 1 and s'A = s'",
    (name) => {
      const topology = grouped(name);
      for (let t = 0; t < 8; t++) {
        const { groups, weighted, least } = topology.round(t) as GroupedRound;
        expect(least).toBe(3);
        const sums = new Float64Array(4);
        for (let g = 0; g < 4; g++) {
          let row = selfWeight(weighted, g);
          sums[g] += row * sizeOf(groups, g);
          forEachEdgeInto(weighted, g, (h, _to, weight) => {
            row += weight;
            sums[h] += weight * sizeOf(groups, g);
          });
          expect(row).toBeCloseTo(1, 14);
        }
        for (let g = 0; g < 4; g++) expect(sums[g]).toBeCloseTo(uneven[g], 13);
      }
    },
  );

  test("equal groups have the weights of the topology between them, to the last bit", () => {
    const between = createTopology({ name: "u-equistatic", n: 5, m: 2 });
    const { weighted } = hierarchy({ n: 15, groups: 3, between }).round(0) as GroupedRound;
    expect(weighted).toBe(between.round(0));
  });

  test("groups are consecutive, as equal as can be, or as their members are listed", () => {
    const members = (groups: unknown, n: number) => {
      const { groups: found } = grouped("ring", groups, n).hierarchy!;
      return Array.from({ length: found.count }, (_, g) => membersOf(found, g).join(" "));
    };
    expect(members(3, 7)).toEqual(["0 1 2", "3 4", "5 6"]);
    expect(members([1, 3], 4)).toEqual(["0", "1 2 3"]);
    expect(
      members(
        [
          [3, 0],
          [2, 1],
        ],
        4,
      ),
    ).toEqual(["0 3", "1 2"]);
    expect(
      grouped(
        "ring",
        [
          [0, 1],
          [2, 3],
        ],
        4,
      ).spec.groups,
    ).toEqual([2, 2]);
  });
});

describe("the exact rate", () => {
  test.each([
    "ring",
    "od-equidyn",
    "ou-equidyn",
    { name: "d-equistatic", m: 2 },
    { name: "matcha", nonnegative: true },
    "complete",
  ])("of equal groups is that of the topology between them: %j", (between) => {
    const composed = grouped(between, 3, 18);
    const inner = composed.hierarchy!.between.rate();
    expect(composed.rate().rate).toBe(inner.rate);
    expect(composed.rate().bound).toBe(inner.bound);
  });

  test("one group alone holds the mean at once", () => {
    const topology = grouped("ring", 17);
    expect(topology.rate().rate).toBe(0);
    expect(topology.exactAfter).toBe(1);
  });

  test("an exact graph between groups is exact for equal ones only, and says so", () => {
    const errorAfter = (topology: Topology) => gossip(topology, { d: 3, rounds: 3 }).errors[3];
    const [equal, unequal] = [grouped("base", 3, 9), grouped("base", 3, 7)];
    expect(equal.exactAfter).toBe(3);
    expect(errorAfter(equal)).toBeLessThan(1e-14);
    expect(unequal.exactAfter).toBeUndefined();
    expect(errorAfter(unequal)).toBeGreaterThan(0.01);
  });

  // All rounds that can be drawn, each once: shifts, or shifts and starts.
  const drawn = {
    "od-equidyn": [1, 2, 3].map((shift) => ({ shift, start: 0 })),
    "ou-equidyn": [1, 2, 3].flatMap((shift) => [0, 1, 2, 3].map((start) => ({ shift, start }))),
  };
  test.each(Object.entries(drawn))("of unequal groups: %s against all its rounds", (name, choices) => {
    const topology = grouped(name);
    const { between, groups } = topology.hierarchy!;
    const rounds = choices.map((choice) => {
      const one = { ...between, kind: "static", period: 1, round: () => between.roundOf!(choice) } as const;
      return denseMatrix(hierarchy({ n: 17, groups: [...uneven], between: one }).round(0));
    });
    expect(groups.count).toBe(4);
    expect(topology.rate().rate).toBeCloseTo(meanSquareRate(topology, rounds), 12);
  });

  test.each([{ name: "od-equidyn", basis: [1, 1, 2] }, "random-matching", { name: "ring", relabel: true, seed: 1 }])(
    "of unequal groups: %j against the mean of many of its rounds",
    (between) => {
      const topology = grouped(between);
      const rounds = Array.from({ length: 3000 }, (_, t) => denseMatrix(topology.round(t)));
      const sampled = meanSquareRate(topology, rounds);
      expect(Math.abs(topology.rate().rate - sampled)).toBeLessThan(0.015);
    },
  );
});

describe("what is refused", () => {
  test.each([
    [{ groups: [5, 5] }, /sizes of groups must add up to n = 17/],
    [
      {
        groups: [
          [0, 1],
          [1, 2],
        ],
      },
      /one group only/,
    ],
    [{ groups: [[0, 1]] }, /every one of the n = 17 nodes/],
    [{ between: "el-local" }, /doubly stochastic/],
    [{ between: "ceca-2p" }, /doubly stochastic/],
    [{ between: "hierarchy" }, /two levels/],
    [{ groups: uneven, between: "matcha" }, /make the groups equal/],
    [{ between: 7 }, /topology's name or spec/],
    [{ groups: "by host" }, /must be a size, sizes, or lists/],
  ])("%j", (options, message) => {
    expect(() => createTopology({ name: "hierarchy" as string, n: 17, ...options })).toThrow(message);
  });
});
