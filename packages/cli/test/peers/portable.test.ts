import { expect, it } from "vitest";
import { portableRuns } from "../../src/peers/portable.ts";

it("a room refuses language models, which browsers do not have, in words", () => {
  const spec = {
    topologies: [{ name: "ring", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.1 }],
    updates: 1,
    seeds: [0],
  } as const;
  expect(() => portableRuns({ ...spec, problem: { name: "language", data: "grammar" } })).toThrow(
    "a room trains no language models yet",
  );
  expect(() => portableRuns({ ...spec, problem: { name: "least-squares" } })).not.toThrow();
});
