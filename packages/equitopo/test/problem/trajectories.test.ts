/** The small runs of the fixture, which was computed independently: all data, noise and random choices written out. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { leastSquaresFrom } from "../../src/problem/least-squares.ts";
import { logisticFrom } from "../../src/problem/logistic.ts";
import type { Problem } from "../../src/problem/problem.ts";
import { applyRound } from "../../src/round/apply.ts";
import type { Round } from "../../src/round/round.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { greedyMatching } from "../../src/topology/matching.ts";
import { ring } from "../../src/topology/ring.ts";

const file = JSON.parse(readFileSync(new URL("../fixtures/trajectories.json", import.meta.url), "utf8"));
const flat = (nested: number[][][] | number[][]): Float64Array => Float64Array.from(nested.flat(2));

function expectRows(x: Float64Array, rows: number[][]): void {
  const wanted = flat(rows);
  for (let k = 0; k < wanted.length; k++) expect(Math.abs(x[k] - wanted[k])).toBeLessThan(1e-12);
}

function dsgd(problem: Problem, round: (t: number) => Round, rate: number, states: number[][][]): void {
  let x: Float64Array = new Float64Array(problem.n * problem.d);
  const g = new Float64Array(x.length);
  for (let t = 0; t < states.length; t++) {
    problem.gradient(x, t, g, 0, problem.n);
    x = applyRound(
      round(t),
      x.map((v, k) => v - rate * g[k]),
      new Float64Array(x.length),
    );
    expectRows(x, states[t]);
  }
}

function dsgt(
  problem: Problem,
  round: (t: number) => Round,
  rate: number,
  states: number[][][],
  each?: (x: Float64Array, t: number) => void,
): void {
  let x: Float64Array = new Float64Array(problem.n * problem.d);
  let g: Float64Array = new Float64Array(x.length);
  problem.gradient(x, 0, g, 0, problem.n);
  let y = g.slice();
  for (let t = 0; t < states.length; t++) {
    const w = (rows: Float64Array) => applyRound(round(t), rows, new Float64Array(rows.length));
    x = w(x.map((v, k) => v - rate * y[k]));
    const next = new Float64Array(x.length);
    problem.gradient(x, t + 1, next, 0, problem.n);
    y = w(y).map((v, k) => v + next[k] - g[k]);
    g = next;
    expectRows(x, states[t]);
    each?.(x, t);
  }
}

describe("least squares, 7 nodes", () => {
  const { n, d, lr, A, b, noise, basis_u, v_s_per_iteration, runs } = file.least_squares;
  const data = { n, d, A: flat(A), b: flat(b) };
  const equistatic = dEquiStatic({ n, basis: basis_u });
  const neighbours = ring({ n });
  const rounds: Record<string, (t: number) => Round> = {
    "D-EquiStatic": (t) => equistatic.round(t),
    "OU-EquiDyn CuMN eta=0.53": (t) => {
      const [v, s] = v_s_per_iteration[t];
      return { kind: "matching", n, weight: (0.53 * (n - 1)) / n, partner: greedyMatching(n, v, s - 1) };
    },
    ring: (t) => neighbours.round(t),
  };
  test.each(Object.keys(runs))("%s: DSGD with the given noise, DSGT without", (name) => {
    const noisy = leastSquaresFrom({ ...data, noise: noise.map(flat) });
    dsgd(noisy, rounds[name], lr, runs[name].dsgd_X_per_iteration);
    dsgt(leastSquaresFrom(data), rounds[name], lr, runs[name].dsgt_noisefree_X_per_iteration);
  });
});

describe("logistic regression, 6 nodes", () => {
  const { n, d, R, lr, h, y, v_s_per_iteration, runs } = file.logistic;
  test("DSGT over OD-EquiDyn at eta = 1/2, and the gradient norm at the mean", () => {
    const run = runs["OD-EquiDyn eta=0.5"];
    const problem = logisticFrom({ n, d, h: flat(h), y: flat(y), R });
    const weight = (0.5 * (n - 1)) / n;
    const round = (t: number): Round => ({
      kind: "circulant",
      n,
      self: 1 - weight,
      shifts: Int32Array.of(v_s_per_iteration[t][0]),
      weights: Float64Array.of(weight),
    });
    dsgt(problem, round, lr, run.dsgt_X_per_iteration, (x, t) => {
      expect(Math.abs(problem.metrics(x).gradientNorm - run.grad_norm_at_mean[t])).toBeLessThan(1e-12);
    });
  });
});
