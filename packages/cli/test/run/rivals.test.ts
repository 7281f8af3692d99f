/** The rivals' experiments: their data, some of their figures, and that their checks can fail. */

import { experiments, runUnit, type UnitResult } from "@equitopo/experiments";
import { describe, expect, it } from "vitest";
import { type AveragingUnit, average } from "../../../../experiments/averaging.ts";
import { lcgNormals, rivalProblem } from "../../../../experiments/lcg.ts";
import { tryOut } from "../../../../experiments/trial.ts";

/** The generator once more, in whole numbers of any size. */
function normals(seed: bigint, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    let sum = 0;
    for (let k = 0; k < 12; k++) {
      state = (1664525n * state + 1013904223n) % 4294967296n;
      sum += (Number(state) + 0.5) / 4294967296;
    }
    return sum - 6;
  });
}

describe("the common data", () => {
  it("is that of the generator, whatever the pieces it is asked for in", () => {
    const draw = lcgNormals(1);
    expect([...draw(7), ...draw(5)]).toEqual(normals(1n, 12));
  });

  it("puts the same solution into each of ten groups where it is sorted", () => {
    const [n, d, K] = [20, 10, 50];
    const all = normals(5n, d + n * (d + K * d + K));
    const problem = rivalProblem(n, "sorted");
    const v = normals(1005n + 3n, d);
    // Node 7 is in group floor(70 / 20) = 3.
    const own = d + 7 * (d + K * d + K);
    const row = all.slice(own + d, own + 2 * d);
    const noise = all[own + d + K * d];
    const expected = row.reduce((sum, a, j) => sum + a * (all[j] + v[j]), 0.1 * noise);
    expect(problem.b[7 * K]).toBeCloseTo(expected, 12);
    expect(rivalProblem(n, "iid").A).toEqual(problem.A);
    expect(rivalProblem(n, "iid").b[7 * K]).not.toBe(problem.b[7 * K]);
  });
});

describe("figures", () => {
  const unit = (topologies: AveragingUnit["topologies"], rounds: number): AveragingUnit => ({
    kind: "averaging",
    key: "",
    topologies,
    rounds,
    tolerances: [1e-6, 1e-12],
    around: "start",
  });

  // Computed independently, in another program.
  it("averaging: rounds from which on the error stays below, and vectors", () => {
    expect(average(unit([{ name: "one-peer-exp", n: 17 }], 60)).reached).toEqual([[24, 49]]);
    const base = average(unit([{ name: "base", n: 25, k: 2 }], 12));
    expect(base.reached[0][0]).toBe(6);
    expect(base.vectors[6]).toBeCloseTo(9.7, 1);
    expect(average(unit([{ name: "ring", n: 17 }], 5)).reached).toEqual([[null, null]]);
  });

  it("learning: where DSGD stalls, and what D² refuses", () => {
    const trial = { kind: "trial", key: "", learningRates: [0.001], spread: "iid", rounds: 300 } as const;
    const stall = tryOut({ ...trial, topologies: [{ name: "base", n: 25, k: 4 }], algorithm: "dsgd" });
    expect(stall.late[0][0]).toBeCloseTo(0.02, 3);
    const refused = tryOut({ ...trial, topologies: [{ name: "base", n: 25, k: 1 }], algorithm: "d2" });
    expect([refused.refused, refused.late]).toEqual([expect.stringContaining("stability radius"), []]);
    const anyway = tryOut({ ...trial, topologies: [{ name: "base", n: 25, k: 1 }], algorithm: "d2", anyway: true });
    // Unstable at this learning rate: refused for a reason.
    expect(anyway.late[0][0] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1);
  });
});

describe("checks", () => {
  /** Nobody is exact, everybody is fast, nothing is learned. */
  const wrong = {
    reached: [[1, 1]],
    errors: [1, 0.5],
    vectors: new Array<number>(600).fill(0),
    shifts: [0.5],
    late: [[0.5]],
    final: [[0.5]],
    rms: 9,
    worst: 1,
  } as unknown as UnitResult;

  it.each([...["rivals-consensus", "rivals-faults", "rivals-learning", "rivals-relabelled", "liars"]])(
    "of %s fail",
    (name) => {
      const experiment = experiments.find((one) => one.name === name)!;
      for (const scale of ["quick", "full"] as const) {
        const results = new Map(experiment.units(scale).map(({ key }) => [key, wrong]));
        const passed = experiment.outcome(results, scale).checks.filter(({ pass }) => pass);
        expect(passed.map((check) => check.name)).toEqual([]);
      }
    },
  );

  it("of the illustrations fail on another graph, and pass on the paper's", async () => {
    const experiment = experiments.find(({ name }) => name === "illustrations")!;
    const results = new Map<string, UnitResult>();
    for (const unit of experiment.units("quick")) results.set(unit.key, await runUnit(unit));
    const failed = () => experiment.outcome(results, "quick").checks.filter(({ pass }) => !pass).length;
    expect(failed()).toBe(0);
    results.set("basis u=1", results.get("basis u=2")!);
    expect(failed()).toBe(2);
  });
});
