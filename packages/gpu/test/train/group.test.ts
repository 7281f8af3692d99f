/** Runs are trained together by what their algorithms do, not by the names of their options. */

import { classificationFamily } from "@equitopo/nn";
import { expandSpec, parseSpec, problems } from "equitopo";
import { expect, test } from "vitest";
import { groupKey } from "../../src/train/group.ts";

problems.add(classificationFamily);

function keyOf(algorithm: { readonly name: string; readonly [option: string]: unknown }): string {
  const [run] = expandSpec(
    parseSpec({
      topologies: [{ name: "ring", n: 4 }],
      algorithms: [algorithm],
      problem: { name: "classification", data: "synthetic" },
      rounds: 10,
    }),
  );
  return groupKey(run);
}

test("numbers that passes take may differ, and when a mean replaces a round", () => {
  expect(keyOf({ name: "qg-dsgdm", mu: 0.5 })).toBe(keyOf({ name: "qg-dsgdm", mu: 0.9 }));
  expect(keyOf({ name: "d-adam", beta1: 0.8 })).toBe(keyOf({ name: "d-adam" }));
  expect(keyOf({ name: "gossip-pga", period: 3 })).toBe(keyOf({ name: "gossip-pga", period: 6 }));
});

test("what is done, and when nodes exchange, may not", () => {
  expect(keyOf({ name: "local-steps", steps: 40 })).not.toBe(keyOf({ name: "local-steps", steps: 50 }));
  const outer = [
    { name: "gossip-diloco" },
    { name: "slowmo", by: "topology" },
    { name: "gasloc" },
    { name: "local-adamw" },
  ];
  expect(new Set(outer.map(keyOf)).size).toBe(4);
  expect(keyOf({ name: "gossip-diloco", outerRate: 0.3 })).toBe(keyOf({ name: "gossip-diloco" }));
  expect(keyOf({ name: "dsgd", order: "combine-then-adapt" })).not.toBe(keyOf({ name: "dsgd" }));
});
