/** Designed graphs with shifts and weights written out: the laws, the exact norms, and what is refused. */

import { describe, expect, test } from "vitest";
import { InputError } from "../../src/input/input.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { consensusNorm, multiply } from "../../src/testing/dense.ts";
import { rateChecks } from "../../src/testing/rate.ts";
import { checkAt, topologyChecks } from "../../src/testing/topology.ts";
import { designedOnePeer } from "../../src/topology/designed-one-peer.ts";
import { designedStatic } from "../../src/topology/designed-static.ts";
import { createTopology } from "../../src/topology/registry.ts";

const specs = [
  { name: "designed-static", n: 13, shifts: [9, 1, 3], weights: [0.2, 0.3, 0.1] },
  { name: "designed-static", n: 12, self: 0.25, shifts: [-1, 1, 6], weights: [0.25, 0.25, 0.25] },
  { name: "designed-one-peer", n: 12, shifts: [1, 6, 5, -4], weights: [0.5, 0.5, 0.4, 0.3] },
  { name: "designed-one-peer", n: 8, shifts: [4, 2, 1] },
];

describe.each(specs)("$name, n = $n, written out", (spec) => {
  test.each(Object.entries({ ...topologyChecks, ...rateChecks }))("%s", (_name, law) => {
    checkAt(spec, createTopology, law);
  });
});

test("norm(m) is the dense norm of m rounds", () => {
  const graph = designedOnePeer({ n: 12, shifts: [1, 6, 5], weights: [0.5, 0.4, 0.5] });
  let product = denseMatrix(graph.round(0));
  for (let m = 1; m <= 8; m++) {
    expect(graph.norm?.(m)).toBeCloseTo(consensusNorm(product, 12), 10);
    product = multiply(denseMatrix(graph.round(m)), product, 12);
  }
});

test("says after how many rounds it is exact", () => {
  expect(designedOnePeer({ n: 8, shifts: [4, 2, 1, 3] }).exactAfter).toBe(3);
  expect(designedOnePeer({ n: 8, shifts: [4, 2, 2] }).exactAfter).toBeUndefined();
  expect(designedOnePeer({ n: 12 }).exactAfter).toBeUndefined();
});

test("its own spec builds it again, weights that sum to 1 but for rounding included", () => {
  const weights = new Array(10).fill(0.1);
  const { spec } = designedStatic({ n: 13, shifts: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], weights });
  expect(spec["self"]).toBeGreaterThanOrEqual(0);
  expect(createTopology(spec).spec).toEqual(spec);
});

test("refuses what does not fit together", () => {
  expect(() => designedStatic({ n: 13, shifts: [1, 3] })).toThrow("a number for each of the 2 shifts");
  expect(() => designedStatic({ n: 13, shifts: [1, 3], weights: [0.2, -0.1] })).toThrow("must not be negative");
  expect(() => designedStatic({ n: 13, weights: [0.2] })).toThrow("go with the shifts");
  expect(() => designedStatic({ n: 13, degree: 2, shifts: [1], weights: [0.5] })).toThrow(InputError);
  expect(() => designedStatic({ n: 13, shifts: [1], weights: [0.5], self: 0.4 })).toThrow("must sum to 1");
  expect(() => designedStatic({ n: 13, shifts: [1, 3], weights: [0.7, 0.7] })).toThrow(
    "must sum to at most 1, got 1.4",
  );
  expect(() => designedStatic({ n: 13, shifts: [1, 3], weights: [0.7, 0.7], self: -0.4 })).toThrow(InputError);
  for (const u of [0, 1.5, 13, -13, 1e9]) {
    expect(() => designedStatic({ n: 13, shifts: [u], weights: [0.5] })).toThrow("integer from 1 to n - 1 = 12");
  }
  expect(() => designedOnePeer({ n: 13, shifts: [13] })).toThrow("from 1 to n - 1 = 12");
  expect(() => designedOnePeer({ n: 13, shifts: [1, 2], period: 3 })).toThrow("the number of shifts, 2");
  expect(() => designedOnePeer({ n: 13, shifts: [1, 2], weights: [0.5] })).toThrow("one for each round");
});
