/** The drift of the mean is part of what is recorded where mixing moves it, and of nothing else. */

import { expect, test } from "vitest";
import type { SavedRun } from "../../src/run/record.ts";
import { simulate } from "../../src/run/simulate.ts";
import { refuses } from "../../src/testing/law.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { createTopology } from "../../src/topology/registry.ts";

const n = 12;
const problem = quadratic({ n, d: 2, start: Float64Array.of(1, 2) });
const topology = createTopology({ name: "el-local", n });
const algorithm = { name: "epidemic", learningRate: 0.05 };

test("epidemic learning over pushes: the mean is where gradients and drift have taken it", () => {
  const { meanDrift = 0, x } = simulate({ topology, algorithm, problem, rounds: 1 });
  // One update from equal rows: the mean of x - g G, and what the columns of W make of it.
  const gradient = new Float64Array(2 * n);
  const start = Float64Array.from({ length: 2 * n }, (_, k) => 1 + (k % 2));
  problem.gradient(start, 0, gradient, 0, n);
  const moved = [0, 1].map((k) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (x[2 * i + k] - (start[2 * i + k] - 0.05 * gradient[2 * i + k])) / n;
    return sum;
  });
  expect(meanDrift).toBeGreaterThan(1e-3);
  expect(meanDrift).toBeCloseTo(Math.hypot(...moved), 12);
});

test("it goes on where a saved run stood, and is not told of doubly stochastic rounds", () => {
  const whole = simulate({ topology, algorithm, problem, rounds: 9 });
  let saved: SavedRun | undefined;
  simulate({
    ...{ topology, algorithm, problem, rounds: 4 },
    keep: {
      due: (updates) => updates === 4,
      save: ({ updates, vectors }) => {
        saved = { updates, vectors: structuredClone(vectors) };
      },
    },
  });
  const resumed = simulate({ topology, algorithm, problem, rounds: 9, ...(saved === undefined ? {} : { saved }) });
  expect(resumed.meanDrift).toBe(whole.meanDrift);
  expect(simulate({ topology: createTopology({ name: "ring", n }), algorithm, problem, rounds: 3 }).meanDrift).toBe(
    undefined,
  );
});

test("over a doubly stochastic W epidemic learning is DSGD to the bit, which refuses the others by their label", () => {
  const ring = createTopology({ name: "ring", n });
  const dsgd = { ...algorithm, name: "dsgd" };
  const { x } = simulate({ topology: ring, algorithm, problem, rounds: 20 });
  expect(Array.from(x)).toEqual(Array.from(simulate({ topology: ring, algorithm: dsgd, problem, rounds: 20 }).x));
  const run = (name: string) => () => simulate({ topology, algorithm: { ...algorithm, name }, problem, rounds: 1 });
  for (const name of ["dsgd", "dsgt", "push-sum"]) refuses(run(name), /its W is row-stochastic only/, name);
});
