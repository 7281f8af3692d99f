/** Peers' rows are gathered at the times that the course of a run (equitopo's run/course) says. */

import { createProblem, expandSpec } from "equitopo";
import { expect, test, vi } from "vitest";
import { gather } from "../../src/peers/collector.ts";

// Whatever a run asks for: records every 7 updates.
vi.mock("../../../equitopo/dist/run/course/cadence.js", async (original) => {
  const { Cadence } = await original<typeof import("../../../equitopo/src/run/course/cadence.ts")>();
  type Options = ConstructorParameters<typeof Cadence>[0];
  class Changed extends Cadence {
    constructor(options: Options) {
      super({ ...options, every: 7 });
    }
  }
  return { Cadence: Changed };
});

test("another rule of the cadence is followed", () => {
  const [run] = expandSpec({
    topologies: [{ name: "ring", n: 2 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    problem: { name: "least-squares", K: 10 },
    rounds: 20,
  });
  const { d } = createProblem(run.problem);
  const faults = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0, waited: 0, longestWait: 0 };
  const gathered = gather(run);
  for (let updates = 0; updates <= 20; updates++) {
    for (const rank of [0, 1]) {
      const x = new Float64Array(d);
      gathered.add({ kind: "record", rank, run: 0, updates, x, bytes: updates, messages: 0, seconds: 0, faults });
    }
  }
  expect(gathered.result("tcp").updates).toEqual([0, 7, 14, 20]);
  expect(gathered.result("tcp").bytes).toEqual([0, 7, 14, 20]);
  gathered.close();
});
