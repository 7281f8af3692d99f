import { describe, expect, test } from "vitest";
import { isDropped } from "../../src/faults/chance.ts";
import { crashedAt } from "../../src/faults/outages.ts";
import { createTopology, gossip, InputError, odEquiDyn, ouEquiDyn, ring, topologies } from "../../src/index.ts";
import { thinRound } from "../../src/internal/faults.ts";
import { denseMatrix } from "../../src/round/index.ts";

const n = 32;
const everyFamily = topologies
  .filter((family) => family.refuses?.(n) === undefined)
  .map((family) => createTopology({ name: family.name, n }));
const undirected = everyFamily.filter((topology) => topology.symmetric).map((t) => [t.name, t] as const);
const directed = everyFamily.filter((topology) => !topology.symmetric).map((t) => [t.name, t] as const);
const crash = [
  { node: 3, from: 2, until: 9 },
  { node: 5, from: 0 },
];

const sums = (w: Float64Array, along: "rows" | "columns") =>
  Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += along === "rows" ? w[i * n + j] : w[j * n + i];
    return sum;
  });

describe("undirected rounds", () => {
  test.each(undirected)("%s keeps the exact mean whatever is dropped", (_, topology) => {
    const { errors, meanDrift } = gossip(topology, { d: 4, rounds: 200, drop: 0.3, crash, seed: 1 });
    expect(meanDrift).toBeLessThan(1e-12);
    expect(errors[200]).toBeLessThan(errors[0]);
  });

  test.each(undirected)("%s stays symmetric and doubly stochastic", (_, topology) => {
    const dropped = (from: number, to: number) => isDropped(0.4, 7, 1, from, to, true);
    const w = denseMatrix(thinRound(topology.round(1), dropped, "receiver"));
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) expect(w[i * n + j]).toBe(w[j * n + i]);
    for (const sum of sums(w, "rows")) expect(sum).toBeCloseTo(1, 12);
  });
});

describe("directed rounds", () => {
  test.each(directed)("%s: the receiver keeps the weight, so rows sum to 1 and the mean drifts", (_, topology) => {
    const dropped = (from: number, to: number) => isDropped(0.4, 7, 1, from, to, false);
    const w = denseMatrix(thinRound(topology.round(1), dropped, "receiver"));
    for (const sum of sums(w, "rows")) expect(sum).toBeCloseTo(1, 12);
    const { errors, meanDrift } = gossip(topology, { d: 4, rounds: 400, drop: 0.3, seed: 1 });
    expect(meanDrift).toBeGreaterThan(1e-3);
    // All agree, but not on the mean.
    expect(errors[400]).toBeGreaterThan(1e-3);
    expect(Math.abs(errors[400] - errors[399])).toBeLessThan(1e-9);
  });

  // Push-sum needs columns that sum to 1, and one vector a node.
  const pushed = directed.filter(([, { stochastic, pair }]) => stochastic !== "rows" && pair === undefined);
  test.each(pushed)("%s: with push-sum the sender keeps it, and the ratio finds the true mean", (_, topology) => {
    const dropped = (from: number, to: number) => isDropped(0.4, 7, 1, from, to, false);
    const w = denseMatrix(thinRound(topology.round(1), dropped, "sender"));
    for (const sum of sums(w, "columns")) expect(sum).toBeCloseTo(1, 12);
    const short = [{ node: 3, from: 2, until: 9 }];
    const { errors, meanDrift } = gossip(topology, { d: 4, rounds: 400, drop: 0.3, crash: short, pushSum: true });
    expect(errors[400]).toBeLessThan(1e-10);
    expect(meanDrift).toBeLessThan(1e-11);
  });
});

describe("dropped messages", () => {
  test("come as often as asked, and the same for the same seed", () => {
    let count = 0;
    for (let from = 0; from < 200; from++) {
      for (let to = 0; to < 200; to++) if (isDropped(0.2, 5, 3, from, to, false)) count++;
    }
    // 40,000 draws: four standard deviations are 320.
    expect(Math.abs(count - 8000)).toBeLessThan(320);
    expect(isDropped(0.5, 1, 2, 3, 4, true)).toBe(isDropped(0.5, 1, 2, 4, 3, true));
    expect(isDropped(1, 1, 2, 3, 4, false)).toBe(true);
    expect(isDropped(0, 1, 2, 3, 4, false)).toBe(false);
    const options = { d: 2, rounds: 20, drop: 0.5 };
    const topology = odEquiDyn({ n: 20 });
    expect(gossip(topology, { ...options, seed: 1 }).errors).toEqual(gossip(topology, { ...options, seed: 1 }).errors);
    expect(gossip(topology, { ...options, seed: 1 }).errors).not.toEqual(
      gossip(topology, { ...options, seed: 2 }).errors,
    );
  });

  // Inside a group nothing is lost on purpose (thin-groups.test.ts).
  const apart = everyFamily.filter(({ hierarchy }) => hierarchy === undefined).map((t) => [t.name, t] as const);
  test.each(apart)("%s: with all lost, nothing moves", (_, topology) => {
    const { x, errors } = gossip(topology, { d: 2, rounds: 5, drop: 1 });
    const start = gossip(topology, { d: 2, rounds: 0 }).x;
    for (let k = 0; k < x.length; k++) expect(x[k]).toBeCloseTo(start[k], 12);
    expect(errors[5]).toBeCloseTo(errors[0], 10);
  });

  test("and crashed nodes with nobody to hear them keep their rows; the others go on", () => {
    const topology = ouEquiDyn({ n: 16 });
    const start = gossip(topology, { d: 3, rounds: 0 }).x;
    const { x, bytesPerNode } = gossip(topology, { d: 3, rounds: 60, crash: [{ node: 5, from: 0 }] });
    expect(x.slice(15, 18)).toEqual(start.slice(15, 18));
    const others = Array.from({ length: 16 }, (_, i) => x[3 * i]).filter((_, i) => i !== 5);
    expect(Math.max(...others) - Math.min(...others)).toBeLessThan(1e-3);
    expect(bytesPerNode).toBeGreaterThan(0);
  });

  test("a crash is a lost message of everybody, for its rounds only", () => {
    const topology = ring({ n: 8 });
    const before = gossip(topology, { d: 1, rounds: 3 }).x;
    const after = gossip(topology, { d: 1, rounds: 3, crash: [{ node: 2, from: 3 }] }).x;
    expect(after).toEqual(before);
    expect(gossip(topology, { d: 1, rounds: 4, crash: [{ node: 2, from: 3 }] }).x[2]).toBe(before[2]);
  });
});

describe("latency", () => {
  const latency = { alpha: 0.001, beta: 1e-6 };

  test("one message a round, or as many as the degree, one after another", () => {
    const message = 0.001 + 1e-6 * 8 * 10;
    const one = gossip(odEquiDyn({ n }), { d: 10, rounds: 4, latency });
    expect(one.seconds?.length).toBe(5);
    expect(one.seconds?.[4]).toBeCloseTo(4 * message, 12);
    const two = gossip(ring({ n }), { d: 10, rounds: 4, every: 2, latency });
    expect(two.seconds?.map((s) => s / message)).toEqual([0, 4, 8].map((k) => expect.closeTo(k, 9)));
    const star = gossip(createTopology({ name: "star", n }), { d: 10, rounds: 1, latency });
    expect(star.seconds?.[1]).toBeCloseTo((n - 1) * message, 12);
  });

  test("a round waits for its slowest node, unless that one is down", () => {
    const delays = new Float64Array(n);
    delays[7] = 2;
    const options = { d: 1, rounds: 1, latency: { ...latency, delays } };
    expect(gossip(ring({ n }), options).seconds?.[1]).toBeGreaterThan(2);
    expect(gossip(ring({ n }), { ...options, crash: [{ node: 7, from: 0 }] }).seconds?.[1]).toBeLessThan(1);
  });

  test("stragglers come with their probability", () => {
    const straggler = { probability: 0.01, seconds: 1 };
    const { seconds = [] } = gossip(ring({ n }), { d: 1, rounds: 1000, latency: { ...latency, straggler } });
    // A round is slow with probability 1 - 0.99^32 = 0.275: 275 of 1000, standard deviation 14.
    expect(Math.abs(Math.floor(seconds[1000]) - 275 - 2)).toBeLessThan(60);
    const never = { probability: 0, seconds: 1 };
    const calm = gossip(ring({ n }), { d: 1, rounds: 100, latency: { ...latency, straggler: never } });
    expect(calm.seconds?.[100]).toBeLessThan(1);
  });
});

test("bad faults are refused", () => {
  const bad = (faults: object) => () => gossip(ring({ n }), { d: 1, rounds: 1, ...faults });
  expect(bad({ crash: [{ node: n, from: 0 }] })).toThrow("node of a crash");
  expect(bad({ crash: [{ node: 1, from: 3, until: 3 }] })).toThrow("until must lie after from = 3");
  expect(bad({ latency: { alpha: -1, beta: 0 } })).toThrow("alpha");
  expect(bad({ latency: { alpha: 0, beta: 0, delays: [1] } })).toThrow("delays must hold n = 32 numbers");
  const complete = createTopology({ name: "complete", n: 5000 });
  expect(() => gossip(complete, { d: 1, rounds: 1, drop: 0.1 })).toThrow(InputError);
});

describe("a node that is down", () => {
  /** Weights in tenths and thirds, whose sums miss 1 in the last bit; one topology for each kind of round. */
  const kinds = [
    createTopology({ name: "ring", n: 10 }),
    createTopology({ name: "static-exp", n: 10, lazy: true }),
    createTopology({ name: "d-equistatic", n: 10, basis: [1, 3, 4, 7, 9, 2] }),
    createTopology({ name: "od-equidyn", n: 10, eta: 0.3 }),
    createTopology({ name: "ou-equidyn", n: 10, eta: 0.3 }),
    createTopology({ name: "grid", n: 10, rows: 2 }),
    createTopology({ name: "random-permutations", n: 10, d: 6 }),
    createTopology({ name: "complete", n: 10 }),
    createTopology({ name: "complete", n: 10, lazy: true }),
  ].map((topology) => [`${topology.name}, ${topology.round(0).kind}`, topology] as const);
  const x0 = Float64Array.from({ length: 40 }, (_, k) => [0.1, 1e-310, -0, 1 / 3 + k, 1e300][k % 5]);
  const bytes = (x: ArrayLike<number>) => Buffer.from(Float64Array.from(x).buffer);

  test("the kinds are all kinds, and some sums of weights do miss 1", () => {
    expect(new Set(kinds.map(([, topology]) => topology.round(0).kind)).size).toBe(4);
    const kept = (topology: (typeof kinds)[number][1]) => {
      const { self, from } = topology.peers(0, 4);
      return from.reduce((sum, { weight }) => sum + weight, self);
    };
    expect(kinds.some(([, topology]) => kept(topology) !== 1)).toBe(true);
  });

  test.each(kinds)("keeps its row to the last bit: %s", (_, topology) => {
    for (const faults of [{}, { pushSum: true }, { drop: 0.3 }, { drop: 0.3, pushSum: true }, { stale: 0.5 }]) {
      const crash = [{ node: 4, from: 0 }];
      const { x } = gossip(topology, { d: 4, rounds: 7, x0, crash, ...faults });
      expect(Buffer.compare(bytes(x.subarray(16, 20)), bytes(x0.subarray(16, 20))), JSON.stringify(faults)).toBe(0);
    }
  });

  test("is back in the very round that its crash ends before", () => {
    const down = (t: number) => crashedAt(8, [{ node: 2, from: 3, until: 5 }], t)?.[2] ?? 0;
    expect([2, 3, 4, 5, 6].map(down)).toEqual([0, 1, 1, 0, 0]);
    const topology = ring({ n: 8 });
    const once = gossip(topology, { d: 1, rounds: 4, crash: [{ node: 2, from: 3, until: 4 }] }).x;
    const moved = gossip(topology, { d: 1, rounds: 5, crash: [{ node: 2, from: 3, until: 4 }] }).x;
    const stayed = gossip(topology, { d: 1, rounds: 5, crash: [{ node: 2, from: 3, until: 5 }] }).x;
    expect(moved[2]).not.toBe(once[2]);
    expect(stayed[2]).toBe(once[2]);
  });
});

test("push-sum sends one number more in every message: its weight", () => {
  const options = { d: 10, rounds: 6 };
  expect(gossip(odEquiDyn({ n: 20 }), options).bytesPerNode).toBe(6 * 10 * 8);
  expect(gossip(odEquiDyn({ n: 20 }), { ...options, pushSum: true }).bytesPerNode).toBe(6 * 11 * 8);
  expect(gossip(odEquiDyn({ n: 20 }), { ...options, pushSum: true, type: "float32" }).bytesPerNode).toBe(6 * 11 * 4);
});
