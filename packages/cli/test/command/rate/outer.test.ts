/** `rate --outer`: rules of local steps judged over a topology, in JSON and in words, and what is refused. */

import { describe, expect, test } from "vitest";
import { equitopo, json } from "../../command.ts";

describe("rate --outer", () => {
  test("gossip-diloco over OD-EquiDyn: the factor is the momentum, any momentum is stable", async () => {
    const answer = await json("rate od-equidyn --n 64 --outer gossip-diloco");
    expect(answer).toMatchObject({ topology: "od-equidyn", n: 64, stable: true, method: "exact" });
    expect(answer.rule).toMatchObject({ name: "gossip-diloco", outerRate: 0.7, outerMomentum: 0.9, rounds: 1 });
    expect(answer.factor).toBeCloseTo(0.9, 9);
    expect(answer.disagreement.toFixed(2)).toBe("0.38");
    expect(answer.largest).toEqual({ outerMomentum: 1 });
  });

  test("noloco 0.9 / 0.7 / 0.7: it grows over one-peer graphs, and the largest stable pull is named; not over the ring", async () => {
    const words = "--n 64 --outer noloco --outer-rate 0.7 --outer-momentum 0.9 --pull 0.7";
    const grows = await json(`rate od-equidyn ${words}`);
    expect(grows).toMatchObject({ stable: false, disagreement: null });
    expect(grows.largest).toEqual({ outerMomentum: 0.8, pull: 0.38 });
    const ring = await json(`rate ring ${words}`);
    expect(ring.stable).toBe(true);
    expect(ring.disagreement).toBeCloseTo(1.01, 1);
    expect((await equitopo(`rate od-equidyn ${words}`)).stdout).toMatch(/stable +no +disagreement grows without end/);
  });

  test("--rounds are those of an outer step, --mix-momentum, --form and --by go to the rule", async () => {
    const two = await json("rate od-equidyn --n 64 --outer gossip-diloco --mix-momentum --rounds 2");
    expect(two.rule).toMatchObject({ rounds: 2, mixMomentum: true });
    expect(two.disagreement).toBeLessThan(0.15);
    const first = await json("rate ring --n 64 --outer gasloc --form mix-first --outer-momentum 0.9");
    expect(first.disagreement).toBeCloseTo(0.82, 1);
    expect((await json("rate ring --n 9 --outer slowmo --by mean")).disagreement).toBe(0);
    expect((await json("rate complete --n 1 --outer gossip-diloco")).disagreement).toBe(0);
  });

  test.each([
    ["rate ring --n 8 --outer dsgd", /one of local steps.*gossip-diloco/s],
    ["rate ring --n 8 --outer gossip-dilocko", /gossip-diloco/],
    ["rate ring --n 8 --pull 0.5", /pull is an option of an outer rule.*--outer/s],
    ["rate ring --n 8 --outer gossip-diloco --pull 0.5", /pull/],
    ["rate ring --n 8 --outer noloco --outer-momentum 1", /outerMomentum/],
    ["rate ring --n 8 --outer slowmo --rounds 2", /slowmo's rounds must be 1.*by: topology/],
    ["rate ring --n 8 --outer noloco --plot x.svg", /--plot is of the rate.*leave out one of them/],
    ["rate ring --n 8 --outer noloco --certificate c.json", /--certificate is of the rate/],
    ["rate ring --n 8 --outer noloco --gains", /--gains is of the rate/],
    ["rate od-equidyn --n 8 --outer noloco --seeds 1..2", /--outer is of one graph, and --seeds has several/],
    ["rate el-local --n 8 --outer gossip-diloco", /row-stochastic/],
    ["rate ceca-1p --n 8 --outer gossip-diloco", /rounds must be a multiple/],
  ])("%s is refused", async (words, reason) => {
    const { status, stderr } = await equitopo(words);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
  });
});
