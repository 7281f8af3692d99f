/** Advice on rules of local steps: what is judged takes limited work, and what takes more is left out or tried over whole periods. */

import { expect, test } from "vitest";
import { adviseOuter } from "../../src/advise/outer.ts";
import { outerRule } from "../../src/advise/outer-rule.ts";
import { outerDisagreement, outerStability, outerWork } from "../../src/rate/outer.ts";
import { createTopology } from "../../src/topology/registry.ts";

const { modelOf } = outerRule({ name: "noloco" });
const work = (name: string, n: number, rounds = 7) => outerWork(createTopology({ name, n }), modelOf({ rounds }));

test("the families that matter take little work at some hundred nodes; sampled ones are beyond every limit", () => {
  for (const name of ["od-equidyn", "ou-equidyn", "one-peer-exp", "static-exp", "random-matching", "ring"]) {
    expect(work(name, 300), name).toBeLessThan(3e8);
  }
  expect(work("base", 64)).toBeGreaterThan(3e8);
  expect(work("matcha", 16)).toBe(Infinity);
});

test("of a dear family that is exact after a period only whole periods are tried; others are left out in words", () => {
  const { ranking } = adviseOuter({ n: 48, steps: 50, topologies: ["base"] });
  const rows = ranking.filter(({ topology }) => topology === "base k=1");
  const { period } = createTopology({ name: "base", n: 48, k: 1 });
  expect(rows.length).toBeGreaterThan(3);
  for (const { rounds, disagreement } of rows) expect([rounds, disagreement <= 0.1]).toEqual([period, true]);
  const { excluded } = adviseOuter({ n: 160, steps: 50, topologies: ["random-permutations"] });
  expect(excluded.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/take too long/));
});

test("the fewest rounds that are enough are found, and the disagreement is the one that rate gives", () => {
  const { ranking } = adviseOuter({ n: 16, steps: 50, topologies: ["one-peer-exp", "ou-equidyn", "base"] });
  for (const { algorithm, disagreement, rounds, spec } of ranking) {
    if (spec === undefined || rounds === 1) continue;
    const [name, ...words] = algorithm.split(" ");
    const given = {
      ...(words[0] === "mixMomentum" ? { mixMomentum: true } : {}),
      ...(name === "slowmo" ? { by: "topology" } : {}),
    };
    const model = outerRule({ name: name!, ...given, steps: 50 }).modelOf;
    const topology = createTopology(spec);
    expect(outerStability(topology, model({ rounds })).disagreement).toBeCloseTo(disagreement, 8);
    expect(outerDisagreement(topology, model({ rounds: rounds - 1 })), algorithm).toBeGreaterThan(0.1);
  }
});
