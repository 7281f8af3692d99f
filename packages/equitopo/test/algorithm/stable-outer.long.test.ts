/** Rules of local steps over large networks, and a refusal that names all that fits. */

import { expect, test } from "vitest";
import { requireFit } from "../../src/algorithm/fit.ts";
import { algorithm } from "../../src/algorithm/registry.ts";
import { createTopology } from "../../src/topology/registry.ts";

const noloco = algorithm("noloco");
const graph = (name: string, n: number) => createTopology({ name, n });
const given = { name: "noloco", outerMomentum: 0.9, pull: 0.7 };

test("structured families of 100,000 nodes are judged", { timeout: 240_000 }, () => {
  for (const name of ["od-equidyn", "one-peer-exp", "random-matching", "static-exp", "ou-equidyn", "base"]) {
    expect(() => requireFit(noloco, graph(name, 100_000), given), name).toThrow(
      /make disagreement grow(, by 1\.\d| with).*choose such options/s,
    );
  }
  expect(() => requireFit(noloco, graph("ring", 100_000), given)).not.toThrow();
});

test("the refusal says the rule, the topology and what fits", () => {
  const topology = graph("one-peer-exp", 12);
  expect(() => requireFit(noloco, topology, given)).toThrow(
    /noloco needs a stable W, and one-peer-exp does not fit: its W.* with pull 0.7, outerRate 0.7, outerMomentum 0.9;.*ring/s,
  );
  expect(() => requireFit(noloco, topology, { ...given, pull: 0.01 })).not.toThrow();
  expect(() => requireFit(noloco, topology, { ...given, pul: 0.1 })).toThrow(/pull/);
});
