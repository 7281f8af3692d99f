/** Learning rates by iteration. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSchedule, defineSchedule, type ScheduleSpec, schedules } from "../../src/algorithm/schedule.ts";
import { InputError } from "../../src/input/input.ts";
import * as option from "../../src/input/option.ts";

describe("the schedules", () => {
  test("a number is constant", () => {
    const rate = createSchedule(0.3);
    expect([rate(0), rate(7), rate(1e6)]).toEqual([0.3, 0.3, 0.3]);
    expect(createSchedule({ name: "constant", rate: 0.3 })(9)).toBe(0.3);
  });

  test("step: the paper's, divided by 1.4 when (t + 1) mod 40 = 0, floor 0.001", () => {
    const rate = createSchedule({ name: "step", rate: 0.037 });
    let gamma = 0.037;
    for (let t = 0; t < 1000; t++) {
      if ((t + 1) % 40 === 0) gamma = Math.max(0.001, gamma / 1.4);
      expect(rate(t)).toBe(gamma);
    }
    expect(rate(999)).toBe(0.001);
  });

  test("step: a rate below the usual floor is its own floor", () => {
    expect(createSchedule({ name: "step", rate: 0.0005 })(1000)).toBe(0.0005);
  });

  test("warm-up: rises in equal steps, then goes over to the next schedule", () => {
    const rate = createSchedule({
      name: "warm-up",
      rate: 0.8,
      steps: 4,
      after: { name: "step", rate: 0.8, factor: 2, every: 3, floor: 0.1 },
    });
    expect([0, 1, 2, 3, 4, 5, 6, 9].map(rate)).toEqual([0.2, 0.4, 0.6000000000000001, 0.8, 0.8, 0.8, 0.4, 0.2]);
    expect(createSchedule({ name: "warm-up", rate: 0.8, steps: 2 })(50)).toBe(0.8);
  });

  test("cosine: from the rate to the floor, half-way in the middle", () => {
    const rate = createSchedule({ name: "cosine", rate: 1, rounds: 100, floor: 0.2 });
    expect(rate(0)).toBe(1);
    expect(rate(50)).toBeCloseTo(0.6, 14);
    for (let t = 0; t < 100; t++) expect(rate(t)).toBeCloseTo(0.2 + 0.4 * (1 + Math.cos((Math.PI * t) / 100)), 8);
    expect([rate(100), rate(5000)]).toEqual([0.2, 0.2]);
    expect(createSchedule({ name: "cosine", rate: 1, rounds: 10 })(10)).toBe(0.01);
  });

  test("all are positive and never above the rate", () => {
    const positive = fc.double({ min: 1e-6, max: 10, noNaN: true });
    const some: fc.Arbitrary<ScheduleSpec> = fc.oneof(
      positive.map((rate): ScheduleSpec => ({ name: "constant", rate })),
      fc
        .record({ rate: positive, every: fc.integer({ min: 1, max: 50 }) })
        .map((s): ScheduleSpec => ({ name: "step", ...s })),
      fc
        .record({ rate: positive, steps: fc.integer({ min: 1, max: 50 }) })
        .map((s): ScheduleSpec => ({ name: "warm-up", ...s })),
      fc
        .record({ rate: positive, rounds: fc.integer({ min: 1, max: 50 }) })
        .map((s): ScheduleSpec => ({ name: "cosine", ...s })),
    );
    fc.assert(
      fc.property(some, fc.nat(200), (spec, t) => {
        const gamma = createSchedule(spec)(t);
        return gamma > 0 && gamma <= (spec as unknown as { rate: number }).rate * (1 + 1e-15);
      }),
    );
  });
});

test("the paper's course for CIFAR-10 takes n and the length of an epoch from the run", () => {
  const rate = createSchedule("cifar10", { n: 17, epoch: 100 });
  expect(rate(0)).toBeCloseTo(0.1 * (1 + 16 / 500), 15);
  expect(rate(499)).toBeCloseTo(1.7, 12);
  expect([rate(500), rate(5000), rate(10_000), rate(12_000)].map((g) => g.toPrecision(4))).toEqual([
    "0.1700",
    "0.01700",
    "0.001700",
    "0.0001700",
  ]);
  const fifth = createSchedule({ name: "cifar10", epochs: 26 }, { n: 17, epoch: 100 });
  for (const t of [0, 99, 100, 1000, 2399, 2400]) expect(fifth(t)).toBe(rate(5 * t));
  expect(() => createSchedule("cifar10", { n: 17 })).toThrow(/cifar10 needs a problem with epochs/);
});

test("a schedule of your own stands beside the others", () => {
  schedules.add(
    defineSchedule({
      name: "one-over-t",
      summary: "rate / (t + 1)",
      options: { rate: option.required(option.positive(0.1)) },
      create:
        ({ rate }) =>
        (t) =>
          rate / (t + 1),
    }),
  );
  expect(createSchedule({ name: "warm-up", rate: 1, steps: 2, after: { name: "one-over-t", rate: 8 } })(5)).toBe(2);
  expect(() => createSchedule({ name: "one-over-t" })).toThrow(/rate must be a positive number, got nothing/);
});

describe("refused", () => {
  const refused = (spec: unknown, message: RegExp) => {
    expect(() => createSchedule(spec as ScheduleSpec)).toThrow(InputError);
    expect(() => createSchedule(spec as ScheduleSpec)).toThrow(message);
  };

  test.each([
    [0, /learningRate must be a positive number, got 0; try learningRate = 0.01/],
    ["fast", /learningRate must be a positive number/],
    [null, /learningRate must be a positive number/],
    [Number.POSITIVE_INFINITY, /must be a positive number/],
    [{ name: "stpe", rate: 1 }, /did you mean step\?/],
    [{ name: "step" }, /rate must be a positive number, got nothing/],
    [{ name: "step", rate: 1, factor: 0.5 }, /factor, what the rate is divided by, must be above 1/],
    [{ name: "step", rate: 1, evry: 3 }, /did you mean every\?/],
    [{ name: "step", rate: 1, every: 0 }, /every must be an integer of at least 1/],
    [{ name: "step", rate: 1, floor: 2 }, /floor must lie in \(0, 1\]/],
    [{ name: "warm-up", rate: 1 }, /steps must be an integer/],
    [{ name: "warm-up", rate: 1, steps: 2, after: { name: "cosine", rate: 1 } }, /rounds must be an integer/],
    [{ name: "cosine", rate: 1, rounds: 10, floor: 0 }, /floor must lie in \(0, 1\]/],
  ])("%j", refused);
});
