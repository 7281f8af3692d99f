/** The modelled clock of asynchronous rounds, second by second, and the order of what happens on it. */

import { describe, expect, test } from "vitest";
import { createAlgorithm } from "../../../src/algorithm/registry.ts";
import type { Latency } from "../../../src/faults/latency.ts";
import { customProblem } from "../../../src/problem/custom.ts";
import { Agenda } from "../../../src/run/async/agenda.ts";
import type { Step } from "../../../src/run/async/history.ts";
import { createInbox } from "../../../src/run/async/inbox.ts";
import { asyncNode } from "../../../src/run/async/node.ts";
import { paceOf } from "../../../src/run/async/pace.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import { ring } from "../../../src/topology/ring.ts";

const still = (n: number) => {
  const gradient = (_x: unknown, _i: number, _t: number, out: { [k: number]: number }) => {
    out[0] = 1;
  };
  return customProblem({ n, d: 1, start: Float64Array.of(0), gradient });
};

function seconds(n: number, latency: Latency, rounds: number, more: object = {}) {
  const steps: { rank: number; step: Step; seconds: number }[] = [];
  const record = simulate({
    ...{ topology: ring({ n }), problem: still(n), algorithm: { name: "dsgd", learningRate: 0.1 }, rounds, latency },
    async: { maxStale: 8, onStep: (rank, step, at) => steps.push({ rank, step, seconds: at }) },
    ...more,
  });
  return { steps, record, of: (rank: number) => steps.filter((one) => one.rank === rank) };
}

describe("a ring of five, a second a message", () => {
  const five = seconds(5, { alpha: 1, beta: 0 }, 6);

  test("an iteration takes as long as its two messages, where nothing else takes longer", () => {
    for (let rank = 0; rank < 5; rank++) {
      expect(five.of(rank).map((one) => one.seconds)).toEqual([2, 4, 6, 8, 10, 12]);
    }
  });

  test("the k-th message arrives k seconds after it was sent", () => {
    // The first goes to i + 1, the second to i - 1: at 4 s both are there, sent at 2 s; with half the time only one is.
    expect(
      five
        .of(0)[1]
        .step.used.map(([from]) => from)
        .sort(),
    ).toEqual([1, 4]);
    const slow = seconds(5, { alpha: 1, beta: 0, delays: [2, 3.5, 2, 2, 2] }, 6);
    const second = slow.of(1)[1];
    expect(second.seconds).toBe(7);
    // Node 1 looks for the first time at 3.5 s: of what was sent at 2 s, the first messages (3 s) are there.
    const first = slow.of(1)[0];
    const receivers = ring({ n: 5 })
      .peers(1, 0)
      .to.map(({ node }) => node);
    expect(first.seconds).toBe(3.5);
    const early = [0, 2].filter((from) => ring({ n: 5 }).peers(1, from).to[0].node === 1);
    expect(first.step.used.map(([from]) => from)).toEqual(early);
    expect(receivers).toContain(1);
  });

  test("bytes and messages are those of the node that sent most, a second a byte", () => {
    expect(five.record.bytes.at(-1)).toBe(6 * 2 * 8);
    expect(five.record.messages.at(-1)).toBe(12);
    const heavy = seconds(5, { alpha: 0, beta: 0.25 }, 2);
    expect(heavy.of(3).map((one) => one.seconds)).toEqual([4, 8]);
  });

  test("a delay above the time of the messages counts in its place, not beside it", () => {
    const late = seconds(5, { alpha: 1, beta: 0, delays: [1, 2, 3, 2.5, 0] }, 2);
    const firsts = [0, 1, 2, 3, 4].map((rank) => late.of(rank)[0].seconds);
    expect(firsts).toEqual([2, 2, 3, 2.5, 2]);
  });

  test("stragglers come about as often as they are to", () => {
    const straggler = { probability: 0.25, seconds: 100 };
    const { steps } = seconds(5, { alpha: 1, beta: 0, straggler }, 200);
    const own = steps.filter(({ rank }) => rank === 2).map((one) => one.seconds);
    const late = own.filter((at, k) => at - (own[k - 1] ?? 0) >= 100).length;
    expect(late / own.length).toBeGreaterThan(0.1);
    expect(late / own.length).toBeLessThan(0.45);
  });
});

test("a node that has nothing to send still takes the time of one message", () => {
  const topology = createTopology({ name: "ou-equidyn", n: 5, seed: 1 });
  const { steps } = seconds(5, { alpha: 1, beta: 0 }, 8, { topology });
  const own = steps.filter(({ rank }) => rank === 0).map((one) => one.seconds);
  expect(own.every((at, k) => at - (own[k - 1] ?? 0) === 1)).toBe(true);
});

describe("the pace", () => {
  test("of two nodes: the other one's round is followed at once", () => {
    const pace = paceOf(2, 100);
    pace.heard(1, 7);
    expect(pace.reached).toBe(7);
    expect(pace.next(0, true)).toBe(7);
  });

  test("of more: a single one that runs ahead carries nobody along", () => {
    const pace = paceOf(5, 100);
    pace.heard(1, 50);
    expect(pace.reached).toBe(-1);
    expect(pace.next(0, true)).toBe(1);
    pace.heard(2, 9);
    expect(pace.reached).toBe(9);
    expect(pace.next(0, true)).toBe(9);
    expect(pace.next(0, true, 4)).toBe(4);
    pace.heard(3, 60);
    expect(pace.next(0, true)).toBe(50);
  });

  test("of the foremost: it stays until another has done its last round, a round longer where it hears nobody", () => {
    const pace = paceOf(5, 100);
    pace.heard(1, 3);
    pace.heard(2, 3);
    expect(pace.next(3, true)).toBe(4);
    expect(pace.next(4, true)).toBeUndefined();
    expect(pace.next(4, false)).toBe(5);
    expect(pace.next(5, false)).toBeUndefined();
    pace.heard(1, 4);
    expect(pace.next(4, true)).toBe(5);
  });

  test("of one that is alone: it goes on after 64 iterations without news, and waits as long again after some", () => {
    const pace = paceOf(3, 1000);
    const waits = () => {
      let count = 0;
      while (count < 1000 && pace.next(10, true) === undefined) count++;
      return count;
    };
    expect(waits()).toBe(64);
    expect(pace.next(11, true)).toBe(12);
    pace.heard(1, 2);
    expect(waits()).toBe(64);
  });
});

test("an agenda hands out what comes first, of two at once that of the lower rank", () => {
  const agenda = new Agenda<{ time: number; rank: number }>();
  const entries = Array.from({ length: 200 }, (_, k) => ({ time: (k * 37) % 11, rank: (k * 53) % 29 }));
  for (const entry of entries) agenda.add(entry);
  const order: [number, number][] = [];
  for (let next = agenda.take(); next !== undefined; next = agenda.take()) order.push([next.time, next.rank]);
  const sorted = entries
    .map(({ time, rank }): [number, number] => [time, rank])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  expect(order).toEqual(sorted);
});

describe("compensated steps", () => {
  test("a gradient counts for the rounds that the node's last sixteen iterations took each", () => {
    const n = 5;
    const steps: number[] = [];
    const problem = still(n);
    const optimiser = createAlgorithm({ name: "dsgd", learningRate: 1 });
    const mode = { maxStale: 8, compensate: true as const };
    const node = asyncNode({ topology: ring({ n }), problem, optimiser, seed: 0, type: "float64", mode, rank: 0 });
    // Every third round at first, then every one: nobody is heard, so that x moves by the step alone.
    const rounds = [2, 5, 8, 11, 14, ...Array.from({ length: 20 }, (_, k) => 15 + k)];
    for (const round of rounds) {
      const before = node.state.x[0];
      node.compute();
      node.exchange(round);
      steps.push(before - node.state.x[0]);
    }
    // The first began at round -1 as the second began at 2: three rounds for one iteration.
    expect(steps.slice(0, 5)).toEqual([1, 3, 3, 3, 3]);
    expect(steps[5]).toBeCloseTo(15 / 5, 12);
    expect(steps[6]).toBeCloseTo(16 / 6, 12);
    // A window of sixteen iterations later only single rounds are left.
    expect(steps.at(-1)).toBeCloseTo(1, 12);
  });
});

test("of models the newest of each sender counts, as long as it is not older than maxStale", () => {
  const inbox = createInbox("models", { topology: ring({ n: 3 }), rank: 0, maxStale: 3 });
  const put = (from: number, round: number, value: number) => inbox.put(from, round, [Float64Array.of(value)]);
  expect([put(1, 5, 10), put(1, 3, 99), put(1, 5, 99), put(2, 2, 20)]).toEqual([true, false, false, true]);
  const y = [new Float64Array(1)];
  expect(inbox.mix(5, [Float64Array.of(1)], y).toSorted()).toEqual([
    [1, 5],
    [2, 2],
  ]);
  expect(y[0][0]).toBeCloseTo((1 + 10 + 20) / 3, 12);
  // A round later node 2 is too old, and its weight stays here.
  expect(inbox.mix(6, [Float64Array.of(1)], y)).toEqual([[1, 5]]);
  expect(y[0][0]).toBeCloseTo((2 + 10) / 3, 12);
});
