/** Everything at once that happens to clusters; `npm run bench -- chaos` is the longer one. */

import { syntheticImages } from "@equitopo/nn";
import { expect, it } from "vitest";
import { chaos } from "./chaos-run.mjs";

it("17 TCP peers, each with a file of its own, get through a death, a restart, a stop and lost messages", async () => {
  const outcome = await chaos({
    train: syntheticImages({ count: 1700, seed: 1 }),
    test: syntheticImages({ count: 1000, first: 1700, seed: 1 }),
    ...{ model: "softmax-regression", normalisation: { mean: [0.2], deviation: [0.3] }, batch: 16 },
    learningRate: { name: "step", rate: 0.1, factor: 3, every: 40 },
    ...{ rounds: 120, timeout: 300, stop: 2500, drop: 0.05, limit: 100_000 },
  });
  expect(outcome.hanging).toEqual([]);
  expect(outcome.ended).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(outcome.rejoined).toBeGreaterThan(0);
  expect(outcome.missed).toBeGreaterThan(0);
  expect(outcome.undisturbed).toBeGreaterThan(0.9);
  expect(outcome.disturbed).toBeGreaterThan(outcome.undisturbed - 0.01);
}, 150_000);
