/** The device goes by the course of a run (equitopo's run/course): its cadence, and its meter with groups. */

import { classificationFamily } from "@equitopo/nn";
import { expandSpec, problems, runSpec } from "equitopo";
import { expect, vi } from "vitest";
import { runOnGpu } from "../../src/train/run.ts";
import { deviceOfTests, onDevice } from "../device.ts";

// Whatever a run asks for: records every 7 updates, evaluations every 4.
vi.mock("../../../equitopo/dist/run/course/cadence.js", async (original) => {
  const { Cadence } = await original<typeof import("../../../equitopo/src/run/course/cadence.ts")>();
  type Options = ConstructorParameters<typeof Cadence>[0];
  class Changed extends Cadence {
    constructor(options: Options) {
      super({ ...options, every: 7, evaluate: 4 });
    }
  }
  return { Cadence: Changed };
});

problems.add(classificationFamily);

onDevice("another rule of the cadence is followed; a hierarchy's bytes between groups are counted", async () => {
  const [run] = expandSpec({
    topologies: [{ name: "ring", n: 4 }],
    hierarchy: { groups: [2, 2] },
    algorithms: [{ name: "dsgd", learningRate: 0.05 }],
    problem: {
      name: "classification",
      images: 60,
      batch: 4,
      model: "softmax-regression",
      data: "synthetic",
      tests: 20,
    },
    ...{ rounds: 10, type: "float32" },
  });
  const [found] = await runOnGpu(await deviceOfTests(), [run]);
  expect(found.updates).toEqual([0, 4, 7, 8, 10]);
  expect(found.evaluations?.updates).toEqual([4, 8, 10]);
  const { between, updates } = runSpec(run);
  expect(updates).toEqual(found.updates);
  expect(between?.at(-1)).toBeGreaterThan(0);
  expect(found.between).toEqual(between);
});
