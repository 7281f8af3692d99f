import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTopology, kernelMixer, type Mixer, type Round, type Rows } from "../../src/index.ts";
import {
  applyRound,
  type FlatRound,
  groupedRound,
  groupsOf,
  meanRow,
  plainMixer,
  squaredDistance,
} from "../../src/internal/round.ts";
import { createKernels } from "../../src/kernel/instance.ts";
import { fillNormal } from "../../src/random/index.ts";
import { RandomStream } from "../../src/random/stream.ts";
import { oneThread } from "../../src/round/gossip-engine.ts";
import { mixerOver } from "../../src/round/kernel-mixer.ts";

const types = ["float64", "float32"] as const;
const bytes = (x: Rows) => new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
const same = (a: Rows, b: Rows) => expect(Buffer.compare(bytes(a), bytes(b))).toBe(0);

/** One round through the mixer and through the definition: the same bytes, and the same distance. */
function compare(mixer: Mixer, round: Round, d: number, seed: number): void {
  const x = fillNormal(mixer.rows(d), seed, 1000, 0);
  // Zeros of both signs are where a careless sum shows.
  x[0] = -0;
  x[x.length - 1] = 0;
  const expected = applyRound(round, x.slice(), x.slice().fill(Number.NaN) as typeof x);
  const mean = meanRow(x, round.n);
  const measured = { mean, square: undefined as number | undefined };
  const copy = mixer.rows(d);
  copy.set(x);
  same(mixer.mix(round, x), expected);
  same(mixer.mix(round, copy, measured), expected);
  expect(measured.square).toBe(squaredDistance(expected, mean));
}

function randomRound(kind: Round["kind"], n: number, random: RandomStream): Round {
  switch (kind) {
    case "circulant": {
      const m = 1 + random.below(n - 1);
      const shifts = random
        .permutation(n - 1)
        .subarray(0, m)
        .map((s) => s + 1)
        .sort();
      const equal = random.below(2) === 0;
      const weight = random.uniform();
      const weights = Float64Array.from({ length: m }, () => (equal ? weight : random.uniform()));
      return { kind, n, self: random.uniform(), shifts, weights };
    }
    case "matching": {
      const order = random.permutation(n);
      const partner = Int32Array.from({ length: n }, (_, i) => i);
      for (let k = 0; k + 1 < n - random.below(3); k += 2) {
        partner[order[k]] = order[k + 1];
        partner[order[k + 1]] = order[k];
      }
      return { kind, n, weight: random.below(2) === 0 ? 0.5 : random.uniform(), partner };
    }
    case "sparse": {
      const start = new Int32Array(n + 1);
      for (let i = 0; i < n; i++) start[i + 1] = start[i] + random.below(Math.min(n, 9));
      const edges = start[n];
      return {
        kind,
        n,
        self: Float64Array.from({ length: n }, () => random.uniform()),
        start,
        from: Int32Array.from({ length: edges }, () => random.below(n)),
        weights: Float64Array.from({ length: edges }, () => random.uniform()),
      };
    }
    case "mean":
      return { kind, n, keep: random.below(2) / 2 };
    case "grouped": {
      // Every node but perhaps the last stands in one of up to five groups, some of which may be of nobody.
      const count = 2 + random.below(4);
      const lists = Array.from({ length: count }, (): number[] => []);
      for (let i = 0; i + random.below(2) < n; i++) lists[random.below(count)].push(i);
      const between = randomRound("circulant", count, random) as FlatRound;
      return groupedRound(groupsOf(n, lists), 1, between);
    }
  }
}

describe.each(types)("kernels on %s rows give the definition's bytes", (type) => {
  test.each(["circulant", "matching", "sparse", "mean", "grouped"] as const)("%s, any n and d", (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 90 }), fc.integer({ min: 1, max: 40 }), fc.nat(), (n, d, seed) => {
        compare(kernelMixer(n, type), randomRound(kind, n, new RandomStream(seed, 1001)), d, seed);
      }),
      { numRuns: 60 },
    );
  });

  test("circulant by columns, as for rows that outgrow the caches, any n and d", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 90 }), fc.integer({ min: 8, max: 60 }), fc.nat(), (n, d, seed) => {
        const round = randomRound("circulant", n, new RandomStream(seed, 1001));
        compare(mixerOver(n, type, oneThread, createKernels, 0), round, d, seed);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    { name: "d-equistatic", n: 1000, m: 47, d: 21 },
    { name: "d-equistatic", n: 300, basis: [5, 5, 7, 9, ...Array.from({ length: 40 }, (_, k) => 20 + 3 * k)], d: 100 },
    { name: "static-exp", n: 777, d: 100 },
    { name: "ring", n: 500, d: 33 },
    { name: "grid", n: 400, d: 37 },
    { name: "star", n: 200, d: 5 },
    { name: "one-peer-exp", n: 999, d: 100 },
    { name: "ou-equidyn", n: 501, d: 19 },
    { name: "complete", n: 100, d: 45 },
  ])("$name, n = $n, d = $d", ({ d, ...spec }) => {
    const topology = createTopology(spec);
    const mixer = kernelMixer(spec.n, type);
    compare(mixer, topology.round(0), d, 1);
    compare(mixer, topology.round(1), d, 2);
  });

  test("an edge list longer than the scratch goes through in slabs", () => {
    const n = 50;
    const start = Int32Array.from({ length: n + 1 }, (_, i) => i * 200 + (i > 20 ? 3000 : 0));
    const random = new RandomStream(3, 1001);
    const from = Int32Array.from({ length: start[n] }, () => random.below(n));
    const weights = Float64Array.from(from, () => random.uniform());
    const self = Float64Array.from({ length: n }, () => random.uniform());
    compare(kernelMixer(n, type), { kind: "sparse", n, self, start, from, weights }, 7, 1);
  });
});

test("rows handed out stay valid while others of any width are asked for and mixed", () => {
  const n = 40;
  const round = createTopology({ name: "ring", n }).round(0);
  const mixer = kernelMixer(n);
  const reference = plainMixer(n);
  const held = [3, 1, 200, 3, 5000, 3, 64, 64, 64, 64, 64].map((width, k) => {
    const x = fillNormal(mixer.rows(width), k, 1000, 0);
    const y = reference.rows(width);
    y.set(x);
    return { x, y };
  });
  for (let pass = 0; pass < 3; pass++) {
    for (const pair of held) {
      pair.x = mixer.mix(round, pair.x);
      pair.y = applyRound(round, pair.y, new Float64Array(pair.y.length));
    }
  }
  for (const { x, y } of held) same(x, y);
});

test("rows from elsewhere are mixed too", () => {
  const round = createTopology({ name: "grid", n: 12 }).round(0);
  const x = fillNormal(new Float64Array(12 * 5), 1, 1000, 0);
  same(kernelMixer(12).mix(round, x.slice()), applyRound(round, x, new Float64Array(x.length)));
});

test("a static round is loaded once, and again after another one or another width", () => {
  const n = 30;
  const ring = createTopology({ name: "static-exp", n }).round(0);
  const grid = createTopology({ name: "grid", n }).round(0);
  const mixer = kernelMixer(n);
  for (const [round, d] of [
    [ring, 4],
    [ring, 4],
    [grid, 4],
    [ring, 9],
    [grid, 9],
    [grid, 9],
    [ring, 4],
  ] as const) {
    compare(mixer, round, d, d);
  }
});

test("without wasm SIMD, or without memory to give, the plain mixer does it", () => {
  const round = createTopology({ name: "grid", n: 12 }).round(0);
  const refuse = () => {
    throw new RangeError("could not allocate memory");
  };
  for (const create of [() => null, refuse]) compare(mixerOver(12, "float64", oneThread, create), round, 5, 1);
  const broken = () => {
    throw new TypeError("not a matter of memory");
  };
  expect(() => mixerOver(12, "float64", oneThread, broken).rows(1)).toThrow("not a matter of memory");
});

test("one node with more edges than the scratch takes is refused", () => {
  const start = Int32Array.of(0, 5000, 5000);
  const [from, weights] = [new Int32Array(5000).fill(1), new Float64Array(5000)];
  const mixer = kernelMixer(2);
  const round: Round = { kind: "sparse", n: 2, self: Float64Array.of(1, 1), start, from, weights };
  expect(() => mixer.mix(round, mixer.rows(3))).toThrow("merge repeated ones");
});

describe("rounds do not change, and nothing goes wrong where one does", () => {
  test.each(["d-equistatic", "grid"])("%s: the kernels mix by the numbers that stand in the round now", (name) => {
    const n = 24;
    const topology = createTopology({ name, n });
    const round = topology.round(0);
    expect(() => Object.assign(round, { n: 3 })).toThrow(TypeError);
    if (round.kind !== "circulant" && round.kind !== "sparse") throw new Error("another kind");
    const own = { ...round, weights: round.weights.slice() };
    const mixer = kernelMixer(n);
    const mixed = () => mixer.mix(own, fillNormal(mixer.rows(3), 1, 1000, 0)).slice();
    const before = mixed();
    for (let e = 0; e < own.weights.length; e++) own.weights[e] *= 0.5;
    const after = mixed();
    expect(after).not.toEqual(before);
    const x = fillNormal(new Float64Array(3 * n), 1, 1000, 0);
    same(after, applyRound(own, x, new Float64Array(3 * n)));
  });
});
