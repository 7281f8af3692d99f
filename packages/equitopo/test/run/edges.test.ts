/** Counting, stopping and averaging in the cases that whole runs seldom tell apart. */

import { expect, test } from "vitest";
import type { Liars } from "../../src/faults/liars.ts";
import { Network } from "../../src/faults/network.ts";
import { splitStale } from "../../src/faults/stale.ts";
import { leastSquares } from "../../src/problem/least-squares.ts";
import { unmarkUnheard } from "../../src/round/messages.ts";
import { plainMixer } from "../../src/round/mixer.ts";
import { averager, evaluator } from "../../src/run/average.ts";
import { driftOf } from "../../src/run/drift.ts";
import { gossip } from "../../src/run/gossip.ts";
import { gossipSteps } from "../../src/run/gossip-steps.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";

const n = 12;

test("errors are distances to the mean of the start, unless those to the mean of now are asked for", () => {
  const lossy = { d: 2, rounds: 40, seed: 2, drop: 0.4 };
  const [start, now] = (["start", "now"] as const).map((around) => gossip(odEquiDyn({ n }), { ...lossy, around }));
  // Nodes come to agree, on a mean that was moved.
  expect(now.errors[40]).toBeLessThan(1e-3 * now.errors[0]);
  expect(start.errors[40]).toBeGreaterThan(0.01 * start.errors[0]);
  // Push-sum cannot measure on the way; its distances are those to the mean of the start all the same.
  const sums = gossip(odEquiDyn({ n }), { ...lossy, rounds: 3, pushSum: true });
  const steps = gossipSteps(odEquiDyn({ n }), { ...lossy, pushSum: true });
  const x = Array.from(Array.from({ length: 4 }, () => steps.take().x)[3]);
  const far = x.reduce((sum, value, k) => sum + (value - steps.mean[k % 2]) ** 2, 0);
  expect(sums.errors[3]).toBeCloseTo(Math.sqrt(far), 9);
  const moved = x.reduce((sum, _, k) => {
    const mean = x.filter((__, other) => other % 2 === k % 2).reduce((all, value) => all + value / n, 0);
    return sum + (x[k] - mean) ** 2;
  }, 0);
  expect(Math.abs(moved - far)).toBeGreaterThan(1e-6);
});

test("push-sum sends a weight beside its numbers", () => {
  const bytes = (pushSum: boolean) => gossip(odEquiDyn({ n }), { d: 3, rounds: 5, pushSum }).bytesPerNode;
  expect([bytes(false), bytes(true)]).toEqual([5 * 24, 5 * 32]);
});

test("the drift of the mean is a share of its size", () => {
  const x0 = Array.from({ length: n }, (_, i) => 1000 + i);
  const { meanDrift } = gossip(odEquiDyn({ n }), { d: 1, rounds: 20, drop: 0.5, x0, seed: 1 });
  expect(meanDrift).toBeGreaterThan(1e-6);
  expect(meanDrift).toBeLessThan(0.011);
});

test("gossip stops as soon as the goal is met, and not later", () => {
  const whole = gossip(ring({ n }), { d: 2, rounds: 300 }).errors;
  for (const until of [0.5, 0.1, 0.01]) {
    const { errors } = gossip(ring({ n }), { d: 2, rounds: 300, until });
    expect(errors.length - 1).toBe(whole.findIndex((error) => error <= until * whole[0]));
  }
});

test("evaluations leave out what liars hold and find", () => {
  const marks = Uint8Array.from({ length: n }, (_, i) => Number(i === 4));
  const average = averager(plainMixer(n), marks);
  const means = average(Float64Array.from({ length: n }, (_, i) => (i === 4 ? 1e6 : 3)));
  expect(means[0]).toBeCloseTo(3, 9);
  const problem = {
    ...quadratic({ n, d: 1 }),
    evaluation: {
      *tally() {
        return Array.from({ length: n }, (_, i) => ({ own: i === 4 ? 1e6 : 1 }));
      },
      summarise: (tallies: readonly { readonly own?: number }[]) => ({
        sum: tallies.reduce((sum, { own = 0 }) => sum + own, 0),
      }),
    },
  } as never as Parameters<typeof evaluator>[0];
  expect(evaluator(problem, plainMixer(n), { marks } as Liars)(new Float64Array(n), 1, true)).toEqual({ sum: n - 1 });
});

test("drift adds up over exchanges", () => {
  const drift = driftOf(2, 1);
  for (const by of [1, 2, 4]) drift.over(Float64Array.of(0, 0), () => Float64Array.of(by, by));
  expect(drift.distance).toBe(7);
});

test("stale messages are one round old, own weights of this one", () => {
  const split = splitStale(ring({ n: 5 }).round(0), (from, to) => from === 1 && to === 2);
  expect(Array.from(split?.stale.self ?? [])).toEqual([0, 0, 0, 0, 0]);
  expect(split?.fresh.self[2]).toBeCloseTo(1 / 3, 15);
});

test("who has no partner in a round hears nobody", () => {
  const round = { kind: "matching" as const, n: 3, partner: Int32Array.of(1, 0, 2), weight: 0.5 };
  const heard = new Uint8Array(3).fill(1);
  unmarkUnheard(round, heard);
  expect([...heard]).toEqual([1, 1, 0]);
  const dropped = new Network(createTopology({ name: "ceca-1p", n: 8 }), { drop: 0.5 }, 3).passage(0).round;
  const all = new Uint8Array(8).fill(1);
  unmarkUnheard(dropped, all);
  expect(all.reduce((sum, mark) => sum + mark, 0)).toBeLessThan(8);
});

test("b is the root mean square of the gradients at the solution", () => {
  const problem = leastSquares({ n, d: 3, K: 8, sigmaH: 1, seed: 4, sigmaN: 0 });
  const at = Float64Array.from({ length: 3 * n }, (_, k) => problem.solution()[k % 3]);
  const out = new Float64Array(3 * n);
  problem.gradient(at, 0, out, 0, n);
  expect(problem.constants().b).toBeCloseTo(Math.sqrt(out.reduce((sum, value) => sum + value * value, 0) / n), 9);
});
