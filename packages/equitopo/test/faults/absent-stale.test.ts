import { describe, expect, test } from "vitest";
import { createTopology, gossip, odEquiDyn, ouEquiDyn, ring } from "../../src/index.ts";
import { isAbsent, isStale } from "../../src/internal/faults.ts";
import { fillNormal } from "../../src/random/index.ts";
import { denseMatrix } from "../../src/round/index.ts";

const n = 12;
const d = 2;
const x0 = fillNormal(new Float64Array(n * d), 3, 1000, 0);
const graphs = [
  odEquiDyn({ n, seed: 1 }),
  ouEquiDyn({ n, seed: 1 }),
  ring({ n }),
  createTopology({ name: "d-equistatic", n, basis: [1, 4, 5] }),
  createTopology({ name: "complete", n }),
].map((topology) => [topology.name, topology] as const);

describe("absent nodes", () => {
  test.each(graphs)("%s: an absent node's row stays to the bit, and nobody hears it", (_, topology) => {
    const seed = 4;
    const absent = (t: number, i: number) => isAbsent(0.4, seed, t, i);
    let expected = Array.from(x0);
    let seen = 0;
    for (let t = 0; t < 5; t++) {
      const w = denseMatrix(topology.round(t));
      const next = Array.from(expected);
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < d; k++) {
          let sum = expected[i * d + k];
          for (let j = 0; j < n; j++) {
            const heard = i !== j && !absent(t, i) && !absent(t, j);
            if (heard) sum += w[i * n + j] * (expected[j * d + k] - expected[i * d + k]);
          }
          next[i * d + k] = sum;
        }
      }
      const { x } = gossip(topology, { d, rounds: t + 1, x0, seed, absent: 0.4 });
      for (const [at, value] of next.entries()) expect(x[at]).toBeCloseTo(value, 12);
      for (let i = 0; i < n; i++) {
        if (!absent(t, i)) continue;
        seen++;
        const before = gossip(topology, { d, rounds: t, x0, seed, absent: 0.4 }).x;
        expect(x.slice(i * d, i * d + d)).toEqual(before.slice(i * d, i * d + d));
      }
      expected = next;
    }
    expect(seen).toBeGreaterThan(10);
  });

  test("come as often as asked, send nothing, and none is none", () => {
    let count = 0;
    for (let t = 0; t < 100; t++) for (let i = 0; i < 100; i++) if (isAbsent(0.2, 5, t, i)) count++;
    // 10,000 draws: four standard deviations are 160.
    expect(Math.abs(count - 2000)).toBeLessThan(160);
    const all = gossip(ring({ n }), { d, rounds: 3, x0, absent: 1 });
    expect([all.bytesPerNode, Array.from(all.x)]).toEqual([0, Array.from(x0)]);
    const none = gossip(ring({ n }), { d, rounds: 3, x0, absent: 0 });
    expect(none.x).toEqual(gossip(ring({ n }), { d, rounds: 3, x0 }).x);
  });
});

describe("stale messages", () => {
  test.each(graphs)("%s: a stale message is its sender's row of one round earlier", (_, topology) => {
    const seed = 9;
    let [before, now] = [Array.from(x0), Array.from(x0)];
    let seen = 0;
    for (let t = 0; t < 4; t++) {
      const w = denseMatrix(topology.round(t));
      const next = now.map((_, at) => {
        const [i, k] = [Math.floor(at / d), at % d];
        let sum = 0;
        for (let j = 0; j < n; j++) {
          const late = i !== j && isStale(0.3, seed, t, j, i);
          if (late && w[i * n + j] > 0) seen++;
          sum += w[i * n + j] * (late ? before : now)[j * d + k];
        }
        return sum;
      });
      const { x } = gossip(topology, { d, rounds: t + 1, x0, seed, stale: 0.3 });
      for (const [at, value] of next.entries()) expect(x[at]).toBeCloseTo(value, 12);
      [before, now] = [now, next];
    }
    expect(seen).toBeGreaterThan(10);
  });

  test("come as often as asked, each direction by itself, and go with losses", () => {
    let [count, both] = [0, 0];
    for (let from = 0; from < 100; from++) {
      for (let to = 0; to < 100; to++) {
        if (isStale(0.2, 5, 3, from, to)) count++;
        if (isStale(0.2, 5, 3, from, to) && isStale(0.2, 5, 3, to, from)) both++;
      }
    }
    expect(Math.abs(count - 2000)).toBeLessThan(160);
    // Independent: a fifth of a fifth, drawn 5000 times and counted twice.
    expect(Math.abs(both - 400)).toBeLessThan(120);
    const faults = { stale: 1, drop: 1 };
    expect(Array.from(gossip(ouEquiDyn({ n }), { d, rounds: 5, x0, ...faults }).x)).toEqual(Array.from(x0));
  });

  test("are refused with push-sum", () => {
    expect(() => gossip(ring({ n }), { d, rounds: 1, stale: 0.1, pushSum: true })).toThrow("without stale messages");
    expect(() => gossip(ring({ n }), { d, rounds: 1, stale: -0.1 })).toThrow("stale");
    expect(() => gossip(ring({ n }), { d, rounds: 1, absent: 2 })).toThrow("absent");
  });
});

test("around the mean of now, nodes that agree on a moved mean are at 0", () => {
  const options = { d, rounds: 300, x0, drop: 0.3, seed: 1 };
  const topology = odEquiDyn({ n, seed: 1 });
  const start = gossip(topology, options).errors;
  const now = gossip(topology, { ...options, around: "now" }).errors;
  expect(now[0]).toBe(start[0]);
  expect(start[300]).toBeGreaterThan(1e-2);
  expect(now[300]).toBeLessThan(1e-13);
});
