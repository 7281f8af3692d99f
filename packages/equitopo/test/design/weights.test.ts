/** Best weights on a support, and the multipliers that prove them best. */

import { describe, expect, test } from "vitest";
import { designOn, supportBound } from "../../src/design/design.ts";
import { growingGame } from "../../src/design/game.ts";
import { Waves } from "../../src/design/spectrum.ts";
import { WeightOptimiser } from "../../src/design/weights.ts";
import { RandomStream } from "../../src/random/stream.ts";
import { circulantRate } from "../../src/rate/circulant.ts";

/** The example of the facts, n = 300 with 9 peers. */
const shifts = [29, 55, 71, 77, 80, 127, 138, 235, 237];

describe("a growing game", () => {
  test("has the value of matching pennies, and of a dominated game", () => {
    const game = growingGame(2);
    game.add([1, -1], 0);
    game.add([-1, 1], 1);
    expect(game.solve()).toBe(true);
    expect(game.value()).toBeCloseTo(0, 12);
    game.add([0.5, 0.25], 2);
    expect(game.solve()).toBe(true);
    // Against row 2 alone 1/4 can be had, against row 0 and 2 together 5/14 x ... : the value where both are equal.
    const w = new Float64Array(2);
    game.weights(w);
    const rows = [w[0] - w[1], w[1] - w[0], 0.5 * w[0] + 0.25 * w[1]];
    expect(Math.max(...rows)).toBeCloseTo(game.value(), 12);
    let shares = 0;
    game.forEachMultiplier((_label, share) => {
      shares += share;
    });
    expect(shares).toBeCloseTo(1, 12);
  });
});

describe("best weights", () => {
  test("reach the rate that is known for n = 300, 9 peers", () => {
    const optimiser = new WeightOptimiser(new Waves(300, true), 10);
    expect(optimiser.optimise([0, ...shifts])).toBeCloseTo(0.489827, 6);
    expect(optimiser.rate - optimiser.bound).toBeLessThan(1e-9);
    expect(optimiser.weights[0]).toBeCloseTo(0.123825, 5);
  });

  test("no weights nearby are better, and the multipliers say why", () => {
    for (const directed of [true, false]) {
      const asked = { n: 30, degree: 4, directed };
      const design = designOn(asked, directed ? [0, 1, 4, 11, 21] : [0, 4, 9]);
      const { self, weights, rate, certificate } = design;
      expect(rate - certificate.supportBound).toBeLessThan(1e-7);
      expect(supportBound(30, design.shifts, certificate.multipliers)).toBe(certificate.supportBound);
      const random = new RandomStream(1, 1000);
      for (let trial = 0; trial < 50; trial++) {
        const moved = [self, ...weights].map((weight) => weight * (1 + 0.2 * (random.uniform() - 0.5)));
        const sum = moved.reduce((total, weight) => total + weight, 0);
        const [own, ...others] = moved.map((weight) => weight / sum);
        const nearby = circulantRate({ n: 30, self: own, shifts: design.shifts, weights: others }).rate;
        expect(nearby).toBeGreaterThanOrEqual(certificate.supportBound - 1e-12);
      }
    }
  });

  test("stop early at a cutoff that the support cannot reach", () => {
    const optimiser = new WeightOptimiser(new Waves(300, true), 10);
    optimiser.optimise([0, ...shifts], 1e-9, 0.4);
    expect(optimiser.bound).toBeGreaterThanOrEqual(0.4);
    expect(optimiser.bound).toBeLessThanOrEqual(0.48982719);
  });

  test("sum to 1 exactly, in any order", () => {
    const { self, weights } = designOn({ n: 300, degree: 9, directed: true }, [0, ...shifts]);
    expect([self, ...weights].reduce((sum, weight) => sum + weight, 0)).toBe(1);
    expect([self, ...weights].reverse().reduce((sum, weight) => sum + weight, 0)).toBe(1);
  });
});
