/** Circulant spectra by every path, certified iteration, the paper's bounds, predictions. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RootTable, rootOfUnity } from "../../src/number/roots.ts";
import { RandomStream } from "../../src/random/stream.ts";
import { basisSize, odEquiDynBound, ouEquiDynBound } from "../../src/rate/bounds.ts";
import { BasisSpectrum, circulantExtremes, circulantExtremesReference } from "../../src/rate/circulant.ts";
import { realSpectrum } from "../../src/rate/fourier.ts";
import { sparseRate } from "../../src/rate/lanczos.ts";
import type { SpectralExtremes } from "../../src/rate/modes.ts";
import { predictedRounds } from "../../src/rate/prediction.ts";
import { type Circulant, isConnected } from "../../src/round/circulant.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { consensusNorm, symmetricEigenvalues } from "../../src/testing/dense.ts";
import { customGraph } from "../../src/topology/custom.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { sparseRound } from "../../src/topology/graph.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { drawn } from "../topology/topologies.ts";

function close(a: SpectralExtremes, b: SpectralExtremes, tolerance: number): void {
  expect(Math.abs(a.maxModulus - b.maxModulus)).toBeLessThan(tolerance);
  expect(Math.abs(a.maxReal - b.maxReal)).toBeLessThan(tolerance);
  expect(Math.abs(a.minReal - b.minReal)).toBeLessThan(tolerance);
}

/** Distinct random shifts with random weights that sum to 1 with the self weight. */
function randomCirculant(n: number, m: number, seed: number): Circulant {
  const random = new RandomStream(seed, 1000, n);
  const shifts = [...new Set(Array.from({ length: m }, () => 1 + random.below(n - 1)))].sort((a, b) => a - b);
  const raw = Array.from({ length: shifts.length + 1 }, () => random.uniform());
  const total = raw.reduce((a, b) => a + b);
  const [self, ...weights] = raw.map((weight) => weight / total);
  return { n, self, shifts, weights };
}

describe("circulant spectra", () => {
  // About 2048 is where the kernel takes over; 2039, 2053 and 10007 are primes, 511 is the kernel's stride.
  const sizes = [2039, 2044, 2047, 2048, 2049, 2053, 2555, 3066, 4096, 5110, 10_007, 16_384, 20_001];
  test.each(sizes)("the kernel equals the plain sum at n = %d", (n) => {
    for (const m of [1, 2, 7, 20]) {
      const circulant = randomCirculant(n, m, m);
      for (const part of ["complex", "real"] as const) {
        close(circulantExtremes(circulant, part), circulantExtremesReference(circulant, part), 2e-14);
      }
    }
  });

  test("the kernel sees the extremes wherever they lie: at every k in turn", () => {
    // For one shift u = k0^-1 mod a prime n, the largest real part stands at k = k0 alone, the smallest at k0 (n - 1)/2.
    const n = 4099;
    const half = Math.floor(n / 2);
    for (let u = 1; u <= half; u++) {
      const found = circulantExtremes({ n, self: 0.25, shifts: [u], weights: [0.75] });
      const largest = 0.25 + 0.75 * Math.cos((2 * Math.PI) / n);
      const smallest = 0.25 - 0.75 * Math.cos(Math.PI / n);
      const modulus = Math.hypot(largest, 0.75 * Math.sin((2 * Math.PI) / n));
      close(found, { maxModulus: modulus, maxReal: largest, minReal: smallest }, 2e-14);
      const real = circulantExtremes({ n, self: 0.25, shifts: [u], weights: [0.75] }, "real");
      close(real, { maxModulus: largest, maxReal: largest, minReal: smallest }, 2e-14);
    }
  });

  test.each([2, 3, 4, 5, 8, 12, 97, 100, 1009, 1024])("the Fourier path equals the direct sum at n = %d", (n) => {
    const random = new RandomStream(n, 1000);
    const c = Float64Array.from({ length: n }, () => random.uniform() / n);
    const spectrum = realSpectrum(c);
    expect(spectrum.length).toBe(2 * (Math.floor(n / 2) + 1));
    const root = new Float64Array(2);
    for (let k = 0; 2 * k <= n; k++) {
      let re = 0;
      let im = 0;
      for (let m = 0; m < n; m++) {
        rootOfUnity((k * m) % n, n, root);
        re += c[m] * root[0];
        im += c[m] * root[1];
      }
      expect(Math.abs(spectrum[2 * k] - re)).toBeLessThan(1e-14);
      expect(Math.abs(spectrum[2 * k + 1] - im)).toBeLessThan(1e-14);
    }
  });

  test("many weights go through the Fourier transform and say the same", () => {
    for (const n of [5003, 6000]) {
      const circulant = randomCirculant(n, 4000, 3);
      expect(circulant.shifts.length).toBeGreaterThan(2048);
      for (const part of ["complex", "real"] as const) {
        close(circulantExtremes(circulant, part), circulantExtremesReference(circulant, part), 1e-14);
      }
    }
  });

  test("a disconnected circulant has a rate of exactly 1", () => {
    for (const n of [12, 3000, 30_000]) {
      expect(circulantExtremes({ n, self: 0.1, shifts: [3, 6, 9], weights: [0.3, 0.3, 0.3] }).maxModulus).toBe(1);
      expect(isConnected(n, [3, 6, 9])).toBe(false);
      expect(isConnected(n, [3, 10])).toBe(true);
    }
  });
});

describe("roots of unity", () => {
  test("exact at the eighths, within an ulp or two elsewhere, and of modulus 1", () => {
    const root = new Float64Array(2);
    for (const n of [1, 2, 3, 7, 8, 24, 1000, 999_983]) {
      for (let m = 0; m < n; m += Math.ceil(n / 500)) {
        rootOfUnity(m, n, root);
        expect(Math.abs(root[0] - Math.cos((2 * Math.PI * m) / n))).toBeLessThan(2e-15);
        expect(Math.abs(root[1] - Math.sin((2 * Math.PI * m) / n))).toBeLessThan(2e-15);
      }
    }
    rootOfUnity(3, 6, root);
    expect(root[0]).toBe(-1);
    expect(Math.abs(root[1])).toBe(0);
  });

  test("the table of 2 sqrt(n) roots gives all of them", () => {
    const root = new Float64Array(4);
    for (const n of [2, 3, 10, 997, 1_000_000]) {
      const table = new RootTable(n);
      for (let m = 0; m < n; m += Math.ceil(n / 300)) {
        table.write(m, 2, root, 0);
        rootOfUnity(m, n, root, 2);
        expect(Math.abs(root[0] - 2 * root[2])).toBeLessThan(1e-15);
        expect(Math.abs(root[1] - 2 * root[3])).toBeLessThan(1e-15);
      }
    }
  });
});

test("BasisSpectrum after any swaps equals a fresh one, and both equal the topology's rate", () => {
  const swaps = fc.array(fc.tuple(fc.nat(4), fc.nat()), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5000 }), swaps, (n, changes) => {
      const random = new RandomStream(n, 1000);
      const start = Array.from({ length: 5 }, () => 1 + random.below(n - 1));
      const spectrum = new BasisSpectrum(n, start);
      for (const [position, u] of changes) spectrum.swap(position, 1 + (u % (n - 1)));
      const fresh = new BasisSpectrum(n, spectrum.basis);
      expect(Math.abs(spectrum.rate() - fresh.rate())).toBeLessThan(1e-13);
      expect(Math.abs(spectrum.rate("real") - fresh.rate("real"))).toBeLessThan(1e-13);
      const { basis } = spectrum;
      expect(Math.abs(spectrum.rate() - dEquiStatic({ n, basis }).rate().rate)).toBeLessThan(1e-13);
      const undirected = createTopology({ name: "u-equistatic", n, basis }).rate().rate;
      expect(Math.abs(spectrum.rate("real") - undirected)).toBeLessThan(1e-13);
    }),
    { ...drawn, numRuns: 40 },
  );
});

describe("certified iteration", () => {
  /** What the oracle's own sums may be off by at n = 40. */
  const ROUNDING = 2e-14;

  /** A random doubly stochastic matrix: a weighted mean of permutations, and of their inverses when symmetric. */
  function meanOfPermutations(n: number, count: number, symmetric: boolean, seed: number) {
    const random = new RandomStream(seed, 1000, n);
    const raw = Array.from({ length: count }, () => 0.1 + random.uniform());
    const total = raw.reduce((a, b) => a + b);
    const rows: Map<number, number>[] = Array.from({ length: n }, () => new Map());
    const add = (i: number, j: number, weight: number) => rows[i].set(j, (rows[i].get(j) ?? 0) + weight);
    for (const weight of raw) {
      random.permutation(n).forEach((j, i) => {
        add(i, j, weight / total / (symmetric ? 2 : 1));
        if (symmetric) add(j, i, weight / total / 2);
      });
    }
    const self = Float64Array.from(rows, (row, i) => row.get(i) ?? 0);
    const links = rows.map((row, i) => [...row].filter(([j]) => j !== i).map(([node, weight]) => ({ node, weight })));
    return sparseRound(n, (i) => links[i], self);
  }

  test.each([false, true])(
    "equals the dense oracle on random doubly stochastic matrices (symmetric: %s)",
    (symmetric) => {
      for (let n = 2; n <= 40; n++) {
        for (const count of [1, 2, 3, 8]) {
          const round = meanOfPermutations(n, count, symmetric, count);
          const w = denseMatrix(round);
          const found = sparseRate(round, symmetric);
          const truth = consensusNorm(w, n);
          const where = `n = ${n}, ${count} permutations`;
          expect(Math.abs(found.rate - truth), where).toBeLessThan(1e-10);
          expect(Math.abs(found.rate - truth), `${where}: the stated error`).toBeLessThanOrEqual(
            found.error! + ROUNDING,
          );
          expect(found.error, where).toBeLessThan(1e-10);
          if (!symmetric) continue;
          const values = symmetricEigenvalues(w, n);
          expect(Math.abs(found.eigenvalues!.largest - values[n - 2]), where).toBeLessThan(1e-10);
          expect(Math.abs(found.eigenvalues!.smallest - values[0]), where).toBeLessThan(1e-10);
        }
      }
    },
  );

  test.each([true, false])(
    "reports the error that it has, never 0 for what was rounded (symmetric: %s)",
    (symmetric) => {
      for (const n of [10, 20, 40]) {
        const { rate, error } = sparseRate(meanOfPermutations(n, 3, symmetric, 3), symmetric);
        // A residual of a computed vector is a few units in the last place at least, and far below what is asked for.
        expect(error).toBeGreaterThan(1e-17 * rate);
        expect(error).toBeLessThan(1e-10);
      }
    },
  );

  test("finds closed forms of large graphs: ring, torus, star, hypercube as your own matrix", () => {
    const specs = [
      { name: "ring", n: 301 },
      { name: "torus", n: 900 },
      { name: "star", n: 200 },
      { name: "hypercube", n: 256 },
      { name: "static-exp", n: 300 },
      { name: "d-equistatic", n: 300, m: 5 },
    ];
    for (const spec of specs) {
      const topology = createTopology(spec);
      const round = topology.round(0);
      const edges: [number, number, number][] = [];
      for (let i = 0; i < spec.n; i++) {
        for (const { node, weight } of topology.peers(0, i).from) edges.push([node, i, weight]);
      }
      const self = Array.from({ length: spec.n }, (_, i) => topology.peers(0, i).self);
      const own = customGraph({ n: spec.n, self, edges });
      expect(own.symmetric, spec.name).toBe(topology.symmetric);
      expect(own.directed, spec.name).toBe(topology.directed);
      expect(own.rate().method).toBe("certified iteration");
      expect(Math.abs(own.rate().rate - topology.rate().rate), spec.name).toBeLessThan(1e-10);
      expect(own.rate().error, spec.name).toBeLessThan(1e-10);
      if (spec.n <= 256) expect(denseMatrix(own.round(0))).toEqual(denseMatrix(round));
    }
  });

  test.each([1e-3, 1e-6, 1e-9])("keeps the digits of a small rate: J + %d (P - P^2)", (size) => {
    // The eigenvalues of P - P^2 have modulus |1 - w^k|, at most 2 cos(pi / 2n) for odd n.
    const n = 41;
    const edges: [number, number, number][] = [];
    for (let i = 0; i < n; i++) {
      for (let shift = 1; shift < n; shift++) {
        const change = shift === 1 ? size : shift === 2 ? -size : 0;
        edges.push([(i - shift + n) % n, i, 1 / n + change]);
      }
    }
    const { rate, error } = customGraph({ n, self: new Array(n).fill(1 / n), edges }).rate();
    const truth = size * 2 * Math.cos(Math.PI / (2 * n));
    expect(Math.abs(rate - truth)).toBeLessThanOrEqual(error! + 1e-15);
    expect(Math.abs(rate - truth)).toBeLessThan(1e-12);
  });

  test("a de Bruijn graph has norm 1 although W^tau = J (errata, multi-round form)", () => {
    const edges: [number, number, number][] = [];
    for (let i = 0; i < 16; i++) for (const c of [0, 1]) edges.push([(2 * i + c) % 16, i, 0.5]);
    expect(Math.abs(customGraph({ n: 16, self: new Array(16).fill(0), edges }).rate().rate - 1)).toBeLessThan(1e-12);
  });
});

describe("the paper's bounds", () => {
  test("M = ceil(8 / (3 rho^2) ln(2 n / p))", () => {
    expect(basisSize(300, 0.5, 0.1)).toBe(Math.ceil((32 / 3) * Math.log(6000)));
    expect(basisSize(2, 0.9, 0.5)).toBe(7);
    expect(basisSize(1000, 0.25, 0.5)).toBe(354);
  });

  test("the EquiDyn bounds at eta = 1/2 and rho = 0 are sqrt(1/2) and sqrt(2/3)", () => {
    expect(odEquiDynBound(0.5, 0) ** 2).toBeCloseTo(1 / 2, 15);
    expect(ouEquiDynBound(0.5, 0) ** 2).toBeCloseTo(2 / 3, 15);
    expect(odEquiDynBound(0.5, 0.4) ** 2).toBeCloseTo((1 + 0.4) / 2, 15);
    expect(ouEquiDynBound(0.5, 0.4) ** 2).toBeCloseTo((2 + 0.4) / 3, 15);
  });

  test("the bound is rho where it was asked for, D's rate for U, null for baselines", () => {
    const basis = [15, 11, 8, 10];
    expect(createTopology({ name: "d-equistatic", n: 100, rho: 0.8, p: 0.5 }).rate().bound).toBe(0.8);
    expect(createTopology({ name: "d-equistatic", n: 17, basis }).rate().bound).toBeNull();
    const directed = dEquiStatic({ n: 17, basis }).rate().rate;
    expect(createTopology({ name: "u-equistatic", n: 17, basis }).rate().bound).toBe(directed);
    expect(createTopology({ name: "ring", n: 17 }).rate().bound).toBeNull();
  });

  test("the EquiDyn bounds stand on the exact rho of their own basis: D's for OD, U's for OU", () => {
    const basis = [15, 11, 8, 10];
    const rho = (name: string) => createTopology({ name, n: 17, basis }).rate().rate;
    const bound = (name: string) => createTopology({ name, n: 17, basis, eta: 0.53 }).rate().bound;
    expect(bound("od-equidyn")).toBeCloseTo(odEquiDynBound(0.53, rho("d-equistatic")), 14);
    expect(bound("ou-equidyn")).toBeCloseTo(ouEquiDynBound(0.53, rho("u-equistatic")), 14);
  });

  test("Alg. 3 holds the graph's own norm against rho, with M of the theorem or the m given", () => {
    for (const name of ["d-equistatic", "u-equistatic"]) {
      for (let seed = 0; seed < 20; seed++) {
        const topology = createTopology({ name, n: 60, rho: 0.62, m: 8, seed });
        expect(topology.rate().rate).toBeLessThanOrEqual(0.62);
        expect(topology.spec["basis"]).toHaveLength(8);
      }
      expect(createTopology({ name, n: 60, rho: 0.6, p: 0.2 }).spec["basis"]).toHaveLength(basisSize(60, 0.6, 0.2));
    }
  });

  test("U-EquiStatic is drawn until its own norm is at most rho, whatever the directed one is", () => {
    const [n, m, rho] = [60, 8, 0.5];
    let told = 0;
    for (let seed = 0; seed < 60; seed++) {
      // Without rho the first connected draw is taken.
      const first = createTopology({ name: "u-equistatic", n, m, seed });
      const basis = first.spec["basis"] as number[];
      if (first.rate().rate > rho || dEquiStatic({ n, basis }).rate().rate <= rho) continue;
      expect(createTopology({ name: "u-equistatic", n, m, rho, seed }).spec["basis"]).toEqual(basis);
      told++;
    }
    expect(told).toBeGreaterThan(0);
  });

  test("a basis drawn by m alone always connects the nodes", () => {
    for (let n = 2; n <= 40; n++) {
      for (const m of [1, 2, 3]) {
        for (let seed = 0; seed < 10; seed++) {
          expect(dEquiStatic({ n, m, seed }).rate().rate, `n = ${n}, m = ${m}, seed = ${seed}`).toBeLessThan(1);
        }
      }
    }
  });
});

describe("predicted rounds", () => {
  const topology = (rate: number, periodNorm?: number, period = 1) => ({
    period,
    rate: () => ({
      rate,
      bound: null,
      method: "closed form" as const,
      ...(periodNorm === undefined ? {} : { periodNorm }),
    }),
  });

  test("the smallest k with rate^k <= tolerance", () => {
    expect(predictedRounds(topology(0.5), 2 ** -20)).toBe(20);
    expect(predictedRounds(topology(0.5), 2 ** -20 * 0.999)).toBe(21);
    expect(predictedRounds(topology(0.1), 1e-6)).toBe(6);
    expect(predictedRounds(topology(0), 1e-6)).toBe(1);
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99 }), fc.double({ min: 1e-12, max: 0.5 }), (rate, tolerance) => {
        const k = predictedRounds(topology(rate), tolerance);
        expect(rate ** k).toBeLessThanOrEqual(tolerance * (1 + 1e-7));
        if (k > 1) expect(rate ** (k - 1)).toBeGreaterThan(tolerance * (1 - 1e-7));
      }),
      drawn,
    );
  });

  test("a rate of 1 promises nothing", () => {
    expect(predictedRounds(topology(1), 1e-6)).toBe(Number.POSITIVE_INFINITY);
    expect(predictedRounds(topology(1 - 1e-16), 1e-6)).toBe(Number.POSITIVE_INFINITY);
    expect(predictedRounds(dEquiStatic({ n: 6, basis: [2, 4] }), 1e-6)).toBe(Number.POSITIVE_INFINITY);
  });

  test("one-peer exponential at even n has products of its own; powers of two are exact after one period", () => {
    expect(onePeerExp({ n: 300 }).rate().rate).toBe(1);
    // ln 1e-6 / ln 0.1486 = 7.2: eight periods of nine rounds are enough, and the last of them is not needed.
    expect(predictedRounds(onePeerExp({ n: 300 }), 1e-6)).toBe(71);
    for (let exponent = 1; exponent <= 12; exponent++) {
      const exact = onePeerExp({ n: 2 ** exponent });
      expect(exact.rate()).toMatchObject({ periodNorm: 0, periodRate: 0 });
      expect(predictedRounds(exact, 1e-12)).toBe(exponent);
    }
  });

  test("the sooner of both promises", () => {
    expect(predictedRounds(topology(0.9, 0.01, 4), 1e-4)).toBe(8);
    expect(predictedRounds(topology(0.1, 0.5, 4), 1e-4)).toBe(4);
  });
});
