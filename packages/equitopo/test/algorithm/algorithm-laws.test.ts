/** The laws that every member of the registry obeys; a new one is held to them by being registered. */

import { describe, expect, test } from "vitest";
import { type AlgorithmSpec, algorithms, createAlgorithm, type Optimiser } from "../../src/algorithm/registry.ts";
import type { Problem } from "../../src/problem/problem.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { algorithmLaws } from "../../src/testing/algorithm.ts";
import { gap, limitOf } from "../../src/testing/network.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { oracles } from "./oracle.ts";
import { title, variants } from "./variants.ts";

const n = 8;
const d = 3;
const specs: readonly AlgorithmSpec[] = [...algorithms.map(({ name }) => ({ name })), ...variants];
const heterogeneous = quadratic({ n, d });

describe.each(specs.map((spec) => [title(spec), spec] as const))("%s", (_title, { name, ...options }) => {
  const laws = algorithmLaws(algorithms.get(name), {
    options,
    // ATC gradient tracking looks one iterate ahead.
    ...(name === "atc-gt" ? { ahead: 1 } : {}),
    // Nodes that keep different coordinates differ, whatever their gradients.
    ...(options["compressor"] === "random-k" ? {} : { centralised: centralisedPath }),
  });
  // Steps that are not along the gradient rest far from where DSGD does.
  const { inner } = createAlgorithm({ name, ...options }).spec as { inner?: { name: string; clip: number } };
  const along = inner === undefined || (inner.name !== "adamw" && inner.clip === 0);
  // One gradient for all moves models that differ alike; quantised models agree to a unit only, and rest as far apart.
  const { compress = "none" } = options;
  const agrees = (name !== "centralised" || inner === undefined) && compress === "none";
  const kept = laws.filter((law) => {
    if (law.name.startsWith("keeps a bias")) return along && compress === "none";
    return agrees || !law.name.startsWith("without gradients");
  });
  test.each(kept.map((law) => [law.name, law.run] as const))("%s", (_name, run) => run());
});

describe("where the biased methods come to rest", () => {
  const topology = createTopology({ name: "ring", n });
  const W = denseMatrix(topology.round(0));
  const g = 0.01;

  /** The largest entry of X - (I + c (W - I)) (X - g G). */
  const residual = (x: Float64Array, rate: number, c: number) => {
    const gradient = new Float64Array(n * d);
    heterogeneous.gradient(x, 0, gradient, 0, n);
    const half = x.map((v, k) => v - rate * gradient[k]);
    const mixed = half.map((v, k) => {
      let sum = (1 - c) * v;
      for (let j = 0; j < n; j++) sum += c * W[Math.floor(k / d) * n + j] * half[j * d + (k % d)];
      return sum;
    });
    return gap(mixed, x);
  };

  test.each([
    ["dsgd", g, 1],
    ["dmsgd", g / (1 - 0.9), 1],
    ["qg-dsgdm", g, 1],
    ["decentlam", g, 1],
    ["push-sum", g, 1],
    ["choco", g, 0.2],
  ] as const)("%s: DSGD's fixed point at rate %f over I + %f (W - I)", (name, rate, c) => {
    const optimiser = createAlgorithm({ name, learningRate: g });
    expect(residual(limitOf({ optimiser, topology, problem: heterogeneous }, 6000), rate, c)).toBeLessThan(1e-9);
  });
});

/** What one machine with node 0's data does: momentum SGD, its quasi-global form, Adam, or local steps with an outer rule. */
function centralisedPath({ name, spec, learningRate }: Optimiser, problem: Problem, rounds: number): number[][] {
  if ("inner" in spec) {
    const G = ([x]: number[][], t: number) => {
      const out = new Float64Array(d);
      problem.gradient(Float64Array.from(x), t, out, 0, 1);
      return [[...out]];
    };
    const alone = { ...{ n: 1, d, rounds, seed: 3, X0: [[...(problem.start as Float64Array)]] }, W: () => [[1]], G };
    return oracles[name]({ ...alone, g: learningRate, options: spec, matrices: [], pair: false }).map(([x]) => x);
  }
  const b = (spec["momentum"] ?? 0) as number;
  let x = [...(problem.start as Float64Array)];
  let m = x.map(() => 0);
  let v = x.map(() => 0);
  return Array.from({ length: rounds }, (_, t) => {
    const out = new Float64Array(d);
    problem.gradient(Float64Array.from(x), t, out, 0, 1);
    const g = learningRate(t);
    if (name === "qg-dsgdm") {
      const next = x.map((a, k) => a - g * (b * m[k] + out[k]));
      m = m.map((q, k) => 0.9 * q + (0.1 * (x[k] - next[k])) / g);
      x = next;
    } else if (name === "d-adam") {
      m = m.map((a, k) => 0.9 * a + 0.1 * out[k]);
      v = v.map((a, k) => 0.999 * a + 0.001 * out[k] ** 2);
      const [c1, c2] = [1 - 0.9 ** (t + 1), 1 - 0.999 ** (t + 1)];
      x = x.map((a, k) => a - (g * m[k]) / c1 / (Math.sqrt(v[k] / c2) + 1e-8));
    } else {
      m = m.map((a, k) => b * a + out[k]);
      x = x.map((a, k) => a - g * m[k]);
    }
    return x;
  });
}
