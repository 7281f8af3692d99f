/** CECA: exact after L rounds, from other phases later, what z holds, what losses do; in gossip, learning and among peers. */

import { describe, expect, test } from "vitest";
import { averaging } from "../../src/algorithm/averaging.ts";
import { drive } from "../../src/algorithm/drive.ts";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { Aggregation, average } from "../../src/peer/mixing/average.ts";
import { MemoryNetwork } from "../../src/peer/network/memory.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { applyRound } from "../../src/round/apply.ts";
import { meanRow, squaredDistance } from "../../src/round/distance.ts";
import { plainMixer } from "../../src/round/mixer.ts";
import type { Rows } from "../../src/round/round.ts";
import { gossip } from "../../src/run/gossip.ts";
import { simulate } from "../../src/run/simulate.ts";
import { must, refuses } from "../../src/testing/law.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { ceca1p } from "../../src/topology/ceca-1p.ts";
import { ceca2p } from "../../src/topology/ceca-2p.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { relabelled } from "../../src/topology/relabel.ts";
import { ring } from "../../src/topology/ring.ts";
import type { Topology } from "../../src/topology/topology.ts";

/** x and z after rounds first .. first + m - 1, from x = z = standard normals, and how far x is from the mean. */
function averaged(topology: Topology, first: number, m: number) {
  const { n } = topology;
  const start = fillNormal(new Float64Array(n), 5, 1000, n);
  const mean = meanRow(start, n);
  const size = Math.sqrt(squaredDistance(start, mean));
  const running = averaging(topology, start.slice(), n, (width) => new Float64Array(n * width));
  for (let t = first; t < first + m; t++) {
    drive(running, t, ({ vectors: [x] }) => [applyRound(topology.round(t), x, new Float64Array(n) as Rows)]);
  }
  const error = (rows: Rows) => Math.sqrt(squaredDistance(rows, mean)) / size;
  return { x: error(running.state.x), z: error(running.state["z"]) };
}

describe.each([
  ["ceca-1p", ceca1p, 2, 16],
  ["ceca-2p", ceca2p, 1, 15],
] as const)("%s", (name, make, step, latest) => {
  test("is exact after L = ceil(log2 n) rounds and not before, for every n to 130", () => {
    for (let n = 2; n <= 130; n += step) {
      const graph = make({ n });
      const length = Math.ceil(Math.log2(n));
      expect(graph.exactAfter).toBe(length);
      must(averaged(graph, 0, length).x < 1e-13, `n = ${n}: ${averaged(graph, 0, length).x} after ${length}`);
      must(n === 2 || averaged(graph, 0, length - 1).x > 1e-6, `n = ${n} is exact before ${length}`);
    }
  });

  test("started in another round it is exact by the end of the next period: n = 300 after up to 15 or 16 rounds", () => {
    const graph = make({ n: 300 });
    const rounds = Array.from({ length: 9 }, (_, phase) => {
      for (let m = 1; ; m++) if (averaged(graph, phase, m).x < 1e-12) return m;
    });
    expect(rounds[0]).toBe(9);
    expect(Math.max(...rounds)).toBe(latest);
  });

  test("z lacks the node itself at the end: off by 1/(n - 1) of what x was", () => {
    for (const n of [6, 30, 100, 300]) {
      const { z } = averaged(make({ n }), 0, make({ n }).exactAfter as number);
      expect(z * (n - 1), `n = ${n}`).toBeCloseTo(1, 9);
    }
  });

  test("relabelled every period it stays exact after every period, for only x crosses the end of one", () => {
    const graph = relabelled(make({ n: 38 }), 3);
    for (const first of [0, 6, 60]) expect(averaged(graph, first, 6).x).toBeLessThan(1e-13);
    expect(graph.round(0)).not.toEqual(graph.round(6));
  });

  test("gossip: exact after 9 rounds at n = 300, one vector a round", () => {
    const { errors, bytesPerNode, meanDrift } = gossip(make({ n: 300 }), { d: 4, rounds: 9 });
    expect(errors[9] / errors[0]).toBeLessThan(1e-13);
    expect(errors[8] / errors[0]).toBeGreaterThan(1e-3);
    expect(bytesPerNode).toBe(9 * 4 * 8);
    expect(meanDrift).toBeLessThan(1e-12);
  });

  test("losses: every row goes on, and the mean drifts", () => {
    const shifts = Array.from({ length: 9 }, (_, seed) => {
      const x0 = fillNormal(new Float64Array(300), seed, 1000, 7);
      const before = meanRow(x0, 300)[0];
      const { x } = gossip(make({ n: 300 }), { d: 1, rounds: 63, x0, drop: 0.05, seed });
      expect(squaredDistance(x, meanRow(x, 300))).toBeLessThan(1e-10);
      return Math.abs(meanRow(x, 300)[0] - before) / Math.sqrt(squaredDistance(x0, Float64Array.of(before)) / 300);
    }).sort((a, b) => a - b);
    // Median 0.002 where pairs fail together, 0.018 where single messages do.
    const expected = name === "ceca-1p" ? 0.002 : 0.018;
    expect(shifts[4]).toBeGreaterThan(expected / 3);
    expect(shifts[4]).toBeLessThan(expected * 3);
  });

  test("over real peers: the simulator's bits, with and without losses", async () => {
    const n = 6;
    const topology = make({ n });
    const x0 = fillNormal(new Float64Array(n * 3), 2, 1000, 0);
    for (const drop of [0, 0.3]) {
      const expected = gossip(topology, { d: 3, rounds: 7, x0, seed: 4, mixer: plainMixer(n), drop }).x;
      const network = new MemoryNetwork(n);
      const transports = Array.from({ length: n }, (_, rank) => network.join(rank));
      const results = await Promise.all(
        transports.map(async (transport, rank) => {
          const lose = drop === 0 ? undefined : { share: drop, seed: 4 };
          const { mean } = await average(x0.slice(rank * 3, rank * 3 + 3), { transport, topology, rounds: 7, lose });
          await transport.close();
          return [...mean];
        }),
      );
      expect(results.flat()).toEqual(Array.from(expected));
    }
  });
});

test("a crashed node's row stays as it was, and the others go on", () => {
  const x0 = fillNormal(new Float64Array(10), 1, 1000, 0);
  const { x } = gossip(ceca2p({ n: 10 }), { d: 1, rounds: 12, x0, crash: [{ node: 3, from: 0 }] });
  expect(x[3]).toBe(x0[3]);
  expect(x.every((value) => Number.isFinite(value))).toBe(true);
});

test("one-port refuses odd n, and says which would do", () => {
  refuses(() => ceca1p({ n: 17 }), /must be even, got 17; try n = 16, 18, or ceca-2p/, "n = 17");
  expect(ceca2p({ n: 17 }).exactAfter).toBe(5);
});

test("a bit length, not a logarithm: n = 2^29 and 2^31 - 1", () => {
  expect(ceca2p({ n: 2 ** 29 }).period).toBe(29);
  expect(ceca2p({ n: 2 ** 29 + 1 }).period).toBe(30);
  expect(ceca2p({ n: 2 ** 31 - 1 }).period).toBe(31);
});

describe("dsgd-ceca", () => {
  const problem = quadratic({ n: 6, d: 3 });

  test("follows its equations: one gradient at what is sent, both vectors descend, then the round", () => {
    const topology = ceca2p({ n: 6 });
    const g = 0.05;
    const run = simulate({ topology, algorithm: { name: "dsgd-ceca", learningRate: g }, problem, rounds: 5 });
    const x = new Float64Array(18);
    const z = new Float64Array(18);
    const gradient = new Float64Array(18);
    // n - 1 = 5 = 101 in binary: e = 0, 1, 2.
    const bits = [1, 0, 1, 1, 0];
    const es = [0, 1, 2, 0, 1];
    bits.forEach((b, t) => {
      const e = es[t];
      problem.gradient(b === 1 ? x : z, t, gradient, 0, 6);
      for (let k = 0; k < 18; k++) {
        x[k] -= g * gradient[k];
        z[k] -= g * gradient[k];
      }
      const sent = (b === 1 ? x : z).slice();
      for (let i = 0; i < 6; i++) {
        for (let k = 0; k < 3; k++) {
          const r = sent[((i - e - b + 6) % 6) * 3 + k];
          const at = i * 3 + k;
          x[at] = b === 1 ? (x[at] + r) / 2 : ((e + 1) * x[at] + e * r) / (2 * e + 1);
          z[at] = b === 1 ? (e * z[at] + (e + 1) * r) / (2 * e + 1) : (z[at] + r) / 2;
        }
      }
    });
    Array.from(run.x).forEach((value, k) => {
      expect(value).toBeCloseTo(x[k], 12);
    });
  });

  test("needs rounds over two vectors, and all others refuse them and name it", () => {
    const rule = (name: string, topology: Topology) => () =>
      simulate({ topology, algorithm: { name, learningRate: 0.1 }, problem, rounds: 1 });
    refuses(rule("dsgd-ceca", ring({ n: 6 })), /needs a two-vector \(CECA\) W.*these fit: ceca-1p, ceca-2p/, "a ring");
    for (const name of ["dsgd", "dsgt", "push-sum", "extra", "d2", "choco"]) {
      refuses(rule(name, ceca2p({ n: 6 })), /mix two vectors a node, which dsgd-ceca is for/, name);
    }
    expect(createAlgorithm({ name: "dsgd-ceca" }).sends.vectors).toBe(1);
  });
});

test("what keeps sums by one vector refuses two: push-sum weights and running aggregates", () => {
  const graph = ceca2p({ n: 6 });
  refuses(() => gossip(graph, { d: 1, rounds: 1, pushSum: true }), /push-sum is for topologies that mix one/, "gossip");
  const transport = new MemoryNetwork(6).join(0);
  refuses(() => new Aggregation({ transport, topology: graph, length: 1 }), /needs one vector a node/, "aggregation");
  const drifting = createTopology({ name: "el-local", n: 6 });
  refuses(() => new Aggregation({ transport, topology: drifting, length: 1 }), /columns sum to 1.*row-stoch/, "rows");
});
