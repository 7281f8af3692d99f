/** Asynchronous push-sum keeps what its nodes hold together, on graphs without own weights and where messages overtake. */

import { describe, expect, test } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import { customProblem } from "../../../src/problem/custom.ts";
import type { Step } from "../../../src/run/async/history.ts";
import { createInbox } from "../../../src/run/async/inbox.ts";
import { replay } from "../../../src/run/async/replay.ts";
import { divergedAt } from "../../../src/run/diverged.ts";
import { runSpec } from "../../../src/run/run.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import type { TopologySpec } from "../../../src/topology/topology.ts";

/** In its first iteration every node adds its own number to its share; the mean is what all are to agree on. */
function averaged(spec: TopologySpec, rounds: number, delays: readonly number[], alpha: number) {
  const topology = createTopology(spec);
  const { n } = topology;
  const problem = customProblem({
    ...{ n, d: 1, start: Float64Array.of(0) },
    gradient: (_x, i, t, out) => {
      out[0] = t === 0 ? -i : 0;
    },
  });
  const optimiser = createAlgorithm({ name: "push-sum", learningRate: 1 });
  const history: Step[][] = Array.from({ length: n }, () => []);
  const mode = { maxStale: 8 };
  const { x } = simulate({
    ...{ topology, problem, algorithm: optimiser, rounds, every: rounds, seed: 1, latency: { alpha, beta: 0, delays } },
    async: { ...mode, onStep: (rank, step) => history[rank].push(step) },
  });
  // What a node keeps because hardly any weight is left, nobody receives.
  for (const [rank, steps] of history.entries()) {
    for (const [from, round] of steps.flatMap(({ used }) => used)) {
      expect(history[from].find((step) => step.round === round)?.kept ?? []).not.toContain(rank);
    }
  }
  const again = replay({ topology, problem, optimiser, seed: 1, type: "float64", mode, history });
  return { x, again, history, topology };
}

const spread = (n: number, least: number, most: number) =>
  Array.from({ length: n }, (_, i) => least + ((most - least) * ((7 * i) % n)) / (n - 1));

describe("graphs without own weights", () => {
  test.each([
    { name: "de-bruijn", n: 8 },
    { name: "designed-static", n: 9, self: 0, shifts: [1, 3], weights: [0.5, 0.5] },
  ])("$name: models stay numbers, and nodes find the mean", (spec) => {
    const { x, again, topology } = averaged(spec, 400, spread(spec.n, 0.8, 1.3), 0.05);
    expect([...x].every(Number.isFinite)).toBe(true);
    expect([...again.x]).toEqual([...x]);
    expect(again.sums?.weights).toBeCloseTo(topology.n, 10);
    for (const value of x) expect(value).toBeCloseTo((topology.n - 1) / 2, 6);
  });

  test("a run of a spec has not diverged, so that nobody is advised another learning rate", () => {
    const [run] = expandSpec({
      topologies: [{ name: "de-bruijn", n: 8 }],
      algorithms: [{ name: "push-sum", learningRate: 0.01 }],
      problem: { name: "least-squares", K: 8 },
      ...{ rounds: 200, mode: "async", latency: { alpha: 0.05, beta: 0, delays: spread(8, 0.8, 1.3) } },
    });
    const result = runSpec(run);
    expect(divergedAt({ ...result, metric: "relativeError" })).toBeUndefined();
    const { relativeError } = result.metrics;
    expect(relativeError.at(-1)).toBeLessThan(0.2 * relativeError[0]);
  });
});

test("a share that a later one of its sender overtakes is counted all the same", () => {
  const spec = { name: "base", n: 30, k: 4, relabel: true };
  const { x, again, history, topology } = averaged(spec, 300, spread(30, 0.05, 0.11), 0.3);
  const counted = new Set(
    history.flatMap((steps, to) => steps.flatMap(({ used }) => used.map((one) => `${one} ${to}`))),
  );
  const newest = new Map<string, number>();
  for (const [to, steps] of history.entries()) {
    for (const [from, round] of steps.flatMap(({ used }) => used)) {
      newest.set(`${from} ${to}`, Math.max(round, newest.get(`${from} ${to}`) ?? -1));
    }
  }
  let sent = 0;
  let used = 0;
  const passed: string[] = [];
  for (const [from, steps] of history.entries()) {
    for (const { round, kept = [] } of steps) {
      if (round === undefined) continue;
      for (const { node: to } of topology.peers(round, from).to) {
        if (kept.includes(to)) continue;
        sent++;
        if (counted.has(`${[from, round]} ${to}`)) used++;
        // Only what nothing newer has come after may be on its way.
        if (!counted.has(`${[from, round]} ${to}`) && round < (newest.get(`${from} ${to}`) ?? -1))
          passed.push(`${from} ${round} ${to}`);
      }
    }
  }
  expect(sent).toBeGreaterThan(5000);
  expect(passed).toEqual([]);
  expect(again.sums?.uncounted).toBe(sent - used);
  expect(again.sums?.held).toBeGreaterThan(10);
  expect(again.sums?.held).toBeLessThan(30);
  expect([...again.x]).toEqual([...x]);
  for (const value of x) expect(value).toBeCloseTo(14.5, 6);
});

test("an inbox counts a share once, whatever comes before or after it, and remembers a bounded number", () => {
  const topology = createTopology({ name: "ring", n: 3 });
  const inbox = createInbox("shares", { topology, rank: 0, maxStale: 8 });
  const one = [Float64Array.of(3)];
  const put = (round: number) => inbox.put(1, round, one);
  expect([put(5), put(3), put(5), put(3), put(4)]).toEqual([true, true, false, false, true]);
  for (let round = 10; round < 5000; round++) expect(put(round)).toBe(true);
  // So far behind nobody can say whether it was counted.
  expect([put(6), put(10), put(4990), put(5001), put(5000)]).toEqual([false, false, false, true, true]);
  const y = [new Float64Array(1)];
  const used = inbox.mix(0, [Float64Array.of(0)], y);
  expect(used).toHaveLength(3 + 4990 + 2);
  expect(y[0][0]).toBeCloseTo(used.length, 6);
});
