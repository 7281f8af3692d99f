/** The stability radius of D2, exact diffusion and NIDS: figures computed apart, one way against another, and real runs. */

import { describe, expect, test } from "vitest";
import { spectrum } from "../../src/rate/spectrum.ts";
import { stability } from "../../src/rate/stability.ts";
import { selfWeight } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { deBruijn } from "../../src/topology/de-bruijn.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";
import type { Topology } from "../../src/topology/topology.ts";
import { asSparse } from "./as-sparse.ts";

const radius = (topology: Topology) => stability(topology).radius;

describe("golden radii", () => {
  test("OD-EquiDyn: stable lazily for every n, unstable plainly", () => {
    expect([17, 25, 300].map((n) => radius(odEquiDyn({ n })).toFixed(4))).toEqual(["0.9292", "0.9379", "0.9537"]);
    expect(radius(odEquiDyn({ n: 1e6 })).toFixed(4)).toBe("0.9551");
    expect(stability(odEquiDyn({ n: 300 }), "plain").radius.toFixed(2)).toBe("1.26");
  });

  test("one-peer-exp: unstable", () => {
    expect([17, 25, 32].map((n) => radius(onePeerExp({ n })).toFixed(3))).toEqual(["1.049", "1.026", "1.040"]);
  });

  test("exact graphs and de Bruijn's, one W that is not symmetric", () => {
    const found = (name: string, options: object) =>
      [17, 25, 32].map((n) => radius(createTopology({ name, n, ...options })).toFixed(3));
    expect(found("base", { k: 1 })).toEqual(["1.114", "1.135", "1.055"]);
    expect(found("base", { k: 4 })).toEqual(["0.940", "0.841", "0.891"]);
    expect(found("de-bruijn", { p: 4 })).toEqual(["0.812", "0.839", "0.707"]);
    expect(radius(createTopology({ name: "random-matching", n: 300 })).toFixed(4)).toBe("0.9537");
  });

  test("OU-EquiDyn: Euclid's pairs are stable for every n, the greedy ones no longer at n = 300", () => {
    expect([17, 25, 120].map((n) => radius(ouEquiDyn({ n, construction: "euclid" })).toFixed(4))).toEqual([
      "0.9551",
      "0.9666",
      "0.9587",
    ]);
    expect([17, 25, 120].map((n) => radius(ouEquiDyn({ n })).toFixed(4))).toEqual(["0.9809", "0.9892", "0.9981"]);
    expect(radius(ouEquiDyn({ n: 300 })).toFixed(5)).toBe("1.00008");
  });
});

describe("one way against another", () => {
  test("Fourier modes are the dense matrices, of one W and of a period", () => {
    for (const graph of [
      onePeerExp({ n: 12 }),
      onePeerExp({ n: 9, lazy: true }),
      dEquiStatic({ n: 15 }),
      ring({ n: 10 }),
    ]) {
      expect(radius(asSparse(graph)), graph.name).toBeCloseTo(radius(graph), 9);
    }
  });

  test("one symmetric W: the root of (1 + largest eigenvalue) / 2", () => {
    const graph = ring({ n: 13 });
    expect(radius(graph)).toBeCloseTo(Math.sqrt((1 + graph.rate().eigenvalues!.largest) / 2), 12);
  });

  test("one W whose eigenvalues are all 0: only one of the zeros is that of consensus", () => {
    expect(radius(asSparse(createTopology({ name: "complete", n: 6 })))).toBeCloseTo(Math.SQRT1_2, 9);
  });

  test("EXTRA and DIGing over one symmetric W: stable up to steps that its smallest eigenvalue tells", () => {
    for (const graph of [ring({ n: 8 }), createTopology({ name: "u-equistatic", n: 20, m: 3 })]) {
      const { smallest } = graph.rate().eigenvalues!;
      const [extra, diging] = [(5 + 3 * smallest) / 4, (1 + smallest) ** 2 / 2];
      // The step that its authors prove is below that.
      expect(1 + smallest).toBeLessThanOrEqual(extra);
      for (const [form, most] of [
        ["extra", extra],
        ["diging", diging],
      ] as const) {
        expect(stability(graph, form, 0.99 * most).radius, `${graph.name}, ${form}`).toBeLessThan(1);
        expect(stability(graph, form, 1.01 * most).radius, `${graph.name}, ${form}`).toBeGreaterThan(1);
      }
    }
  });

  test("the draws of a basis that is the full one are its moments", () => {
    const n = 21;
    expect(radius(odEquiDyn({ n, basis: Array.from({ length: n - 1 }, (_, k) => k + 1) }))).toBeCloseTo(
      radius(odEquiDyn({ n })),
      12,
    );
  });

  test("pairs of OU-EquiDyn by hand: three nodes have one pair and one idle node", () => {
    // Exchangeable: E W = E W^T W = 1/2 on disagreements, the limit of a large matching.
    const lazily = stability({ ...odEquiDyn({ n: 3 }), moments: { mean: 0.5, square: 0.5 } }).radius;
    expect(radius(ouEquiDyn({ n: 3 }))).toBeCloseTo(lazily, 9);
    expect(radius(ouEquiDyn({ n: 2 }))).toBeCloseTo(0.5, 9);
  });

  test("sampling comes within its error of what is exact, and gives the same twice", () => {
    const withoutForms = ({ moments: _m, draws: _d, turned: _t, ...rest }: Topology): Topology => rest;
    for (const [graph, most] of [
      [odEquiDyn({ n: 25 }), 0.03],
      [ouEquiDyn({ n: 17 }), 0.007],
      [odEquiDyn({ n: 30, basis: [1, 7, 12] }), 0.004],
    ] as const) {
      const found = stability(withoutForms(graph));
      expect(found.method).toBe("sampled");
      expect(Math.abs(found.radius - radius(graph)), graph.name).toBeLessThan(found.error!);
      expect(found.error).toBeLessThan(most);
    }
    const once = withoutForms(ouEquiDyn({ n: 5 }));
    expect(stability(once)).toEqual(stability(once));
  });

  test("label differences of a pairing are turned by its start", () => {
    for (const construction of ["greedy", "euclid"] as const) {
      const graph = ouEquiDyn({ n: 12, construction });
      const partnerOf = (shift: number, start: number) => {
        const round = graph.roundOf!({ shift, start });
        return round.kind === "matching" ? round.partner : new Int32Array(0);
      };
      for (let v = 1; v < 12; v++) {
        const turned = Array.from({ length: 12 }, (_, i) => (partnerOf(v, 0)[(i + 12 - 5) % 12] + 5) % 12);
        expect(Array.from(partnerOf(v, 5))).toEqual(turned);
      }
    }
  });
});

describe("matrices whose eigenvalues fall together", () => {
  const graphs = [48, 56, 72, 75, 92, 104, 128].flatMap((n) => [2, 3, 4, 5].map((p) => ({ n, p })));

  test("de Bruijn graphs have all of them, and they add up to the trace", () => {
    for (const { n, p } of graphs) {
      const graph = deBruijn({ n, p });
      expect(radius(graph), `n = ${n}, p = ${p}`).toBeLessThan(1.02);
      const round = graph.round(0);
      const trace = Array.from({ length: n }, (_, i) => selfWeight(round, i)).reduce((sum, own) => sum + own, 0);
      const { re, im } = spectrum(graph);
      expect(re.reduce((sum, x) => sum + x, 0)).toBeCloseTo(trace, 9);
      // Beside consensus all are 1 / p or 0; the zeros of a Jordan block of size k are off by the k-th root of rounding.
      for (const [k, x] of re.entries()) {
        const modulus = Math.hypot(x, im[k]);
        expect(Math.min(Math.abs(modulus - 1 / p), Math.abs(modulus - 1), modulus)).toBeLessThan(0.02);
      }
    }
  });
});

describe("what the radius promises", () => {
  const n = 17;
  const problem = quadratic({ n, d: 2 });
  const run = (topology: Topology, name: string) =>
    simulate({ topology, algorithm: { name, learningRate: 0.02 }, problem, rounds: 600, every: 600 });

  test.each(["d2", "exact-diffusion", "nids"])("%s is exact over random rounds", (name) => {
    for (const topology of [odEquiDyn({ n }), ouEquiDyn({ n, construction: "euclid" })]) {
      expect(run(topology, name).metrics["error"].at(-1), topology.name).toBeLessThan(1e-9);
    }
  });
});
