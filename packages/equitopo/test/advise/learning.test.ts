/** The adviser's forecasts, number by number, from the gains and rates that they are made of. */

import { describe, expect, test } from "vitest";
import { adviceSteps, advise } from "../../src/advise/advise.ts";
import { checkAdvice } from "../../src/advise/check.ts";
import { consensusForecast, roundsAt } from "../../src/advise/consensus.ts";
import { costOfRounds } from "../../src/advise/cost.ts";
import { exactMeanForecast, learningForecast } from "../../src/advise/learning.ts";
import { sampleGossip } from "../../src/advise/sampled.ts";
import { algorithms } from "../../src/algorithm/registry.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";

const goal = { tolerance: 1e-6, loss: 0, seed: 0 };
const problem = { kappa: 2.5, b: 1, sigma: 0, heterogeneous: false };

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

describe("corrected methods", () => {
  const d2 = algorithms.get("d2");

  test("take as long as lazy averaging where that is slower, from the eigenvalues of (I + W) / 2", () => {
    const graph = ring({ n: 40 });
    const { largest = 0 } = graph.rate().eigenvalues ?? {};
    const { rounds } = learningForecast(d2, graph, problem, goal);
    expect(rounds).toBe(roundsAt((1 + largest) / 2, 1e-6));
    expect(rounds).toBeGreaterThan(roundsAt(largest, 1e-6));
  });

  test("and as long as gradient descent where that is slower", () => {
    const graph = createTopology({ name: "complete", n: 12 });
    const hard = { ...problem, kappa: 100 };
    const { rounds } = learningForecast(d2, graph, hard, goal);
    expect(rounds).toBe(roundsAt(1 - 1 / 100, 1e-6));
    expect(rounds).toBeGreaterThan(1000);
  });

  test("over random rounds by their moments, with losses in both of them", () => {
    const graph = createTopology({ name: "random-matching", n: 300 });
    const { mean = 0, square = 0 } = graph.moments ?? {};
    const lazily = (p: number) => {
      const [m, b] = [(1 - p) * mean + p, (1 - p) * square + p];
      return roundsAt(Math.sqrt((1 + 2 * m + b) / 4), 1e-6);
    };
    for (const loss of [0, 0.3]) {
      expect(learningForecast(d2, graph, { ...problem, kappa: 1 }, { ...goal, loss }).rounds).toBe(lazily(loss));
    }
    expect(lazily(0.3)).toBeGreaterThan(lazily(0));
  });
});

describe("methods with a bias", () => {
  test("noise is averaged over the nodes, at the largest steps that the tolerance allows", () => {
    const noisy = { kappa: 2, sigma: 1 };
    const [few, many] = [10, 1000].map((n) => exactMeanForecast(n, { ...noisy, b: 0, heterogeneous: false }, 0.1));
    expect(many.step).toBeGreaterThan(10 * few.step);
    // sigma (g kappa / 2 n)^(1/2) is below the tolerance.
    expect(Math.sqrt((few.step * 2) / 20)).toBeLessThan(0.1);
    expect(few.step).toBeLessThanOrEqual(1);
  });

  test("no step is above 1 / L", () => {
    const dsgt = algorithms.get("dsgt");
    expect(learningForecast(dsgt, createTopology({ name: "complete", n: 12 }), problem, goal).step).toBe(1);
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
