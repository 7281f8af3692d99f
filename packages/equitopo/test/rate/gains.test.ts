/** Gains against the figures of a table computed apart, and one way of computing them against another. */

import { describe, expect, test } from "vitest";
import { eigenvalues, spectralRadius } from "../../src/rate/eigenvalues.ts";
import { type Gains, gains } from "../../src/rate/gains.ts";
import { customGraph } from "../../src/topology/custom.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";
import { asSparse } from "./as-sparse.ts";

/** As the tables have them. */
function shown({ rms, worst, noise }: Gains, digits: number): string {
  return [rms, worst, noise].map((value) => value.toFixed(digits)).join(" / ");
}

function alike(a: Gains, b: Gains, tolerance: number): void {
  for (const key of ["rms", "worst", "noise"] as const)
    expect(Math.abs(a[key] / b[key] - 1), key).toBeLessThan(tolerance);
}

describe("golden gains, rms / worst / noise", () => {
  test("OD-EquiDyn with the full basis: the same in every direction", () => {
    const found = [17, 25, 32, 300].map((n) => shown(gains(odEquiDyn({ n })), 2));
    expect(found).toEqual(["1.56 / 1.56 / 0.94", "1.62 / 1.62 / 0.96", "1.64 / 1.64 / 0.97", "1.72 / 1.72 / 1.00"]);
    expect([17, 25, 300].map((n) => gains(odEquiDyn({ n })).rms.toFixed(4))).toEqual(["1.5619", "1.6164", "1.7224"]);
  });

  test("one-peer-exp", () => {
    expect([17, 25, 32, 300].map((n) => shown(gains(onePeerExp({ n })), 3))).toEqual([
      "1.380 / 1.860 / 0.915",
      "1.453 / 2.451 / 0.914",
      "1.368 / 2.449 / 0.916",
      "1.659 / 4.761 / 0.988",
    ]);
  });

  test("exact graphs, over one vector a node and over two", () => {
    const found = (name: string, options: object, sizes: readonly number[]) =>
      sizes.map((n) => shown(gains(createTopology({ name, n, ...options })), 3));
    expect(found("base", { k: 1 }, [17, 25, 32])).toEqual([
      "2.050 / 6.337 / 1.103",
      "1.991 / 5.777 / 1.080",
      "1.368 / 2.449 / 0.916",
    ]);
    expect(found("ceca-2p", {}, [17, 25, 32])).toEqual([
      "1.437 / 1.955 / 0.921",
      "1.363 / 1.926 / 0.913",
      "1.368 / 2.449 / 0.916",
    ]);
    const both = (name: string, options: object) =>
      found(name, options, [17, 25, 32]).map((all) => all.split(" / ").slice(0, 2).join(" / "));
    expect(both("base", { k: 4 })).toEqual(["0.824 / 2.117", "0.408 / 0.707", "0.733 / 1.291"]);
    expect(both("de-bruijn", { p: 4 })).toEqual(["0.458 / 0.983", "0.495 / 1.097", "0.508 / 1.618"]);
  });

  test("D-EquiStatic with the authors' bases", () => {
    const both = (n: number, basis: readonly number[]) => shown(gains(dEquiStatic({ n, basis })), 3).slice(0, 13);
    expect(both(17, [15, 11, 8, 10, 16])).toBe("0.390 / 0.735");
    expect(both(300, [173, 48, 118, 193, 252, 196, 10, 212, 278])).toBe("0.382 / 1.633");
  });

  test("n = 300: Base-2, CECA-2P, Base-5, de Bruijn 4", () => {
    const at = (name: string, options: object) => shown(gains(createTopology({ name, n: 300, ...options })), 3);
    expect(at("base", { k: 1 })).toBe("2.126 / 10.967 / 1.089");
    expect(at("ceca-2p", {})).toBe("1.796 / 4.130 / 1.021");
    expect(at("base", { k: 4 })).toMatch(/^0\.684 \/ 1\.871/);
    expect(at("de-bruijn", { p: 4 })).toMatch(/^0\.575 \/ 2\.212/);
  });

  test("OU-EquiDyn with Euclid's pairs", () => {
    const found = [17, 25, 32, 300].map((n) => gains(ouEquiDyn({ n, construction: "euclid" })));
    expect(found.map(({ method }) => method)).toEqual(Array(4).fill("exact"));
    expect(found.map(({ rms }) => rms.toFixed(2))).toEqual(["1.73", "1.82", "1.64", "1.75"]);
  });
});

describe("one way against another", () => {
  test.each([
    ["one-peer-exp", onePeerExp({ n: 12 })],
    ["one-peer-exp, lazily", onePeerExp({ n: 11, lazy: true })],
    ["d-equistatic", dEquiStatic({ n: 18, m: 3 })],
    ["ring", ring({ n: 14 })],
  ])("%s: Fourier modes are the dense matrices", (_name, topology) => {
    alike(gains(topology), gains(asSparse(topology)), 1e-9);
  });

  test("a slow directed graph is summed by doubling, a slow undirected one by its eigenvalues", () => {
    const cycle = createTopology({ name: "d-equistatic", n: 40, basis: [1] });
    alike(gains(cycle), gains(asSparse(cycle)), 1e-8);
    const slow = ring({ n: 60, lazy: true });
    alike(gains(slow), gains(asSparse(slow)), 1e-8);
  });

  test("the draws of a basis that is the full one are its moments", () => {
    const n = 21;
    alike(
      gains(odEquiDyn({ n, basis: Array.from({ length: n - 1 }, (_, k) => k + 1) })),
      gains(odEquiDyn({ n })),
      1e-12,
    );
  });

  test("sampling comes within its error of what is exact, and gives the same twice", () => {
    const few = odEquiDyn({ n: 6, basis: [1, 4, 5] });
    const { draws: _few, ...unknown } = few;
    const sampled = gains(unknown);
    expect(Math.abs(sampled.noise - gains(few).noise)).toBeLessThan(sampled.error!.noise);
    const graph = odEquiDyn({ n: 40, basis: [1, 5, 17, 30], seed: 3 });
    const exact = gains(graph);
    const { draws: _, ...drawn } = graph;
    const found = gains(drawn);
    expect(found).toEqual(gains(drawn));
    expect(found.method).toBe("sampled");
    expect(Math.abs(found.rms - exact.rms)).toBeLessThan(1.5 * found.error!.rms);
    expect(Math.abs(found.noise - exact.noise)).toBeLessThan(1.5 * found.error!.noise);
    expect(Math.abs(found.worst - exact.worst)).toBeLessThan(Math.max(found.error!.worst, 0.2 * exact.worst));
  });

  test("one W by its definition: S = (W - J)(I - W + J)^-1 of two nodes", () => {
    const pair = customGraph({
      n: 2,
      self: [0.7, 0.7],
      edges: [
        [0, 1, 0.3],
        [1, 0, 0.3],
      ],
    });
    // W - J has the one eigenvalue 0.4.
    expect(gains(pair).rms).toBeCloseTo(0.4 / 0.6, 12);
    expect(gains(pair).worst).toBeCloseTo(0.4 / 0.6, 12);
    expect(gains(pair).noise).toBeCloseTo(Math.sqrt(0.16 / 0.84), 12);
  });

  test("a graph that never agrees has no gain", () => {
    const apart = dEquiStatic({ n: 6, basis: [2, 4] });
    expect(gains(apart)).toMatchObject({ rms: Infinity, worst: Infinity, noise: Infinity });
    expect(gains(asSparse(apart)).worst).toBeGreaterThan(1e9);
  });

  test("what has no gain is refused", () => {
    expect(() => gains({ ...ring({ n: 5 }), stochastic: "columns" })).toThrow(/rows that sum to 1/);
    expect(() => gains(ouEquiDyn({ n: 20_000 }))).toThrow(/n <= 16384/);
  });
});

describe("eigenvalues", () => {
  test("of a turn, of companions, of a random matrix: sums of powers are traces", () => {
    expect(spectralRadius(Float64Array.of(0, 1, 0, 0, 0, 1, 1, 0, 0), 3)).toBeCloseTo(1, 14);
    expect(Array.from(eigenvalues(Float64Array.of(2, 1, 0, 3), 2).re).sort()).toEqual([2, 3]);
    const n = 30;
    let state = 1;
    const a = Float64Array.from({ length: n * n }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 - 0.5;
    });
    const { re, im } = eigenvalues(a, n);
    let [trace, square, values, squares, imaginary] = [0, 0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      trace += a[i * n + i];
      for (let j = 0; j < n; j++) square += a[i * n + j] * a[j * n + i];
      values += re[i];
      squares += re[i] ** 2 - im[i] ** 2;
      imaginary += im[i];
    }
    expect(values).toBeCloseTo(trace, 11);
    expect(squares).toBeCloseTo(square, 11);
    expect(imaginary).toBeCloseTo(0, 12);
  });
});
