/** `mode: async` in a spec. */

import { describe, expect, test } from "vitest";
import { type RunResult, runSpec } from "../../../src/run/run.ts";
import { expandSpec, type SpecDocument } from "../../../src/run/spec.ts";

const document: SpecDocument = {
  topologies: [{ name: "od-equidyn", n: 6 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 8 },
  rounds: 30,
  mode: "async",
};

describe("mode: async", () => {
  test("is part of the run, with its defaults written out", () => {
    const [run] = expandSpec(document);
    expect([run.mode, run.maxStale, run.compensate]).toEqual(["async", 8, undefined]);
    expect(expandSpec({ ...document, mode: "sync" })[0]).not.toHaveProperty("mode");
    expect(expandSpec({ ...document, compensate: true, maxStale: 3 })[0]).toMatchObject({
      compensate: true,
      maxStale: 3,
    });
  });

  test("runs in the simulator, the same every time, and not as the synchronous run", () => {
    const run = (more: Partial<SpecDocument> = {}): RunResult => runSpec(expandSpec({ ...document, ...more })[0]);
    const { updates, metrics, stateHash } = run();
    expect(updates.at(-1)).toBe(30);
    expect(metrics.relativeError.at(-1)).toBeLessThan(metrics.relativeError[0]);
    expect(run().stateHash).toBe(stateHash);
    expect(run({ mode: "sync" }).stateHash).not.toBe(stateHash);
  });

  test.each([
    [{ algorithms: [{ name: "dsgt" }] }, /algorithms\[0\]: .*asynchronous rounds cannot do tracking/],
    [
      { algorithms: [{ name: "local-steps" }] },
      /cannot do common-rounds.*"local-steps"; choose dsgd, dmsgd, .* push-sum/,
    ],
    [{ maxStale: 0 }, /maxStale must be an integer of at least 1/],
    [{ mode: "asynch" as "async" }, /mode must be one of sync, async.*did you mean async/],
    [{ mode: "sync", maxStale: 3 }, /maxStale is for asynchronous rounds/],
    [{ compensate: 1 as unknown as boolean }, /compensate must be true or false/],
    [{ algorithms: [{ name: "push-sum" }], compensate: true }, /all nodes count alike already/],
    [{ evaluate: 10 }, /asynchronous rounds do at the end only/],
  ] as [Partial<SpecDocument>, RegExp][])("%j is refused", (more, message) => {
    expect(() => expandSpec({ ...document, ...more })).toThrow(message);
  });
});
