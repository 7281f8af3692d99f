/** Asynchronous rounds in the simulator, on its modelled clock. */

import { describe, expect, test } from "vitest";
import { StaleMixer, splitStale } from "../../../src/faults/stale.ts";
import { leastSquares } from "../../../src/problem/least-squares.ts";
import { plainMixer } from "../../../src/round/mixer.ts";
import type { Step } from "../../../src/run/async/history.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { createTopology } from "../../../src/topology/registry.ts";

const n = 9;
const problem = leastSquares({ n, d: 5, K: 8, seed: 3 });
const algorithm = { name: "dsgd", learningRate: 0.01 };

/** Every node's delay in seconds, and messages that take a twentieth of the least. */
const latency = (delays: readonly number[]) => ({ alpha: 0.05, beta: 0, delays });
const equal = latency(new Array(n).fill(1));
const oneSlow = latency(Array.from({ length: n }, (_, i) => (i === 4 ? 10 : 1)));

function stepsOf(delays: typeof equal, name = "od-equidyn", rounds = 100) {
  const steps: { rank: number; step: Step; seconds: number }[] = [];
  const topology = createTopology({ name, n, ...(name === "ring" ? {} : { seed: 2 }) });
  const onStep = (rank: number, step: Step, seconds: number) => steps.push({ rank, step, seconds });
  const record = simulate({
    topology,
    problem,
    algorithm,
    rounds,
    every: 50,
    latency: delays,
    async: { maxStale: 4, onStep },
  });
  return { steps, record };
}

describe("asynchronous rounds in the simulator", () => {
  test("nodes in step average with what the others had one round before: stale messages, to the last bit", () => {
    const rounds = 40;
    const topology = createTopology({ name: "od-equidyn", n, seed: 2 });
    const { record } = stepsOf(equal, "od-equidyn", rounds);
    const { d } = problem;
    const mixer = new StaleMixer(plainMixer(n));
    const gradient = new Float64Array(n * d);
    let x = new Float64Array(n * d);
    for (let t = 0; t < rounds; t++) {
      problem.gradient(x, t, gradient, 0, n);
      for (let k = 0; k < x.length; k++) x[k] -= algorithm.learningRate * gradient[k];
      // Nothing has come before the first round.
      if (t === 0) mixer.earlier = x.slice();
      else
        x = mixer.mix(
          topology.round(t),
          splitStale(topology.round(t), () => true),
          x,
        ) as typeof x;
    }
    expect([...record.x]).toEqual([...x]);
  });

  test("a node ten times as slow holds up nobody, and does a tenth of the iterations in the others' rounds", () => {
    const { steps, record } = stepsOf(oneSlow);
    const slow = steps.filter(({ rank }) => rank === 4);
    expect(slow.length).toBeLessThan(20);
    expect(record.seconds.at(-1)).toBeLessThan(200);
    // Whenever it is through, it exchanges as a round that others were doing then.
    for (const { step, seconds } of slow.slice(1)) {
      const others = steps.filter((other) => other.rank !== 4 && other.seconds <= seconds);
      const front = Math.max(...others.map((other) => other.step.round ?? 0));
      expect(front - (step.round as number)).toBeLessThanOrEqual(6);
    }
  });

  test("nothing older than maxStale is used, and no round twice by one node", () => {
    const { steps } = stepsOf(oneSlow, "ring", 200);
    const ages = steps.flatMap(({ step }) => step.used.map(([, sent]) => (step.round as number) - sent));
    expect(ages.length).toBeGreaterThan(500);
    expect(Math.max(...ages)).toBe(4);
    for (let rank = 0; rank < n; rank++) {
      const rounds = steps.flatMap((each) => (each.rank === rank ? [each.step.round ?? -1] : [])).filter((r) => r >= 0);
      expect(new Set(rounds).size).toBe(rounds.length);
      expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
    }
  });

  test("nobody runs away: the fastest is never far ahead of what it can hear", () => {
    const { steps } = stepsOf(latency(Array.from({ length: n }, (_, i) => (i === 0 ? 0.3 : 1))));
    const fast = steps.filter(({ rank }) => rank === 0);
    // It goes on computing, by itself, while the others do their rounds, and hears somebody in most of its own.
    expect(fast.length).toBeGreaterThan(200);
    const exchanged = fast.filter(({ step }) => step.round !== undefined);
    expect(exchanged.filter(({ step }) => step.used.length > 0).length).toBeGreaterThan(0.5 * exchanged.length);
  });

  test("one that hears nobody ends all the same", () => {
    const topology = createTopology({ name: "ring", n });
    const setting = { topology, problem, algorithm, rounds: 20, latency: equal, async: { maxStale: 4 } };
    const { updates } = simulate({ ...setting, faults: { drop: 1 } });
    expect(updates.at(-1)).toBe(20);
  });

  test("a clock on which nothing takes any time is refused", () => {
    const topology = createTopology({ name: "ring", n });
    const still = { alpha: 0, beta: 0 };
    const run = () => simulate({ topology, problem, algorithm, rounds: 2, latency: still, async: { maxStale: 4 } });
    expect(run).toThrow(/need a clock/);
  });
});
