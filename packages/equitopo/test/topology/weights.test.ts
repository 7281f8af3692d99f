/** Weights and labels in the cases that the laws of all families do not tell apart. */

import { describe, expect, test } from "vitest";
import { selfWeight } from "../../src/round/round.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { factorOf, rateFromEigenvalues } from "../../src/topology/weights.ts";

test("the rate of a ring or a star is that of the end farther from 0", () => {
  expect(rateFromEigenvalues({ largest: 0.2, smallest: -0.7 }).rate).toBe(0.7);
  expect(rateFromEigenvalues({ largest: 0.8, smallest: -0.7 }, 0.5).rate).toBe(0.9);
});

test("a lazy ring has half of any factor", () => {
  const ends = () => ({ largest: 0.5, smallest: 0 });
  expect(factorOf({ name: "ring", n: 9, lazy: true }, 1 / 3, ends)).toBe(0.5);
  const constant = { name: "ring", n: 9, weights: "best-constant" };
  expect(factorOf({ ...constant, lazy: true }, 0, ends)).toBe(factorOf(constant, 0, ends) / 2);
});

test("random orders of one-peer-exp are drawn anew in every period", () => {
  const graph = onePeerExp({ n: 64, order: "random", seed: 1 });
  const shifts = (period: number) =>
    Array.from({ length: 6 }, (_, place) => graph.peers(6 * period + place, 0).to.map(({ node }) => node)[0]).join();
  expect(new Set([0, 1, 2, 3, 4].map(shifts)).size).toBeGreaterThan(3);
});

describe("designed-static", () => {
  test("weights whose sum is rounded beyond 1 leave an own weight of 0, and none below", () => {
    const found: number[] = [];
    for (let a = 1; a < 60; a++) {
      for (let b = 1; a + b < 60; b++) {
        const three = [a / 60, b / 60, (60 - a - b) / 60];
        if (three[0] + three[1] + three[2] <= 1) continue;
        const graph = createTopology({ name: "designed-static", n: 13, shifts: [1, 3, 9], weights: three });
        found.push(selfWeight(graph.round(0), 0));
      }
    }
    expect(found.length).toBeGreaterThan(3);
    expect(Math.min(...found)).toBe(0);
  });
});

describe("relabelled blocks", () => {
  test("begin with round 0 where they are no whole number of periods", () => {
    const plain = createTopology({ name: "hyper-hypercube", n: 12, k: 2 });
    const { exactAfter = 0, period = 1 } = plain;
    expect(exactAfter).toBe(period);
    const fresh = createTopology({ name: "base", n: 17, relabel: true, seed: 3 });
    const sizes = (t: number) => fresh.round(t);
    const block = fresh.block!;
    const links = (t: number) => {
      const round = sizes(t);
      return round.kind === "sparse"
        ? round.from.length
        : round.kind === "matching"
          ? round.partner.filter((j, i) => j !== i).length
          : 0;
    };
    const first = Array.from({ length: block }, (_, t) => links(t));
    for (const b of [1, 2, 3]) expect(Array.from({ length: block }, (_, t) => links(b * block + t))).toEqual(first);
  });

  test("that are exact keep nothing over a block", () => {
    expect(createTopology({ name: "base", n: 17, relabel: true }).rate().periodNorm).toBe(0);
    expect(createTopology({ name: "one-peer-exp", n: 17, relabel: true }).rate().periodNorm).toBeGreaterThan(0);
  });
});

test("random-permutations draws different ones", () => {
  const graph = createTopology({ name: "random-permutations", n: 50, d: 4, seed: 2 });
  // Of four draws alike every node would hear a single other.
  expect(graph.maxDegree).toBe(4);
});

describe("hierarchies", () => {
  const between = { name: "one-peer-exp" };

  test("are exact where groups are of one size, and only there", () => {
    expect(createTopology({ name: "hierarchy", n: 8, groups: 4, between }).exactAfter).toBeDefined();
    expect(createTopology({ name: "hierarchy", n: 9, groups: 4, between }).exactAfter).toBeUndefined();
  });

  test("have an eigenvalue 0 inside their groups", () => {
    const graph = createTopology({ name: "hierarchy", n: 8, groups: 4, between: { name: "ring", lazy: true } });
    expect(graph.rate().eigenvalues?.smallest).toBeLessThanOrEqual(0);
  });
});
