/** The parameters of runs as people read them. */

import { expect, test } from "vitest";
import { parametersOf } from "../../src/outcome/parameters.ts";
import { expandSpec } from "../../src/run/spec.ts";

const plugins = [
  { file: "/somewhere/mine.mjs", sha256: "0123456789abcdef".repeat(4) },
  { file: "C:\\elsewhere\\yours.mjs", sha256: "fedcba9876543210".repeat(4) },
];
const spec = {
  topologies: [{ name: "ring", n: 4 }],
  algorithms: [{ name: "dsgd" }],
  problem: { name: "least-squares" },
} as const;

test("a plug-in has the name of its file, where it is known, and the begin of its hash", () => {
  const runs = expandSpec({ ...spec, plugins });
  const named = "mine.mjs (SHA-256 0123456789ab...), yours.mjs (SHA-256 fedcba987654...)";
  expect(parametersOf(runs, plugins).common["plug-ins"]).toBe(named);
  expect(parametersOf(runs).common["plug-ins"]).toBe("SHA-256 0123456789ab..., SHA-256 fedcba987654...");
  expect(parametersOf(expandSpec(spec)).common).not.toHaveProperty("plug-ins");
});

test("a seed that is written twice is one run", () => {
  const runs = expandSpec({ ...spec, seeds: [1, 1, 2, 1] });
  expect(runs.map(({ seed }) => seed)).toEqual([1, 2]);
});
