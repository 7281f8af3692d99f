/** What a spec says of precision: mixed only over float32, and only for a GPU. */

import { expect, test } from "vitest";
import { runSpec } from "../../src/run/run.ts";
import { expandSpec, type SpecDocument } from "../../src/run/spec.ts";

const document = {
  topologies: [{ name: "ring", n: 4 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares" },
  ...{ rounds: 2, type: "float32" },
} satisfies SpecDocument;

test("float32 leaves no trace, mixed is part of the run", () => {
  expect(expandSpec({ ...document, precision: "float32" })).toEqual(expandSpec(document));
  expect(expandSpec({ ...document, precision: "mixed" })[0].precision).toBe("mixed");
});

test("mixed is refused over float64, without a GPU, and other words altogether", () => {
  expect(() => expandSpec({ ...document, type: "float64", precision: "mixed" })).toThrow(/keeps models in float32/);
  expect(() => expandSpec({ ...document, precision: "half" as "mixed" })).toThrow(/precision/);
  const [run] = expandSpec({ ...document, precision: "mixed" });
  expect(() => runSpec(run)).toThrow(/only a GPU computes in another precision/);
});
