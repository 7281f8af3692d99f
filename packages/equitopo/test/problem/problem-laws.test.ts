/** What every problem of the registry must do; a new member is tested by being listed there. */

import { describe, expect, test } from "vitest";
import { createProblem, problems } from "../../src/problem/registry.ts";
import { problemLaws } from "../../src/testing/problem.ts";

describe.each([...problems])("$name", (family) => {
  const laws = problemLaws(family, { noisy: { sigmaN: 0.5 }, quiet: { sigmaN: 0 } });
  test.each(laws.map((law) => [law.name, law.run] as const))("%s", (_name, run) => run());

  test("made for a share of the nodes, holds their data alone", () => {
    const { name } = family;
    const n = 13;
    const numbers = (problem: object) =>
      Object.values(problem).reduce((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
    const whole = createProblem({ name, n, seed: 1, sigmaN: 0.5 });
    for (const [first, count] of [
      [0, 1],
      [5, 1],
      [12, 1],
      [3, 6],
    ]) {
      const share = createProblem({ name, n, seed: 1, sigmaN: 0.5 }, { first, count });
      expect(numbers(share)).toBe((numbers(whole) * count) / n);
      expect(() => share.metrics(new Float64Array(n * whole.d))).toThrow(/need the data of all 13 nodes/);
    }
    expect(() => createProblem({ name, n, seed: 1 }, { first: 13 })).toThrow(/first/);
  });
});

test("an unknown problem is refused with the nearest name", () => {
  expect(() => createProblem({ name: "least-square" as string, n: 3 })).toThrow(/did you mean least-squares/);
});

test.each([
  ["least-squares", { K: 10 }],
  ["logistic", { L: 10 }],
])("%s: data of a node that fit into no array are refused at once, by rule", (name, samples) => {
  expect(() => createProblem({ name, n: 4, d: 1e9, ...samples })).toThrow(/at most 2\^30.*10000000000.*try fewer/);
});
