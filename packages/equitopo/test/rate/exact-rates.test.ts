/**
 * The exact rate of every family equals a dense oracle to 1e-10 for n <= 40, never exceeds the paper's bound, and is
 * never exceeded by what is measured.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dense, symmetricEigenvalues } from "../../src/testing/dense.ts";
import { near } from "../../src/testing/law.ts";
import { belowBound, equalsOracle, exactAsStated, keptBy, neverExceeded, wave } from "../../src/testing/rate.ts";
import { euclidMatching, greedyMatching } from "../../src/topology/matching.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { sharedRound } from "../../src/topology/pairs.ts";
import { createTopology, topologies } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";
import { accepted, check, drawn, drawnSpec, drawsOf, someAccepted } from "../topology/topologies.ts";

const close = (actual: number, expected: number, what: string) => near(actual, expected, what, 1e-10);

/**
 * sqrt of the largest eigenvalue of E[W^T Pi W], by going through every choice of an EquiDyn round as the paper defines
 * them: v over the basis (both signs for OU), s over the labels, W = (1 - eta) I + eta A.
 */
function equiDynOracle(topology: Topology): number {
  const { n, spec } = topology;
  const eta = spec["eta"] as number;
  const basis = spec["basis"] as readonly number[] | "full";
  const indices = basis === "full" ? Array.from({ length: n - 1 }, (_, k) => k + 1) : basis;
  const expectation: Dense = new Float64Array(n * n);
  let choices = 0;
  /** Adds W^T W for the W whose node i keeps self(i) and receives from partner(i). */
  const add = (partner: (i: number) => number) => {
    choices++;
    for (let i = 0; i < n; i++) {
      const j = partner(i);
      // Eq. (4): a_ii = 1/n and a_ij = (n-1)/n; an idle node has a_ii = 1.
      const other = j === i ? 0 : (eta * (n - 1)) / n;
      const own = 1 - other;
      expectation[i * n + i] += own * own;
      expectation[i * n + j] += own * other;
      expectation[j * n + i] += other * own;
      expectation[j * n + j] += other * other;
    }
  };
  if (topology.name === "od-equidyn") for (const u of indices) add((i) => (i - u + n) % n);
  else {
    const matching = spec["construction"] === "euclid" ? euclidMatching : greedyMatching;
    for (const u of indices) {
      for (const v of [u, n - u]) {
        for (let s = 0; s < n; s++) {
          const partner = matching(n, v, s);
          add((i) => partner[i]);
        }
      }
    }
  }
  // W is doubly stochastic, so W^T Pi W = W^T W - J.
  const centred = expectation.map((value) => value / choices - 1 / n);
  return Math.sqrt(Math.max(0, symmetricEigenvalues(centred, n)[n - 1]));
}

/** The default and a few drawn options at every n that the family accepts, to 40. */
function checkSmall(name: string, draws: number, law: (topology: Topology) => void): void {
  const family = topologies.get(name);
  for (const n of accepted(family, 2, 40)) {
    check({ name, n }, law);
    for (const spec of fc.sample(drawnSpec(family, n), { ...drawn, numRuns: drawsOf(family, draws) })) check(spec, law);
  }
}

const fixed = topologies.filter((family) => family.create({ n: someAccepted(family)[0] }).kind !== "random");

test.each(fixed)("$name: exact after as many rounds as it says, for every n <= 40", ({ name }) => {
  checkSmall(name, 1, exactAsStated);
});

test.each(fixed)("$name: the exact rate is the dense oracle's for every n <= 40", ({ name }) => {
  checkSmall(name, 3, equalsOracle);
});

describe.each([...topologies])("$name", ({ name }) => {
  test("the exact rate never exceeds the paper's bound", () => {
    checkSmall(name, 10, belowBound);
    const family = topologies.get(name);
    const any = fc.constantFrom(...someAccepted(family)).chain((n) => drawnSpec(family, n));
    fc.assert(
      fc.property(any, (spec) => check(spec, belowBound)),
      { ...drawn, numRuns: drawsOf(family, 20) },
    );
  });

  test("the measured contraction never exceeds the exact rate", () => {
    checkSmall(name, 1, neverExceeded);
  });
});

describe.each(["od-equidyn", "ou-equidyn"])("%s", (name) => {
  test("the exact rate is that of E[W^T Pi W] over all choices, for every n <= 40", () => {
    checkSmall(name, 4, (topology) => close(topology.rate().rate, equiDynOracle(topology), "rate"));
  });

  test("with eta = 1, with the paper's 1/2, with a disconnected basis", () => {
    for (const n of [2, 3, 6, 9, 16, 17, 30]) {
      for (const eta of [1, 0.5, 0.9, 0.1]) {
        check({ name, n, eta }, (topology) => close(topology.rate().rate, equiDynOracle(topology), "rate"));
        const basis = [Math.ceil(n / 2), Math.ceil(n / 2), n - 1];
        check({ name, n, eta, basis }, (topology) => close(topology.rate().rate, equiDynOracle(topology), "rate"));
      }
    }
    expect(createTopology({ name, n: 12, basis: [3, 6, 9] }).rate().rate).toBe(1);
  });

  test("no eta is better than the default n / (2 (n - 1))", () => {
    for (const n of [5, 17, 40]) {
      for (const basis of ["full", [1, 2, 4]]) {
        const best = createTopology({ name, n, basis }).rate().rate;
        for (let eta = 0.01; eta <= 1; eta += 0.01) {
          expect(createTopology({ name, n, basis, eta }).rate().rate).toBeGreaterThanOrEqual(best - 1e-15);
        }
      }
    }
  });

  test("the rate is reached in the mean by the worst wave", () => {
    const topology = createTopology({ name, n: 17, basis: [15, 11, 8, 10], eta: 0.53, seed: 3 });
    const square = topology.rate().rate ** 2;
    const draws = 4000;
    const means = Array.from({ length: 8 }, (_, k) => {
      let sum = 0;
      for (let t = 0; t < draws; t++) sum += keptBy(sharedRound(topology, t), wave(17, k + 1, 0)) / draws;
      return sum;
    });
    // Shares lie in [0, 1], so the mean of 4000 has a standard error of at most 0.008.
    expect(Math.abs(Math.max(...means) - square)).toBeLessThan(0.03);
  });
});

describe("what is drawn", () => {
  test("OD-EquiDyn takes every index of its basis equally often", () => {
    const basis = [1, 5, 5, 12];
    const topology = createTopology({ name: "od-equidyn", n: 17, basis, seed: 11 });
    const counts = new Map<number, number>();
    for (let t = 0; t < 8000; t++) {
      const round = topology.round(t);
      if (round.kind !== "circulant") throw new Error(round.kind);
      counts.set(round.shifts[0], (counts.get(round.shifts[0]) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([1, 5, 12]);
    expect(Math.abs(counts.get(5)! / 8000 - 1 / 2)).toBeLessThan(0.03);
    expect(Math.abs(counts.get(1)! / 8000 - 1 / 4)).toBeLessThan(0.03);
  });

  test("OU-EquiDyn takes both signs of its basis and every start equally often", () => {
    const n = 9;
    const basis = [2, 4];
    const topology = ouEquiDyn({ n, basis, seed: 5 });
    const counts = new Map<string, number>();
    const draws = 36_000;
    for (let t = 0; t < draws; t++) {
      const { v, s } = topology.choice(t);
      counts.set(`${v},${s}`, (counts.get(`${v},${s}`) ?? 0) + 1);
      if (t < 50) expect(topology.round(t)).toMatchObject({ kind: "matching", partner: greedyMatching(n, v, s) });
    }
    expect(counts.size).toBe(4 * n);
    let chiSquare = 0;
    for (const count of counts.values()) chiSquare += (count - draws / (4 * n)) ** 2 / (draws / (4 * n));
    // 35 degrees of freedom: above 73 once in 5000.
    expect(chiSquare).toBeLessThan(73);
  });
});
