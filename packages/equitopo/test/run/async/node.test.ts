/** A node of asynchronous rounds by itself. */

import { expect, it } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { createProblem } from "../../../src/problem/registry.ts";
import { asyncNode } from "../../../src/run/async/node.ts";
import { createTopology } from "../../../src/topology/registry.ts";

it.each(["float64", "float32"] as const)("%s: gives its weight away until next to none is left, never all", (type) => {
  const problem = createProblem({ name: "least-squares", n: 3, K: 4 });
  const optimiser = createAlgorithm({ name: "push-sum", learningRate: 0.01 }, problem);
  const topology = createTopology({ name: "od-equidyn", n: 3 });
  const node = asyncNode({ topology, problem, optimiser, seed: 0, type, mode: { maxStale: 8 }, rank: 0 });
  // Nothing comes of the others for long: a machine that is busy, a peer that stands still.
  for (let round = 0; round < 1500; round++) {
    node.compute();
    const { kept } = node.exchange(round);
    expect(kept === undefined, `round ${round}`).toBe(round < 65);
  }
  expect(node.state.w[0]).toBeGreaterThan(0);
  expect([...node.state.x].every(Number.isFinite)).toBe(true);
});
