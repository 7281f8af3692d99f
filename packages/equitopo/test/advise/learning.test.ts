/** The adviser's forecasts, number by number, from the gains and rates that they are made of. */

import { describe, expect, test } from "vitest";
import { adviceSteps, advise } from "../../src/advise/advise.ts";
import { checkAdvice, iterationsOf } from "../../src/advise/check.ts";
import { consensusForecast, roundsAt } from "../../src/advise/consensus.ts";
import { costOfRounds } from "../../src/advise/cost.ts";
import { exactMeanForecast, learningForecast } from "../../src/advise/learning.ts";
import { modelProblem } from "../../src/advise/model-problem.ts";
import { sampleGossip } from "../../src/advise/sampled.ts";
import { algorithms, createAlgorithm } from "../../src/algorithm/registry.ts";
import { leastSquares } from "../../src/problem/least-squares.ts";
import { gains } from "../../src/rate/gains.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";
import type { Topology } from "../../src/topology/topology.ts";

const goal = { tolerance: 1e-6, loss: 0, seed: 0 };

describe("averaging", () => {
  test("the least number of rounds", () => {
    expect([roundsAt(0.5, 0.25), roundsAt(0.5, 0.2), roundsAt(0.5, 0.5), roundsAt(0.1, 0.5), roundsAt(1, 0.5)]).toEqual(
      [...[2, 3, 1, 1, Number.POSITIVE_INFINITY]],
    );
  });

  test("losses of one exchange for all: the mean square grows by its share of what is left", () => {
    const graph = createTopology({ name: "random-matching", n: 300 });
    const square = graph.moments?.square ?? 0;
    const { rounds, certainty } = consensusForecast(graph, { ...goal, loss: 0.2 });
    expect(certainty).toBe("mean square");
    expect(rounds).toBe(Math.ceil(Math.log(1e-6) / Math.log(Math.sqrt(0.8 * square + 0.2)) - 1e-9));
    expect(rounds).toBeGreaterThan(consensusForecast(graph, goal).rounds);
  });

  test("slow graphs take 1 / (1 - p) times as long", () => {
    const graph = ring({ n: 100 });
    const { rounds } = consensusForecast(graph, goal);
    expect(rounds).toBeGreaterThan(1000);
    expect(consensusForecast(graph, { ...goal, loss: 0.25 })).toMatchObject({
      ...{ rounds: Math.ceil(rounds / 0.75), certainty: "model" },
    });
  });

  test("says whether it is exact, enough, or a mean square", () => {
    const certainty = (name: string, n: number, more: object = {}) =>
      consensusForecast(createTopology({ name, n, ...more }), goal).certainty;
    expect(certainty("base", 17)).toBe("exact");
    expect(certainty("od-equidyn", 17)).toBe("mean square");
    expect(certainty("base", 17, { relabel: true, seed: 1 })).toBe("exact");
  });
});

/** What a forecast is made for, and the same with other constants. */
const asked = { kappa: 2.5, b: 1, sigma: 0, heterogeneous: false };
const taskOf = (n: number, more: Partial<typeof asked> = {}) => modelProblem(n, { ...asked, ...more }, 7);
const forecast = (method: string, topology: Topology, more: object = {}) => {
  const whole = { ...goal, ...asked, ...more };
  return learningForecast(algorithms.get(method), topology, taskOf(topology.n, { ...whole, sigma: 0 }), whole);
};
const largest = (values: ArrayLike<number>) => Math.max(...Array.from(values));

describe("the model problem", () => {
  test.each([1, 1.5, 2.5, 6, 40])("has kappa %d, b and a gradient that is 0 at its solution", (kappa) => {
    const n = 20;
    const problem = taskOf(n, { kappa, b: 0.3 });
    expect(problem.curvatures[0]).toBeCloseTo(1 / kappa, 2);
    const size = Math.sqrt(problem.apart.reduce((sum, value) => sum + value * value, 0) / n);
    expect(size).toBeCloseTo(0.3, 12);
    // No node's curvature is above 1: |H x| <= |x|, and one of them comes near.
    const growth = Array.from({ length: n }, (_, i) => {
      let x = Float64Array.from({ length: 10 }, (_, j) => 1 + j / 7);
      let out = new Float64Array(10);
      for (let k = 0; k < 300; k++) {
        problem.gradient(x, 0, out, i, 1);
        const h = out.map((value, j) => value - problem.apart[10 * i + j]);
        const norm = Math.hypot(...h);
        [x, out] = [h.map((value) => value / norm), new Float64Array(10)];
        if (k === 299) return norm;
      }
      return 0;
    });
    expect(largest(growth)).toBeLessThan(1 + 1e-9);
    expect(largest(growth)).toBeGreaterThan(0.98);
    const sum = new Float64Array(10);
    problem.apart.forEach((value, k) => {
      sum[k % 10] += value;
    });
    expect(Math.hypot(...sum)).toBeLessThan(1e-12);
  });

  test("sorted data is alike in ten blocks, noise of the size that is asked for", () => {
    const own = (heterogeneous: boolean) => {
      const { apart, gradient } = modelProblem(400, { ...asked, heterogeneous, kappa: 1 }, 7);
      expect(gradient).toBeDefined();
      return Array.from({ length: 400 }, (_, i) => apart[10 * i]);
    };
    // With kappa 1 all H_i are the identity: a gradient is the node's own solution.
    const kinds = (values: number[]) => new Set(values.map((value) => value.toFixed(4))).size;
    expect(kinds(own(true))).toBe(10);
    expect(kinds(own(false))).toBeGreaterThan(300);
    const noisy = modelProblem(500, { ...asked, b: 0, sigma: 2 }, 7);
    const out = new Float64Array(5000);
    noisy.gradient(new Float64Array(5000), 3, out, 0, 500);
    expect(Math.sqrt(out.reduce((all, value) => all + value * value, 0) / 500)).toBeCloseTo(2, 1);
  });
});

describe("exact methods", () => {
  test.each(["dsgt", "diging", "atc-gt", "d2", "exact-diffusion", "nids", "extra"])(
    "%s: as many iterations as the paper's least squares takes, at the step that is advised",
    (name) => {
      const n = 20;
      for (const spec of [{ name: "ring" }, { name: "random-regular", d: 4, seed: 2 }]) {
        const topology = createTopology({ ...spec, n });
        const data = leastSquares({ n, sigmaH: 1, sigmaN: 0, seed: 11 });
        const { L, mu, b } = data.constants();
        const its = { kappa: L / mu, b: b / (L * Math.hypot(...data.solution())) };
        const { rounds, step, certainty } = forecast(name, topology, its);
        expect(certainty).toBe("run");
        const how = { ...goal, most: 4 * rounds };
        const taken = iterationsOf(createAlgorithm({ name, learningRate: step / L }), topology, data, how);
        expect(taken! / rounds).toBeGreaterThan(0.75);
        expect(taken! / rounds).toBeLessThan(1.25);
      }
    },
  );

  test("EXTRA's step is below (1 + the smallest eigenvalue) / L, and it arrives over all rows", () => {
    const advice = advise({ n: 64, degree: 4, undirected: true, algorithm: "extra" });
    const rows = advice.ranking.filter(({ spec }) => spec !== undefined);
    expect(rows.length).toBeGreaterThan(5);
    for (const { spec, step } of rows) {
      const { smallest = 0 } = createTopology(spec as Parameters<typeof createTopology>[0]).rate().eigenvalues ?? {};
      expect(step).toBeLessThan(1 + smallest);
    }
    for (const { holds } of checkAdvice(advice, rows.length)) expect(holds).toBe(true);
  });

  test("no step is above 1 / L, and where less is safe, less", () => {
    expect(forecast("dsgt", createTopology({ name: "complete", n: 12 })).step).toBe(1);
    expect(forecast("dsgt", ring({ n: 30 })).step).toBeLessThan(0.2);
  });

  test("with noise the step becomes as small as the noise of the averaged model asks for", () => {
    const topology = createTopology({ name: "complete", n: 12 });
    const [clean, noisy] = [0, 0.01].map((sigma) => forecast("dsgt", topology, { sigma, tolerance: 1e-3 }));
    expect(noisy.step).toBeLessThan(clean.step / 3);
    expect(noisy.rounds).toBeGreaterThan(3 * clean.rounds);
    const { curvatures } = taskOf(12);
    const left = curvatures.reduce(
      (sum, h) => sum + (1e-4 * noisy.step) / (2 * 12 * 10 * h * (1 - (noisy.step * h) / 2)),
      0,
    );
    expect(left).toBeLessThan(1e-6);
  });

  test("what arrives late is foretold from the last quarter of a run", () => {
    const slow = forecast("d2", ring({ n: 200 }));
    expect(slow.certainty).toBe("late");
    expect(slow.rounds).toBeGreaterThan(20_000);
    expect(slow.rounds).toBeLessThan(1e6);
    expect(forecast("d2", ring({ n: 20 })).certainty).toBe("run");
  });
});

describe("methods with a bias", () => {
  test("without a network: the least T with the mean of (1 - g h)^2T below the tolerance", () => {
    const problem = taskOf(12);
    const { rounds, step } = exactMeanForecast(problem, 0, 0.01);
    const left = (T: number) => problem.curvatures.reduce((sum, h) => sum + (1 - h) ** (2 * T), 0) / 10;
    expect(step).toBe(1);
    expect(left(rounds)).toBeLessThanOrEqual(1e-4);
    expect(left(rounds - 1)).toBeGreaterThan(1e-4);
  });

  test("noise is averaged over the nodes, at the largest steps that the tolerance allows", () => {
    const [few, many] = [10, 1000].map((n) => exactMeanForecast(taskOf(n), 1, 0.1));
    expect(many.step).toBeGreaterThan(10 * few.step);
    expect(few.step).toBeLessThan(1);
  });

  test("the disagreement is g G b: of the step, the gain and the heterogeneity", () => {
    const graph = odEquiDyn({ n: 25 });
    const { gain = 0, step, rounds } = forecast("dsgd", graph, { tolerance: 0.01 });
    expect(gain).toBeCloseTo(1.6164, 3);
    const left = 1e-4 - (step * gain) ** 2;
    const { curvatures } = taskOf(25);
    const mean = (T: number) => curvatures.reduce((sum, h) => sum + (1 - step * h) ** (2 * T), 0) / 10;
    expect(mean(rounds)).toBeLessThanOrEqual(left);
    expect(mean(rounds - 1)).toBeGreaterThan(left);
  });

  test("gains that are followed are those of closed forms", () => {
    const n = 25;
    const isotropic = createTopology({ name: "random-matching", n });
    const exact = forecast("dsgd", isotropic, { tolerance: 0.01 }).gain!;
    // Over rounds alike in every direction sorted data is no harder; with losses a gain is followed, and larger.
    expect(forecast("dsgd", isotropic, { tolerance: 0.01, heterogeneous: true }).gain).toBe(exact);
    const lossy = forecast("dsgd", isotropic, { tolerance: 0.01, loss: 0.05 }).gain!;
    expect(lossy / (exact + (0.05 * (1 + exact)) / 0.95)).toBeGreaterThan(0.9);
    expect(lossy / (exact + (0.05 * (1 + exact)) / 0.95)).toBeLessThan(1.1);
    // Ten blocks of a ring lie along its slowest modes.
    const ringed = (heterogeneous: boolean) =>
      forecast("dsgd", ring({ n: 30 }), { tolerance: 0.01, heterogeneous }).gain!;
    expect(ringed(true)).toBeGreaterThan(1.3 * ringed(false));
    expect(ringed(true)).toBeLessThan(gains(ring({ n: 30 })).worst);
  });

  test("fresh noise settles at g N sigma", () => {
    const topology = odEquiDyn({ n: 25 });
    const { step, rounds } = forecast("dsgd", topology, { b: 0, sigma: 0.3, tolerance: 0.1 });
    const { noise } = gains(topology);
    const { curvatures } = taskOf(25);
    const averaged = curvatures.reduce((sum, h) => sum + (0.09 * step) / (2 * 250 * h * (1 - (step * h) / 2)), 0);
    const left = 0.01 - (0.3 * step * noise) ** 2 - averaged;
    const mean = (T: number) => curvatures.reduce((sum, h) => sum + (1 - step * h) ** (2 * T), 0) / 10;
    expect(mean(rounds)).toBeLessThanOrEqual(left);
    expect(mean(rounds - 1)).toBeGreaterThan(left);
    // The same with losses, where it is followed.
    expect(forecast("dsgd", topology, { b: 0, sigma: 0.3, tolerance: 0.1, loss: 0.01 }).step / step).toBeGreaterThan(
      0.8,
    );
  });
});

describe("where choices were beaten", () => {
  test.each([
    ["n = 12, degree 3, sorted", { n: 12, degree: 3, heterogeneous: true }],
    ["n = 48, degree 8", { n: 48, degree: 8 }],
  ])("atc-gt, %s: no row is better than the first by a fifth", (_, question) => {
    for (const tolerance of [1e-2, 1e-6]) {
      const advice = advise({ ...question, algorithm: "atc-gt", tolerance });
      const rows = advice.ranking.filter(({ spec }) => spec !== undefined);
      const checked = checkAdvice(advice, rows.length);
      const costs = checked.map(({ measured }, k) => ((measured ?? 1e9) * rows[k].seconds) / rows[k].rounds);
      expect(costs[0] / Math.min(...costs)).toBeLessThan(1.2);
    }
  });
});

describe("what a row costs", () => {
  const question = {
    n: 30,
    topologies: ["d-equistatic"],
    modelBytes: 1e5,
    latency: 1e-3,
    bandwidth: 1e7,
    compute: 0.01,
  };

  test.each([
    ["dsgd", 1, 1],
    ["dsgt", 2, 1],
    ["atc-gt", 2, 2],
  ])("%s sends %i vectors an iteration, in %i exchanges", (algorithm, vectors, yields) => {
    const row = advise({ ...question, algorithm }).ranking.find(({ spec }) => spec !== undefined);
    const { rounds = 0, bytes, seconds } = row ?? {};
    const { maxDegree } = createTopology(row?.spec as Parameters<typeof createTopology>[0]);
    expect(bytes).toBeCloseTo(rounds * vectors * maxDegree * 1e5, 3);
    const network = yields * maxDegree * (1e-3 + ((vectors / yields) * 1e5) / 1e7);
    expect(seconds).toBeCloseTo(rounds * (network + 0.01), 6);
  });

  test("ranked by what is asked for", () => {
    const ask = (by: "time" | "bytes") =>
      advise({ n: 24, by, latency: 1, modelBytes: 8, topologies: ["base", "ring"] }).ranking;
    for (const [by, key] of [
      ["time", "seconds"],
      ["bytes", "bytes"],
    ] as const) {
      const costs = ask(by).map((row) => row[key]);
      expect(costs).toEqual([...costs].sort((a, b) => a - b));
    }
  });

  test("what drifts or needs push-sum is left out with its reason", () => {
    const steps = adviceSteps({ n: 20, topologies: ["el-local", "el-oracle"] });
    let step = steps.next();
    while (!step.done) step = steps.next();
    const reasons = step.value.excluded.filter(({ label }) => label.startsWith("el-local")).map(({ reason }) => reason);
    expect(reasons).toEqual(["its nodes agree, but on a mean that drifts"]);
  });
});

describe("a check", () => {
  const advice = advise({ n: 16, topologies: ["base", "od-equidyn", "ring"], tolerance: 1e-3 });
  const checkedAt = (label: string, factor: number) => {
    const row = advice.ranking.find((one) => one.label === label);
    if (row === undefined) throw new Error(`no row of ${label}`);
    const [{ measured }] = checkAdvice({ ...advice, ranking: [row] }, 1);
    const asked = { ...advice, ranking: [{ ...row, rounds: (measured ?? 0) * factor }] };
    return checkAdvice(asked, 1)[0].holds;
  };

  test("holds exact rows to their number, and others to half as much again", () => {
    expect([1, 0.9].map((factor) => checkedAt("ring", factor))).toEqual([true, false]);
    expect([1, 0.7, 0.6].map((factor) => checkedAt("od-equidyn", factor))).toEqual([true, true, false]);
  });

  test("looks at other starts and losses than those of the forecast", () => {
    const asked = { n: 24, topologies: ["od-equidyn"], loss: 0.2, tolerance: 1e-3 };
    const lossy = advise(asked);
    const row = lossy.ranking.filter(({ spec }) => spec !== undefined);
    const topology = createTopology(row[0].spec as Parameters<typeof createTopology>[0]);
    const sampled = (seed: number) => sampleGossip(topology, { tolerance: 1e-3, seed, faults: { drop: 0.2 } }).rounds;
    const [{ measured }] = checkAdvice({ ...lossy, ranking: row }, 1);
    expect(measured).toBe(sampled(1000));
  });
});

describe("sampled rounds", () => {
  test("are the median over runs of other seeds, and the shift in units of the nodes' distance", () => {
    const graph = odEquiDyn({ n: 20 });
    const faults = { drop: 0.3 };
    const one = (seed: number) => sampleGossip(graph, { tolerance: 1e-4, faults, seed, runs: 1 });
    const all = sampleGossip(graph, { tolerance: 1e-4, faults, seed: 3, runs: 5 });
    const singles = [3, 4, 5, 6, 7].map(one);
    const median = (values: number[]) => values.sort((a, b) => a - b)[2];
    expect(all.rounds).toBe(median(singles.map(({ rounds }) => rounds)));
    expect(all.shift).toBe(median(singles.map(({ shift }) => shift)));
    expect(new Set(singles.map(({ shift }) => shift)).size).toBe(5);
    // A mean over n nodes of draws that are off by a share of their distance: of that size, and not of a root of n less.
    expect(all.shift).toBeGreaterThan(0.1);
    expect(all.shift).toBeLessThan(2);
  });

  test("exchanges keep the mean", () => {
    const graph = ouEquiDyn({ n: 20 });
    expect(sampleGossip(graph, { tolerance: 1e-4, faults: { drop: 0.3 } }).shift).toBeLessThan(1e-12);
  });
});

test("short periods are counted in whole ones", () => {
  const network = { modelBytes: 1, latency: 1, bandwidth: 1e9 };
  const graph = createTopology({ name: "base", n: 300, k: 4 });
  const whole = Array.from(
    { length: 4 },
    (_, t) => costOfRounds({ ...graph, round: () => graph.round(t) }, 1, network).bytes,
  );
  const period = whole.reduce((sum, bytes) => sum + bytes, 0);
  expect(new Set(whole).size).toBeGreaterThan(1);
  expect(costOfRounds(graph, 4000, network).bytes).toBeCloseTo(1000 * period, 3);
  expect(costOfRounds(dEquiStatic({ n: 12, m: 2 }), 10, network).bytes).toBe(20);
});
