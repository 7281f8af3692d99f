/** A run done again from its history: the same bits, the rules kept, and for shares the sums. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { leastSquares } from "../../../src/problem/least-squares.ts";
import type { History, Step, Used } from "../../../src/run/async/history.ts";
import { replay } from "../../../src/run/async/replay.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { createTopology } from "../../../src/topology/registry.ts";

const n = 7;
const problem = leastSquares({ n, d: 4, K: 8, seed: 3 });

interface Made {
  readonly algorithm: string;
  readonly topology?: string;
  readonly delays?: readonly number[];
  readonly drop?: number;
  readonly compensate?: true;
  readonly type?: "float64" | "float32";
}

function make({ algorithm, topology: name = "od-equidyn", delays, drop = 0, compensate, type = "float64" }: Made) {
  const topology = createTopology({
    ...{ name, n, ...(name.includes("equi") ? { seed: 5 } : {}) },
    ...(name.includes("static") ? { m: 2 } : {}),
  });
  const optimiser = createAlgorithm({ name: algorithm, learningRate: 0.01 });
  const mode = { maxStale: 3, ...(compensate === undefined ? {} : { compensate }) };
  const history: Step[][] = Array.from({ length: n }, () => []);
  const record = simulate({
    ...{ topology, problem, algorithm: optimiser, rounds: 60, every: 60, seed: 6, faults: { drop } },
    latency: { alpha: 0.3, beta: 0, delays: delays ?? [1, 1.1, 0.9, 5, 1, 1.3, 0.7] },
    async: { ...mode, type, onStep: (rank, step) => history[rank].push(step) },
  });
  return { record, history, setting: { topology, problem, optimiser, seed: 6, type, mode, drop } };
}

describe("replay", () => {
  test.each([
    ...["dsgd", "dmsgd", "qg-dsgdm", "d-adam", "epidemic", "push-sum"].map((algorithm) => ({ algorithm })),
    ...["ou-equidyn", "d-equistatic", "ring", "complete"].map((topology) => ({ algorithm: "dsgd", topology })),
    { algorithm: "dsgd", compensate: true, drop: 0.2, type: "float32" },
    { algorithm: "push-sum", topology: "d-equistatic", drop: 0.2, type: "float32" },
  ] as Made[])("%j: the rows of the run, to the last bit", (made) => {
    const { record, history, setting } = make(made);
    expect([...replay({ ...setting, history }).x]).toEqual([...record.x]);
  });

  test("shares are counted once: sums of values and weights stay, those on their way and lost ones included", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.2, max: 8, noNaN: true }), { minLength: n, maxLength: n }),
        fc.constantFrom("od-equidyn", "ou-equidyn", "d-equistatic", "star"),
        fc.constantFrom(0, 0.3),
        (delays, topology, drop) => {
          const { history, setting } = make({ algorithm: "push-sum", topology, delays, drop });
          const { sums } = replay({ ...setting, history });
          expect(sums?.weights).toBeCloseTo(n, 10);
          expect(sums?.error).toBeLessThan(1e-13);
        },
      ),
      { numRuns: 12, seed: 1 },
    );
  });

  test("a history that breaks the rules is refused", () => {
    const { history, setting } = make({ algorithm: "dsgd" });
    const edited = (edit: (step: Step) => Step | undefined): History => {
      let done = false;
      return history.map((steps) =>
        steps.map((step) => {
          const other = done ? undefined : edit(step);
          done ||= other !== undefined;
          return other ?? step;
        }),
      );
    };
    const instead =
      (least: number, other: (from: number) => Used) =>
      ({ round = -1, used }: Step) =>
        used.length > 0 && round > least ? { round, used: [other(used[0][0])] } : undefined;
    const broken = [
      // Something too old; something that was not its partner's; something that nobody had sent.
      edited(instead(20, (from) => [from, 2])),
      edited(instead(5, (from) => [(from + 1) % n, 0])),
      edited(instead(30, (from) => [from, 10 ** 6])),
    ];
    for (const wrong of broken)
      expect(() => replay({ ...setting, history: wrong })).toThrow(/must be those that it could use/);
    const twice = make({ algorithm: "push-sum" });
    const counted = twice.history.map((steps) =>
      steps.map((step) => ({ ...step, used: step.used.flatMap((used) => [used, used]) })),
    );
    expect(() => replay({ ...twice.setting, history: counted })).toThrow(/must be those that it could use/);
  });
});
