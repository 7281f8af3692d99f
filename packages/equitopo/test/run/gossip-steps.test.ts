import { describe, expect, test } from "vitest";
import { createTopology, type GossipOptions, gossip, gossipSteps, InputError } from "../../src/index.ts";

const networks: readonly [string, string, Partial<GossipOptions>][] = [
  ["no faults", "od-equidyn", {}],
  ["lost messages", "od-equidyn", { drop: 0.3 }],
  ["push-sum", "od-equidyn", { drop: 0.3, pushSum: true }],
  ["crashes", "ou-equidyn", { crash: [{ node: 3, from: 2, until: 6 }] }],
  ["cut links", "ring", { cut: [{ pair: [3, 4], from: 1 }] }],
  ["stale messages", "torus", { stale: 0.4 }],
  ["two vectors", "ceca-2p", { drop: 0.1 }],
  ["the distance to the present mean", "d-equistatic", { drop: 0.2, around: "now" }],
];

describe.each(networks)("%s", (_, name, options) => {
  const topology = createTopology({ name, n: 12 });

  test("steps are what gossip writes down", () => {
    const { errors, x, meanDrift, bytesPerNode } = gossip(topology, { d: 3, rounds: 9, seed: 4, ...options });
    const steps = gossipSteps(topology, { d: 3, seed: 4, ...options });
    expect(Array.from({ length: 10 }, () => steps.take().error)).toEqual(errors);
    expect(steps.x).toEqual(x);
    expect([steps.meanDrift, steps.bytes]).toEqual([meanDrift, bytesPerNode]);
    expect(Math.max(...Array.from({ length: 12 }, (_, i) => steps.bytesOf(i)))).toBe(bytesPerNode);
  });

  test("going back to a saved state gives the same bits again", () => {
    const steps = gossipSteps(topology, { d: 2, seed: 4, ...options });
    const facts = () => {
      const { t, error, x } = steps.take();
      return { t, error, x: x.slice(), bytes: steps.bytes, seconds: steps.seconds };
    };
    for (let t = 0; t <= 4; t++) facts();
    const state = steps.save();
    const here = { t: 4, x: steps.x.slice() };
    const once = Array.from({ length: 6 }, facts);
    expect(steps.restore(state)).toMatchObject(here);
    // What lies ahead may be looked at: it is gone through all the same.
    expect(steps.ahead.planned.n).toBe(12);
    expect(Array.from({ length: 6 }, facts)).toEqual(once);
  });
});

test("a cut link loses both directions while it is cut, and nothing else", () => {
  const steps = gossipSteps(createTopology({ name: "ring", n: 5 }), {
    d: 1,
    cut: [{ pair: [4, 0], from: 1, until: 2 }],
  });
  steps.take();
  const edges = () => {
    const { round } = steps.ahead;
    if (round.kind !== "sparse") return round.kind;
    return Array.from({ length: 5 }, (_, i) => [...round.from.subarray(round.start[i], round.start[i + 1])]);
  };
  expect(edges()).toBe("circulant");
  steps.take();
  expect(edges()).toEqual([[1], [0, 2], [1, 3], [2, 4], [3]]);
  steps.take();
  expect(edges()).toBe("circulant");
  expect(steps.meanDrift).toBeLessThan(1e-15);
});

test.each([
  [{ pair: [1, 1], from: 0 }],
  [{ pair: [1, 5], from: 0 }],
  [{ pair: [1, 2], from: 3, until: 3 }],
  [{ pair: [1], from: 0 }],
])("a cut that makes no sense is refused: %j", (cut) => {
  const topology = createTopology({ name: "ring", n: 5 });
  expect(() => gossipSteps(topology, { d: 1, cut: [cut as never] })).toThrow(InputError);
});

test("starts by name", () => {
  const start = (x0: "split" | "one" | "normal" | "sorted", d: number) =>
    gossipSteps(createTopology({ name: "ring", n: 5 }), { d, x0 }).take();
  expect(start("split", 2).x.join()).toBe("1,1,1,1,1,1,-1,-1,-1,-1");
  expect(start("one", 2).x.join()).toBe("5,5,0,0,0,0,0,0,0,0");
  expect(start("normal", 1).x).toEqual(gossipSteps(createTopology({ name: "ring", n: 5 }), { d: 1 }).take().x);
  const [plain, sorted] = [start("normal", 2).x, start("sorted", 2).x];
  const second = (x: ArrayLike<number>) => Array.from({ length: 5 }, (_, i) => x[2 * i + 1]);
  expect(second(sorted)).toEqual(second(plain).sort((a, b) => a - b));
  expect(() => start("halves" as never, 1)).toThrow(/x0 must be one of normal, sorted, split, one/);
});
