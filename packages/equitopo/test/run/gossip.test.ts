import { describe, expect, test } from "vitest";
import {
  createTopology,
  gossip,
  gossipAsync,
  InputError,
  odEquiDyn,
  onePeerExp,
  ring,
  stateHash,
  type Topology,
  topologies,
} from "../../src/index.ts";
import { fillNormal, streams } from "../../src/random/index.ts";
import { applyRound, plainMixer } from "../../src/round/index.ts";

/** All that mix one vector a node at this n; the rule for two has tests of its own. */
const everyFamily = topologies
  .filter((family) => family.refuses?.(64) === undefined)
  .map((family) => createTopology({ name: family.name, n: 64 }))
  .filter(({ pair }) => pair === undefined);

/** Gossip and its errors once more, from the definition alone. */
function separately(topology: Topology, x0: Float64Array, d: number, rounds: number): number[] {
  const { n } = topology;
  const mean = Array.from({ length: d }, (_, k) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x0[i * d + k];
    return sum / n;
  });
  const error = (x: Float64Array) => Math.hypot(...x.map((value, at) => value - mean[at % d]));
  let x = x0;
  const errors = [error(x)];
  for (let t = 0; t < rounds; t++) {
    x = applyRound(topology.round(t), x, new Float64Array(x.length));
    errors.push(error(x));
  }
  return errors;
}

describe("every family", () => {
  test.each(everyFamily.map((topology) => [topology.name, topology] as const))(
    "%s: errors are those of a separate computation",
    (_, topology) => {
      const d = 11;
      const x0 = fillNormal(new Float64Array(topology.n * d), 3, 1000, 0);
      const { errors, recorded } = gossip(topology, { d, rounds: 12, x0 });
      const expected = separately(topology, x0, d, 12);
      expect(recorded).toEqual(Array.from({ length: 13 }, (_, t) => t));
      for (let t = 0; t <= 12; t++) expect(Math.abs(errors[t] - expected[t])).toBeLessThan(1e-12 * expected[0]);
    },
  );

  const keepSums = everyFamily.filter(({ stochastic }) => stochastic === undefined);
  test.each(keepSums.map((topology) => [topology.name, topology] as const))(
    "%s: the sum of x is preserved to 1e-12 over 1000 rounds",
    (_, topology) => {
      const x0 = Float64Array.from(fillNormal(new Float64Array(topology.n * 3), 1, 1000, 0), (v) => 1 + v);
      const { x, meanDrift } = gossip(topology, { d: 3, rounds: 1000, every: 1000, x0 });
      const sum = (rows: ArrayLike<number>) => Array.from(rows).reduce((total, value) => total + value, 0);
      expect(Math.abs(sum(x) / sum(x0) - 1)).toBeLessThan(1e-12);
      expect(meanDrift).toBeLessThan(1e-12);
    },
  );
});

describe("what is recorded", () => {
  const topology = odEquiDyn({ n: 50, seed: 2 });

  test("round 0, every k-th, and the last", () => {
    const { recorded, errors } = gossip(topology, { d: 2, rounds: 10, every: 4 });
    const all = gossip(topology, { d: 2, rounds: 10 }).errors;
    expect(recorded).toEqual([0, 4, 8, 10]);
    expect(errors).toEqual(recorded.map((t) => all[t]));
    expect(gossip(topology, { d: 2, rounds: 0 }).recorded).toEqual([0]);
  });

  test("how often it is recorded, and by which mixer, does not change a bit", () => {
    const options = { d: 9, rounds: 25, seed: 4 };
    const hash = stateHash(gossip(topology, options).x);
    expect(stateHash(gossip(topology, { ...options, every: 25 }).x)).toBe(hash);
    const plain = gossip(topology, { ...options, mixer: plainMixer(50) });
    expect(stateHash(plain.x)).toBe(hash);
    expect(plain.errors).toEqual(gossip(topology, options).errors);
  });

  test("the default start is the normals of the seed", () => {
    const { x } = gossip(topology, { d: 4, rounds: 0, seed: 9 });
    expect(x).toEqual(fillNormal(new Float64Array(200), 9, streams.initialState, 0));
  });

  test("float32 rows end near the float64 ones, in half the bytes", () => {
    const options = { d: 5, rounds: 30 };
    const double = gossip(topology, options);
    const single = gossip(topology, { ...options, type: "float32" });
    expect(single.x).toBeInstanceOf(Float32Array);
    expect(single.bytesPerNode).toBe(double.bytesPerNode / 2);
    for (let k = 0; k < 250; k++) expect(Math.abs(single.x[k] - double.x[k])).toBeLessThan(1e-6);
  });

  test("bytes are those of the busiest node", () => {
    expect(gossip(topology, { d: 3, rounds: 7 }).bytesPerNode).toBe(7 * 3 * 8);
    expect(gossip(ring({ n: 10 }), { d: 3, rounds: 7 }).bytesPerNode).toBe(2 * 7 * 3 * 8);
    const star = createTopology({ name: "star", n: 10 });
    expect(gossip(star, { d: 1, rounds: 5 }).bytesPerNode).toBe(9 * 5 * 8);
    const idle = createTopology({ name: "ou-equidyn", n: 7 });
    const busiest = Math.max(
      ...Array.from({ length: 7 }, (_, i) =>
        Array.from({ length: 20 }, (_, t) => idle.peers(t, i).to.length).reduce((a, b) => a + b),
      ),
    );
    expect(gossip(idle, { d: 1, rounds: 20 }).bytesPerNode).toBe(8 * busiest);
  });
});

describe("long calls", () => {
  test("an abort stops between rounds, in the sync and in the async call", async () => {
    const stop = (at: number) => {
      const controller = new AbortController();
      const seen: number[] = [];
      const onProgress = (done: number) => {
        seen.push(done);
        if (done === at) controller.abort(new Error("enough"));
      };
      return { seen, options: { d: 1, rounds: 100, signal: controller.signal, onProgress } };
    };
    const sync = stop(5);
    expect(() => gossip(ring({ n: 8 }), sync.options)).toThrow("enough");
    expect(sync.seen).toEqual([0, 1, 2, 3, 4, 5]);
    const later = stop(7);
    await expect(gossipAsync(ring({ n: 8 }), later.options)).rejects.toThrow("enough");
    expect(later.seen.at(-1)).toBe(7);
  });

  test("the async call lets the event loop abort it, and gives the same bytes where nobody does", async () => {
    const topology = onePeerExp({ n: 1000 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("from outside")), 0);
    const endless = { d: 100, rounds: 1e9, every: 1e9, signal: controller.signal };
    await expect(gossipAsync(topology, endless)).rejects.toThrow("from outside");
    const options = { d: 100, rounds: 250, every: 50 };
    const [a, b] = [await gossipAsync(topology, options), gossip(topology, options)];
    expect(stateHash(a.x)).toBe(stateHash(b.x));
    expect(a.errors).toEqual(b.errors);
  });
});

test("bad options are refused by name", () => {
  const topology = ring({ n: 5 });
  const bad = (options: object) => () => gossip(topology, { d: 1, rounds: 1, ...options });
  expect(bad({ d: 0 })).toThrow(InputError);
  expect(bad({ rounds: -1 })).toThrow("rounds must be an integer of at least 0");
  expect(bad({ drop: 1.5 })).toThrow("drop must lie in [0, 1]");
  expect(bad({ x0: [1, 2] })).toThrow("x0 must hold n d = 5 numbers");
  expect(bad({ evry: 3 })).toThrow("did you mean every?");
  expect(bad({ mixer: plainMixer(4) })).toThrow("topology's n = 5");
  expect(bad({ type: "float16" })).toThrow("float32");
});
