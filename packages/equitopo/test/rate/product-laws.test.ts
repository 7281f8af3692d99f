/** Norms over several rounds, moments and the asymptotic rate of every family against dense products, n <= 40. */

import fc from "fast-check";
import { describe, test } from "vitest";
import { productChecks } from "../../src/testing/rate.ts";
import { topologies } from "../../src/topology/registry.ts";
import { accepted, check, drawn, drawnSpec } from "../topology/topologies.ts";

const sizes = new Set([2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 24, 25, 29]);

describe.each([...topologies])("$name", (family) => {
  test.each(Object.entries(productChecks))("%s", (_name, law) => {
    for (const n of accepted(family, 2, 40).filter((size) => sizes.has(size))) {
      check({ name: family.name, n }, law);
      for (const spec of fc.sample(drawnSpec(family, n), { ...drawn, numRuns: 1 })) check(spec, law);
    }
    for (const n of accepted(family, 32, 40).slice(0, 1)) check({ name: family.name, n }, law);
  });
});
