/** The sentences of the first minute: computed from what came out, whoever wins. */

import { firstMinute, runUnit, type UnitResult } from "@equitopo/experiments/internal";
import { describe, expect, it } from "vitest";
import { type FirstMinute, findings } from "../../../../experiments/first-minute.ts";

const race = (title: string, topology: string, iterations: number, fresh = false) => ({
  ...{ title, topology, iterations, fresh, learningRate: 0.001, curve: [1, 1e-7] },
});
const rate = (value: number, rounds: number | null) => ({
  ...{ rate: value, periodRate: null, degree: 1, predictedRounds: rounds },
});
const found: FirstMinute = {
  n: 300,
  sizes: [100, 1_000_000],
  races: [
    race("ours", "od-equidyn", 60),
    race("our other", "ou-equidyn", 64),
    race("rival", "base", 150),
    race("rival, fresh labels", "base", 55, true),
  ],
  averaging: [
    { title: "ours", rounds: 31 },
    { title: "slow", rounds: 50 },
    { title: "exact", rounds: 9 },
  ],
  growth: [{ title: "ours", topology: "od-equidyn", rates: [rate(0.7035, 40), rate(0.7069, 40)] }],
};

describe("the sentences", () => {
  it("name the figures of ours and of published rivals, sizes, who wins averaging, and fresh labels", () => {
    expect(findings(found)).toEqual([
      "With one peer a round and no server, gradient tracking takes 300 nodes to an error of 1e-6 in 60 iterations over ours, " +
        "150 over rival (2.5 times as many), each at its best learning rate; the exact rate of ours is 0.7035 at 100 nodes " +
        "and 0.7069 at 1,000,000: 40 rounds shrink any disagreement by 1e-6, whatever the size.",
      "Plain averaging is won by others: ours takes 31 rounds there, exact (9) fewer.",
      "rival, fresh labels every period, which this library adds to the published graph, takes 55 iterations instead of " +
        "150: redrawing the labels explains the whole advantage of ours over it.",
    ]);
  });

  it("say so where ours is slower, never arrives, grows with n, or wins averaging", () => {
    const [ours, , ...others] = found.races;
    const [slow] = findings({ ...found, races: [{ ...ours, iterations: 300 }, ...others] });
    expect(slow).toContain("300 iterations over ours, 150 over rival (0.5 times as many)");
    const [never] = findings({ ...found, races: [ours, race("rival", "base", Number.POSITIVE_INFINITY)] });
    expect(never).toContain("more than were run over rival (not reached)");
    const [grows] = findings({ ...found, growth: [{ ...found.growth[0], rates: [rate(0.7, 40), rate(0.9, 131)] }] });
    expect(grows).toMatch(/: 40 to 131 rounds shrink any disagreement by 1e-6\.$/);
    expect(findings({ ...found, averaging: found.averaging.slice(0, 2) })[1]).toBe(
      "Plain averaging: ours takes 31 rounds, and no graph here takes fewer.",
    );
  });
});

describe("the sentence of fresh labels", () => {
  const [ours, , rival] = found.races;
  const told = (iterations: number, others = [ours, rival]) =>
    findings({ ...found, races: [...others, race("rival, fresh labels", "base", iterations, true)] })[2];
  const takes = "rival, fresh labels every period, which this library adds to the published graph, takes";

  it("says how much of the advantage redrawing the labels explains: all, some, or nothing", () => {
    expect(told(60)).toBe(
      `${takes} 60 iterations instead of 150: redrawing the labels explains the whole advantage of ours over it.`,
    );
    expect(told(61)).toContain("explains 98 % of the advantage");
    expect(told(149)).toContain("explains 1 % of the advantage");
    expect(told(150)).toContain("explains nothing of the advantage");
    expect(told(400)).toBe(
      `${takes} 400 iterations instead of 150: redrawing the labels explains nothing of the advantage of ours over it.`,
    );
  });

  it("speaks of no lead where there is none, or none that was measured", () => {
    expect(told(55, [{ ...ours, iterations: 150 }, rival])).toBe(`${takes} 55 iterations instead of 150.`);
    expect(told(55, [ours, { ...rival, iterations: Number.POSITIVE_INFINITY }])).toBe(
      `${takes} 55 iterations instead of more than were run.`,
    );
    expect(told(Number.POSITIVE_INFINITY)).toBe(`${takes} more iterations than were run instead of 150.`);
    expect(told(55, [ours])).toBe(`${takes} 55 iterations.`);
  });
});

describe("the experiment", () => {
  it("takes for every graph the learning rate that is best for it", async () => {
    const results = new Map<string, UnitResult>();
    const units = firstMinute.units("full");
    for (const unit of units) {
      if (unit.kind === "trial") {
        const [learningRate] = unit.learningRates;
        const base = unit.topologies[0].name === "base";
        // Base-2 is best at the least, the others at the largest.
        const at = Math.round(base ? 1e5 * learningRate : 1 / learningRate);
        results.set(unit.key, { late: [], final: [], vectors: [], reached: [[at]], curves: [[[1, 1e-7]]] });
      } else if (unit.kind === "averaging" && unit.topologies[0].name === "base") {
        results.set(unit.key, await runUnit(unit));
      } else if (unit.kind === "averaging") {
        results.set(unit.key, { reached: [[99]], errors: [], vectors: [], shifts: [] });
      } else results.set(unit.key, rate(0.5, 20));
    }
    const { tables, figures, findings: said } = firstMinute.outcome(results, "full");
    const [od, , , base] = tables[0].rows;
    expect([od[0], base[0]]).toEqual(["OD-EquiDyn", "Base-2"]);
    expect([base[2], od[2]]).toEqual([0.0005, 0.0073]);
    // Base-2 is exact after 15 rounds at n = 300.
    expect(tables[1].rows).toContainEqual(["Base-2", 15]);
    expect(said?.[1]).toContain("Base-2 (15) fewer");
    expect(figures[0].name).toBe("first-minute");
  });
});
