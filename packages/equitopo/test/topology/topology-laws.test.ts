/**
 * The laws of every topology: each member of the registry, every n from 2 to 40 and random ones to 300, all options.
 * What the rate must equal stands in exact-rates.test.ts.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RandomStream } from "../../src/random/stream.ts";
import { denseMatrix, type Edge } from "../../src/round/round.ts";
import { must, near } from "../../src/testing/law.ts";
import { topologyChecks, truthfulSizes } from "../../src/testing/topology.ts";
import { customGraph } from "../../src/topology/custom.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import type { TopologySpec } from "../../src/topology/topology.ts";
import { accepted, check, drawn, drawnSpec, drawsOf, someAccepted } from "./topologies.ts";

describe.each([...topologies])("$name", (family) => {
  test("accepts or refuses every n from 2 to 40, and says which beforehand", () => {
    truthfulSizes(
      family,
      Array.from({ length: 39 }, (_, k) => k + 2),
    );
  });

  test("the constructor itself refuses options that it does not take, and values that it cannot", () => {
    const [n] = accepted(family, 2, 3000);
    const options = Object.keys(family.options);
    const create = (given: object) => () => family.create({ n, ...given });
    expect(create({ lasy: true })).toThrow(/takes the options .*"lasy"/);
    if (options.includes("lazy")) expect(create({ lazy: "yes" })).toThrow("lazy must be true or false");
    if (options.includes("seed")) expect(create({ seed: -1 })).toThrow("seed must be an integer");
    expect(() => family.create({ n: 2.5 })).toThrow("n must be an integer");
  });

  test.each(Object.entries(topologyChecks))("%s", (_name, law) => {
    for (const n of accepted(family, 2, 40)) {
      check({ name: family.name, n }, law);
      for (const spec of fc.sample(drawnSpec(family, n), { ...drawn, numRuns: drawsOf(family, 2) })) check(spec, law);
    }
    const any = fc.constantFrom(...someAccepted(family)).chain((n) => drawnSpec(family, n));
    fc.assert(
      fc.property(any, (spec) => check(spec, law)),
      { ...drawn, numRuns: drawsOf(family, 15) },
    );
  });
});

describe("your own matrix, directed, from the mean of three permutations", () => {
  const { "the spec builds the same again": _inTheRegistryOnly, ...ownLaws } = topologyChecks;
  test.each(Object.entries(ownLaws))("%s", (_name, law) => {
    for (let n = 3; n <= 30; n++) {
      const random = new RandomStream(n, 1000);
      const edges = [0.5, 0.3, 0.2].flatMap((weight) =>
        Array.from(random.permutation(n), (from, to): Edge => [from, to, weight]),
      );
      law(customGraph({ n, self: new Float64Array(n), edges }));
    }
  });
});

describe("shapes that are easy to get wrong", () => {
  const shapes: [TopologySpec, degree: number][] = [
    [{ name: "torus", n: 2, rows: 1, cols: 2 }, 1],
    [{ name: "torus", n: 4, rows: 2, cols: 2 }, 2],
    [{ name: "torus", n: 7, rows: 1 }, 2],
    [{ name: "torus", n: 7, cols: 1 }, 2],
    [{ name: "torus", n: 10, rows: 2 }, 3],
    [{ name: "torus", n: 10, rows: 5, cols: 2, lazy: true }, 3],
    [{ name: "torus", n: 9 }, 4],
    [{ name: "grid", n: 2, rows: 2 }, 1],
    [{ name: "grid", n: 7, rows: 1 }, 2],
    [{ name: "grid", n: 8, cols: 2 }, 3],
    [{ name: "grid", n: 300 }, 4],
    [{ name: "d-equistatic", n: 2, basis: [1, 1, -1] }, 1],
    [{ name: "d-equistatic", n: 5, basis: [1, 1, 4] }, 2],
    [{ name: "u-equistatic", n: 6, basis: [3, 1, -1] }, 3],
    [{ name: "static-exp", n: 5 }, 3],
    [{ name: "ring", n: 2 }, 1],
    [{ name: "complete", n: 2, lazy: true }, 1],
  ];
  test.each(shapes)("%j has degree %d and keeps every law", (spec, degree) => {
    expect(createTopology(spec).maxDegree).toBe(degree);
    for (const law of Object.values(topologyChecks)) check(spec, law);
  });

  test("grid and torus default to the most square factors; 300 is 15 x 20", () => {
    expect(createTopology({ name: "grid", n: 300 }).spec).toMatchObject({ rows: 15, cols: 20 });
    expect(createTopology({ name: "torus", n: 17 }).spec).toMatchObject({ rows: 1, cols: 17 });
  });

  test("a basis index -u is n - u, and repeats add their weights", () => {
    const w = (basis: number[]) => denseMatrix(createTopology({ name: "d-equistatic", n: 7, basis }).round(0));
    expect(w([-2, 3, 3])).toEqual(w([5, 3, 3]));
    expect(w([3, 3, 5])[3 * 7]).toBeCloseTo((2 / 3) * (6 / 7), 15);
    // Errata 3: node i receives from i - u.
    expect(w([5])[5 * 7]).toBeCloseTo(6 / 7, 15);
  });

  test("the default eta gives a weight of exactly 1/2, at every n", () => {
    for (const name of ["od-equidyn", "ou-equidyn"]) {
      for (let n = 2; n <= 300; n++) {
        const round = createTopology({ name, n }).round(0);
        const weight = round.kind === "circulant" ? round.weights[0] : round.kind === "matching" ? round.weight : 0;
        must(weight === 0.5, `${name}, n = ${n}: ${weight}`);
      }
    }
  });

  test("graphs that are complete have a rate of exactly 0", () => {
    const complete = [
      { name: "ring", n: 2 },
      { name: "ring", n: 3 },
      { name: "star", n: 2 },
      { name: "complete", n: 9 },
      { name: "hypercube", n: 2 },
    ];
    for (const spec of complete) expect(createTopology(spec).rate().rate, spec.name).toBe(0);
  });

  test("lazy is (I + W) / 2", () => {
    for (const family of topologies.filter(({ options }) => "lazy" in options)) {
      for (const n of accepted(family, 2, 20)) {
        const w = denseMatrix(createTopology({ name: family.name, n }).round(0));
        const lazy = denseMatrix(createTopology({ name: family.name, n, lazy: true }).round(0));
        lazy.forEach((weight, e) => {
          near(weight, (w[e] + (e % (n + 1) === 0 ? 1 : 0)) / 2, `${family.name} n = ${n}`);
        });
      }
    }
  });
});
