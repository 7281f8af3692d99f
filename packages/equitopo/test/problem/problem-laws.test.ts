/** What every problem of the registry must do; a new member is tested by being listed there. */

import { describe, expect, test } from "vitest";
import { createProblem, problems } from "../../src/problem/registry.ts";
import { fillNormal } from "../../src/random/normal.ts";

describe.each([...problems])("$name", ({ name, metric }) => {
  const n = 13;
  const make = (seed: number, options = {}) => createProblem({ name, n, seed, ...options });
  const rows = (d: number) => fillNormal(new Float64Array(n * d), 3, 1000, 0);
  const all = (problem: ReturnType<typeof make>, t: number) => {
    const out = new Float64Array(n * problem.d);
    problem.gradient(rows(problem.d), t, out, 0, n);
    return out;
  };

  test("is a function of its options and seed", () => {
    expect(all(make(1), 4)).toEqual(all(make(1), 4));
    expect(all(make(1), 4)).not.toEqual(all(make(2), 4));
    expect(make(1).metrics(rows(10))).toEqual(make(1).metrics(rows(10)));
  });

  test("any nodes alone have the gradients they have among all", () => {
    const problem = make(1, { sigmaN: 0.5 });
    const { d } = problem;
    const whole = all(problem, 7);
    for (const [first, count] of [
      [0, 1],
      [5, 1],
      [12, 1],
      [3, 6],
    ]) {
      const out = new Float64Array(count * d);
      problem.gradient(rows(d).slice(first * d, (first + count) * d), 7, out, first, count);
      expect(out).toEqual(whole.slice(first * d, (first + count) * d));
    }
  });

  test("made for a share of the nodes, holds their data alone and has their gradients", () => {
    const whole = make(1, { sigmaN: 0.5 });
    const { d } = whole;
    const expected = all(whole, 7);
    const numbers = (problem: object) =>
      Object.values(problem).reduce((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
    for (const [first, count] of [
      [0, 1],
      [5, 1],
      [12, 1],
      [3, 6],
    ]) {
      const share = createProblem({ name, n, seed: 1, sigmaN: 0.5 }, { first, count });
      const out = new Float64Array(count * d);
      share.gradient(rows(d).slice(first * d, (first + count) * d), 7, out, first, count);
      expect(out).toEqual(expected.slice(first * d, (first + count) * d));
      expect(numbers(share)).toBe((numbers(whole) * count) / n);
      expect(() => share.metrics(rows(d))).toThrow(/need the data of all 13 nodes/);
    }
    expect(() => createProblem({ name, n, seed: 1 }, { first: 13 })).toThrow(/first/);
  });

  test("leaves the models alone, and draws its noise anew each iteration", () => {
    const problem = make(1, { sigmaN: 0.5 });
    const x = rows(problem.d);
    const out = new Float64Array(x.length);
    problem.gradient(x, 0, out, 0, n);
    expect(x).toEqual(rows(problem.d));
    expect(all(problem, 0)).not.toEqual(all(problem, 1));
    const quiet = make(1, { sigmaN: 0 });
    expect(all(quiet, 0)).toEqual(all(quiet, 1));
  });

  test("the negative gradient leads downhill", () => {
    const problem = make(1, { sigmaN: 0 });
    const { d } = problem;
    const x = new Float64Array(n * d).map((_, k) => rows(d)[k % d]);
    const g = new Float64Array(n * d);
    problem.gradient(x, 0, g, 0, n);
    const mean = (j: number) => Array.from({ length: n }, (_, i) => g[i * d + j] / n).reduce((a, b) => a + b);
    const moved = x.map((v, k) => v - 1e-3 * mean(k % d));
    expect(problem.metrics(moved)["loss"]).toBeLessThan(problem.metrics(x)["loss"]);
  });

  test("records finite numbers, its own metric among them", () => {
    const found = make(1).metrics(rows(10));
    expect(Object.keys(found)).toContain(metric);
    expect(Object.values(found).every(Number.isFinite)).toBe(true);
    expect(found["consensusDistance"]).toBeGreaterThan(0);
  });

  test("refuses unknown options", () => {
    expect(() => make(1, { colour: 1 })).toThrow(/takes the options/);
  });
});

test("an unknown problem is refused with the nearest name", () => {
  expect(() => createProblem({ name: "least-square", n: 3 })).toThrow(/did you mean least-squares/);
});
