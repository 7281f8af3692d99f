/** The laws that every member of the registry obeys; a new one is held to them by being registered. */

import { describe, expect, test } from "vitest";
import type { Running } from "../../src/algorithm/algorithm.ts";
import { fittingTopologies } from "../../src/algorithm/fit.ts";
import { type AlgorithmSpec, algorithms, createAlgorithm, type Optimiser } from "../../src/algorithm/registry.ts";
import type { Problem } from "../../src/problem/problem.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";
import {
  disagreement,
  gap,
  meanOf,
  rowByRow,
  type Setting,
  startAll,
  step,
  title,
  trajectory,
  variants,
} from "./network.ts";
import { quadratic, relativeError } from "./quadratic.ts";

const n = 8;
const d = 3;
const specs: readonly AlgorithmSpec[] = [...algorithms.map(({ name }) => ({ name })), ...variants];
const rest: Problem = { name: "rest", n, d, gradient: (_x, _t, out) => void out.fill(0), metrics: () => ({}) };
const heterogeneous = quadratic({ n, d });
const noisy = quadratic({ n, d, sigma: 0.5 });
const x0 = Float64Array.from({ length: n * d }, (_, k) => 10 * Math.sin(k * k));

/** One topology of each kind that this algorithm takes. */
function someTopologies({ algorithm }: Optimiser): Topology[] {
  return [
    { name: "ring", n },
    { name: "u-equistatic", n, basis: [1, 3] },
    { name: "one-peer-exp", n },
    { name: "od-equidyn", n },
    { name: "ou-equidyn", n },
  ]
    .map(createTopology)
    .filter((topology) => algorithm.condition.unfit(topology) === undefined);
}

/** Iterates until `done`, and says after how many updates; undefined where it never came. */
function iterateUntil(
  setting: Setting,
  limit: number,
  done: (x: Running["state"]["x"]) => boolean,
): number | undefined {
  const running = startAll(setting);
  for (let t = 0; t < limit; t++) {
    step(setting, running, t);
    if (done(running.state.x)) return t + 1;
  }
  return undefined;
}

/** Where it is after many iterations without noise. */
function limitOf(setting: Setting, rounds: number): Float64Array {
  const running = startAll(setting);
  for (let t = 0; t < rounds; t++) step(setting, running, t);
  return Float64Array.from(running.state.x);
}

describe.each(specs.map((spec) => [title(spec), spec] as const))("%s", (_title, spec) => {
  const optimiser = createAlgorithm({ learningRate: 0.01, ...spec });
  const { name, algorithm, sends } = optimiser;

  test("without gradients the mean stays and all agree in the end, over every topology that fits", () => {
    const mean = meanOf(x0, d);
    for (const fitting of fittingTopologies(algorithm, n)) {
      const setting = { optimiser, topology: createTopology({ name: fitting, n }), problem: rest, x0 };
      const updates = iterateUntil(setting, 20_000, (x) => disagreement(x, d) < 1e-9);
      expect(updates, fitting).toBeDefined();
      const x = limitOf(setting, updates as number);
      expect(gap(meanOf(x, d), mean), fitting).toBeLessThan(1e-9);
    }
  });

  // Nodes that keep different coordinates differ, whatever their gradients.
  if (spec["compressor"] !== "random-k")
    test("nodes alike stay alike, on the centralised method's path", () => {
      const problem = quadratic({ n, d, sigma: 0.5, homogeneous: true, start: Float64Array.of(1, -2, 3) });
      for (const topology of someTopologies(optimiser)) {
        const rows = trajectory({ optimiser, topology, problem }, 40);
        centralisedPath(optimiser, problem, 40).forEach((x, t) => {
          expect(
            gap(
              rows[t],
              Array.from({ length: n * d }, (_, k) => x[k % d]),
            ),
            topology.name,
          ).toBeLessThan(1e-10);
        });
      }
    });

  test("sends what it declares", () => {
    const [topology] = someTopologies(optimiser);
    const setting = { optimiser, topology, problem: noisy };
    const running = startAll(setting);
    // Iteration 0 may prepare, or be quiet; 60 is a multiple of every period here.
    step(setting, running, 0);
    const count = { vectors: 0, scalars: 0, reductions: 0 };
    for (let t = 1; t <= 60; t++) {
      step(setting, running, t, ({ vectors, by, coded }) => {
        expect(coded && coded.bytes.length / n).toBe(sends.compressed?.(d, 8));
        for (const rows of vectors) {
          if (by === "mean") count.reductions++;
          else if (rows.length === n * d) count.vectors++;
          else count.scalars += rows.length / n;
        }
      });
    }
    expect(count.vectors).toBeCloseTo(60 * sends.vectors, 9);
    expect(count.scalars).toBe(60 * (sends.scalars ?? 0));
    expect(count.reductions).toBeCloseTo(60 * (sends.reductions ?? 0), 9);
  });

  test("asks for gradients once at each iterate, in order", () => {
    const asked: number[] = [];
    const [topology] = someTopologies(optimiser);
    const problem: Problem = {
      ...noisy,
      gradient(x, t, out, first, count) {
        asked.push(t);
        noisy.gradient(x, t, out, first, count);
      },
    };
    trajectory({ optimiser, topology, problem }, 10);
    expect(asked).toEqual(asked.map((_, k) => k));
    // ATC gradient tracking looks one iterate ahead.
    expect(asked.length).toBe(name === "atc-gt" ? 11 : 10);
  });

  test("its state is all that a checkpoint needs: the same bits after a stop at any iteration", () => {
    for (const topology of someTopologies(optimiser)) {
      const setting = { optimiser, topology, problem: noisy, x0 };
      const rows = trajectory(setting, 16);
      for (const stop of [1, 2, 5]) {
        const first = startAll(setting);
        for (let t = 0; t < stop; t++) step(setting, first, t);
        const saved = Object.fromEntries(Object.entries(first.state).map(([key, value]) => [key, value.slice()]));
        const second = startAll({ ...setting, x0: new Float64Array(n * d) }, saved as typeof first.state);
        for (let t = stop; t < 16; t++) {
          step(setting, second, t);
          expect(second.state.x, `${topology.name}, stopped after ${stop}, update ${t + 1}`).toEqual(rows[t]);
        }
      }
    }
  });

  test("a state of another algorithm or size is refused", () => {
    const [topology] = someTopologies(optimiser);
    const saved = { x: new Float64Array(n * d + 1) };
    expect(() => startAll({ optimiser, topology, problem: noisy }, saved)).toThrow(/a saved state must hold x/);
  });

  test("n peers with one row each compute the same bits as one world with all rows", () => {
    for (const topology of someTopologies(optimiser)) {
      const setting = { optimiser, topology, problem: noisy, x0 };
      expect(rowByRow(setting, 20), topology.name).toEqual(trajectory(setting, 20));
    }
  });

  test(algorithm.exact ? "exact on heterogeneous data" : "keeps a bias on heterogeneous data", () => {
    for (const topology of someTopologies(optimiser)) {
      // DIGing over u-equistatic (lambda_min = -0.75) blows up at 0.005 already.
      const learningRate = algorithm.exact ? 0.002 : 0.01;
      const setting = { optimiser: createAlgorithm({ learningRate, ...spec }), topology, problem: heterogeneous };
      const { solution } = heterogeneous;
      if (algorithm.exact) {
        const updates = iterateUntil(setting, 20_000, (x) => relativeError(x, solution) < 1e-8);
        expect(updates, topology.name).toBeDefined();
        // And stays.
        expect(relativeError(limitOf(setting, (updates as number) + 500), solution), topology.name).toBeLessThan(1e-8);
      } else {
        const error = relativeError(limitOf(setting, 4000), solution);
        const bias = relativeError(
          limitOf({ ...setting, optimiser: createAlgorithm({ name: "dsgd", learningRate: 0.01 }) }, 4000),
          solution,
        );
        expect(bias).toBeGreaterThan(1e-3);
        expect(error, `${name} over ${topology.name}`).toBeGreaterThan(bias / 20);
        expect(error, `${name} over ${topology.name}`).toBeLessThan(bias * 20);
      }
    }
  });
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

/** What one machine with node 0's data does: momentum SGD, its quasi-global form, or Adam. */
function centralisedPath({ name, spec, learningRate }: Optimiser, problem: Problem, rounds: number): number[][] {
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
