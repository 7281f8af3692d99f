import { expect, test } from "vitest";
import { customProblem } from "../../src/problem/custom.ts";

const labels = customProblem({
  name: "labels",
  n: 3,
  d: 2,
  gradient: (x, i, t, out) => {
    out[0] = x[0] - i;
    out[1] = x[1] + t;
  },
  loss: (x) => x[0] + 10 * x[1],
  metrics: (x) => ({ first: x[0] }),
});

test("a gradient of one node becomes one of any nodes", () => {
  const out = new Float64Array(4);
  labels.gradient(Float64Array.of(5, 6, 7, 8), 10, out, 1, 2);
  expect(Array.from(out)).toEqual([4, 16, 5, 18]);
});

test("records the consensus distance, the loss at the mean and what the user adds", () => {
  expect(labels.metrics(Float64Array.of(1, 0, 2, 0, 3, 3))).toEqual({
    consensusDistance: Math.sqrt(8),
    loss: 12,
    first: 1,
  });
  expect(labels.name).toBe("labels");
  expect("start" in labels).toBe(false);
});

test("leaves out what is not given, and keeps a start", () => {
  const start = Float64Array.of(4);
  const bare = customProblem({ n: 1, d: 1, gradient: () => {}, start });
  expect(bare.start).toBe(start);
  expect(bare.metrics(Float64Array.of(2))).toEqual({ consensusDistance: 0 });
  expect(() => customProblem({ n: 1, d: 0, gradient: () => {} })).toThrow(/d must be an integer/);
});
