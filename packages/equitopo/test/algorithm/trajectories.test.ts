/**
 * Small runs computed independently, in another language, with all data, noise and random choices written out
 * (fixtures/trajectories.json): DSGD with noise and DSGT on least squares, DSGT on logistic regression.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/problem/problem.ts";
import type { Round } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { gap, meanOf } from "../../src/testing/network.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { greedyMatching } from "../../src/topology/matching.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { ring } from "../../src/topology/ring.ts";
import type { Topology } from "../../src/topology/topology.ts";

const file = JSON.parse(readFileSync(new URL("../fixtures/trajectories.json", import.meta.url), "utf8"));

type Choice = readonly [v: number, s: number];

/** A topology whose random choices are prescribed. */
const withRounds = (topology: Topology, round: (t: number) => Round): Topology => ({ ...topology, round });

function expectTrajectory(topology: Topology, name: string, learningRate: number, problem: Problem, X: number[][][]) {
  // The state after t updates is what a run of t rounds ends with.
  X.forEach((expected, t) => {
    const { x } = simulate({ topology, algorithm: { name, learningRate }, problem, rounds: t + 1, every: t + 1 });
    expect(gap(x, expected.flat()), `after ${t + 1} updates`).toBeLessThan(1e-12);
  });
}

describe("least squares", () => {
  const { n, d, K, lr, A, b, noise, basis_u, v_s_per_iteration, runs } = file.least_squares;
  const choices: Choice[] = v_s_per_iteration;
  const problem = (noisy: boolean): Problem => ({
    name: "least squares",
    n,
    d,
    gradient(x, t, out, first, count) {
      for (let i = 0; i < count; i++) {
        const node = first + i;
        for (let j = 0; j < d; j++) out[i * d + j] = noisy ? noise[t][node][j] : 0;
        for (let k = 0; k < K; k++) {
          let residual = -b[node][k];
          for (let j = 0; j < d; j++) residual += A[node][k][j] * x[i * d + j];
          for (let j = 0; j < d; j++) out[i * d + j] += A[node][k][j] * residual;
        }
      }
    },
    metrics: () => ({}),
  });
  const weight = (0.53 * (n - 1)) / n;
  const topologies: Record<string, Topology> = {
    "D-EquiStatic": dEquiStatic({ n, basis: basis_u }),
    "OU-EquiDyn CuMN eta=0.53": withRounds(ouEquiDyn({ n, eta: 0.53 }), (t) => {
      const [v, s] = choices[t];
      return { kind: "matching", n, weight, partner: greedyMatching(n, v, s - 1) };
    }),
    ring: ring({ n }),
  };

  test("every run has its topology", () => expect(Object.keys(runs).sort()).toEqual(Object.keys(topologies).sort()));

  test.each(Object.keys(topologies))("DSGD with noise over %s", (name) => {
    expectTrajectory(topologies[name], "dsgd", lr, problem(true), runs[name].dsgd_X_per_iteration);
  });

  test.each(Object.keys(topologies))("DSGT over %s", (name) => {
    expectTrajectory(topologies[name], "dsgt", lr, problem(false), runs[name].dsgt_noisefree_X_per_iteration);
  });
});

describe("logistic regression", () => {
  const { n, d, L, R, lr, h, y, v_s_per_iteration, runs } = file.logistic;
  const choices: Choice[] = v_s_per_iteration;
  const run = runs["OD-EquiDyn eta=0.5"];
  const weight = (0.5 * (n - 1)) / n;
  const topology = withRounds(odEquiDyn({ n, eta: 0.5 }), (t) => ({
    kind: "circulant",
    n,
    self: 1 - weight,
    shifts: Int32Array.of(choices[t][0]),
    weights: Float64Array.of(weight),
  }));
  /** The gradient of f_i = 1/L sum ln(1 + exp(-y h'x)) + R sum x_j^2 / (1 + x_j^2). */
  const gradientOf = (node: number, x: readonly number[]): number[] => {
    const out = x.map((v) => (2 * R * v) / (1 + v * v) ** 2);
    for (let l = 0; l < L; l++) {
      const margin = y[node][l] * x.reduce((sum, v, j) => sum + v * h[node][l][j], 0);
      const pull = y[node][l] / (1 + Math.exp(margin)) / L;
      for (let j = 0; j < d; j++) out[j] -= pull * h[node][l][j];
    }
    return out;
  };
  const problem: Problem = {
    name: "logistic",
    n,
    d,
    gradient(x, _t, out, first, count) {
      for (let i = 0; i < count; i++) out.set(gradientOf(first + i, [...x.subarray(i * d, (i + 1) * d)]), i * d);
    },
    metrics(x) {
      const mean = [...meanOf(x, d)];
      const total = new Array(d).fill(0);
      for (let i = 0; i < n; i++) {
        for (const [j, v] of gradientOf(i, mean).entries()) total[j] += v / n;
      }
      return { gradientNorm: Math.hypot(...total) };
    },
  };

  test("DSGT over OD-EquiDyn", () => expectTrajectory(topology, "dsgt", lr, problem, run.dsgt_X_per_iteration));

  test("its gradient norm at the mean, by updates done", () => {
    const expected: number[] = run.grad_norm_at_mean;
    const algorithm = { name: "dsgt", learningRate: lr };
    const { metrics, updates } = simulate({ topology, algorithm, problem, rounds: expected.length });
    expect(updates).toEqual(Array.from({ length: expected.length + 1 }, (_, k) => k));
    expect(gap(metrics["gradientNorm"].slice(1), expected)).toBeLessThan(1e-12);
  });
});
