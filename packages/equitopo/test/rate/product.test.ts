/** Norms over several rounds against dense products, and predictions against those norms. */

import { describe, expect, test } from "vitest";
import { predictedRounds, prediction } from "../../src/rate/prediction.ts";
import { normOver } from "../../src/rate/product.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { consensusNorm, type Dense, multiply } from "../../src/testing/dense.ts";
import { customGraph } from "../../src/topology/custom.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";
import type { Topology } from "../../src/topology/topology.ts";

/** Node i hears p i, ..., p i + p - 1: doubly stochastic, not normal, of norm 1 or nearly so. */
function deBruijnLike(n: number, p: number): Topology {
  const edges = Array.from({ length: n * p }, (_, e): [number, number, number] => [e % n, Math.floor(e / p), 1 / p]);
  return customGraph({ n, self: new Float64Array(n), edges });
}

/** Rounds of one shift each, in turn with a graph that is not circulant. */
function alternating(n: number): Topology {
  const { exactAfter: _, ...one } = onePeerExp({ n });
  const other = deBruijnLike(n, 2);
  return {
    ...one,
    name: "alternating",
    period: 2,
    round: (t) => (t % 2 === 0 ? one.round(0) : other.round(0)),
    rate: () => ({ rate: 1, bound: null, method: "closed form", periodNorm: 1, periodRate: 1 }),
  };
}

function denseNorm(topology: Topology, m: number, first: number): number {
  const { n } = topology;
  const matrices: Dense[] = Array.from({ length: m }, (_, t) => denseMatrix(topology.round(first + t)));
  return consensusNorm(
    matrices.reduce((earlier, w) => multiply(w, earlier, n)),
    n,
  );
}

describe("the norm over m rounds", () => {
  test.each([
    onePeerExp({ n: 17 }),
    onePeerExp({ n: 12, lazy: true }),
    onePeerExp({ n: 24, order: "random" }),
    onePeerExp({ n: 16 }),
    createTopology({ name: "torus", n: 20 }),
    createTopology({ name: "d-equistatic", n: 18, m: 3 }),
    createTopology({ name: "complete", n: 5, lazy: true }),
    deBruijnLike(15, 2),
    alternating(11),
  ])("$name of $n nodes is that of the dense product, from any round on", (topology) => {
    for (const m of [1, 2, 3, 7, 11]) {
      for (const first of [0, 1, 5]) {
        const { norm, error = 0 } = normOver(topology, m, first);
        expect(Math.abs(norm - denseNorm(topology, m, first)), `${m} from ${first}`).toBeLessThan(1e-10 + error);
        expect(error).toBeLessThan(1e-8);
      }
    }
  });

  test("of no round is 1; random rounds give the mean square and say so", () => {
    expect(normOver(ring({ n: 9 }), 0).norm).toBe(1);
    const graph = odEquiDyn({ n: 300 });
    expect(normOver(graph, 4)).toEqual({ norm: graph.rate().rate ** 4, method: "mean square" });
    expect(() => normOver(graph, -1)).toThrow(/number of rounds must be an integer/);
    expect(() => normOver(graph, 2, 0.5)).toThrow(/first round must be an integer/);
  });
});

describe("a prediction", () => {
  test.each([
    onePeerExp({ n: 17 }),
    onePeerExp({ n: 300 }),
    onePeerExp({ n: 60, order: "random" }),
    deBruijnLike(25, 2),
  ])("$name of $n nodes: the least number of rounds whose norm is small enough", (topology) => {
    for (const tolerance of [0.5, 1e-3, 1e-6, 1e-10]) {
      for (const first of [0, 3]) {
        const { rounds, method } = prediction(topology, tolerance, first);
        expect(method).toBe("exact product");
        expect(normOver(topology, rounds, first).norm).toBeLessThanOrEqual(tolerance);
        expect(normOver(topology, rounds - 1, first).norm).toBeGreaterThan(tolerance);
      }
    }
  });

  test("golden: rivals' rounds to 1e-6 from every start", () => {
    // A worst case is at or above what random data needs (24, 40, 53, 38 rounds for one-peer-exp).
    expect([17, 25, 32, 300, 1000].map((n) => predictedRounds(onePeerExp({ n }), 1e-6))).toEqual([24, 44, 5, 71, 40]);
    expect(predictedRounds(deBruijnLike(300, 9), 1e-6)).toBe(8);
    expect(predictedRounds(deBruijnLike(25, 2), 1e-6)).toBe(20);
    expect(predictedRounds(deBruijnLike(300, 2), 1e-6)).toBe(22);
  });

  test("a norm of 1 in every round is no promise, and the product is still exact", () => {
    const graph = deBruijnLike(16, 2);
    expect(graph.rate().rate).toBeCloseTo(1, 9);
    expect(prediction(graph, 1e-9)).toEqual({ rounds: 4, method: "exact product" });
    expect(prediction({ rate: graph.rate, period: 1 }, 1e-9)).toEqual({ rounds: Infinity, method: "per-round norm" });
  });

  test("from any round on: whole periods of rounds that commute, a period more of others", () => {
    expect(predictedRounds(onePeerExp({ n: 300 }), 1e-6, "any")).toBe(72);
    expect(predictedRounds(onePeerExp({ n: 64 }), 1e-6, "any")).toBe(6);
    const graph = alternating(11);
    const anywhere = predictedRounds(graph, 1e-3, "any");
    for (const first of [0, 1]) expect(predictedRounds(graph, 1e-3, first)).toBeLessThanOrEqual(anywhere);
    expect(predictedRounds(odEquiDyn({ n: 300 }), 1e-6, "any")).toBe(40);
  });

  test("asks for a tolerance between 0 and 1", () => {
    for (const tolerance of [-1, 0, 1, 2, Number.NaN]) {
      expect(() => predictedRounds(ring({ n: 9 }), tolerance)).toThrow(/tolerance must lie/);
    }
  });

  test("a million nodes: circulants and closed forms at once", () => {
    expect(predictedRounds(odEquiDyn({ n: 1e6 }), 1e-6)).toBe(40);
    expect(predictedRounds(onePeerExp({ n: 2 ** 20 }), 1e-6)).toBe(20);
  });
});
