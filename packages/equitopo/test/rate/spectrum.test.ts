import { createTopology, dEquiStatic, odEquiDyn, onePeerExp, ouEquiDyn, ring } from "equitopo";
import { roundSpectrum, spectrum } from "equitopo/rate";
import { describe, expect, it } from "vitest";
import { asSparse } from "./as-sparse.ts";

/** Moduli beside the 1 of consensus, largest first. */
function moduli({ re, im }: { re: Float64Array; im: Float64Array }): number[] {
  return Array.from(re, (x, k) => Math.hypot(x, im[k]))
    .slice(1)
    .sort((a, b) => b - a);
}

describe("the eigenvalues of a round", () => {
  it.each([
    ["a ring", ring({ n: 12 })],
    ["a directed circulant", dEquiStatic({ n: 12, basis: [1, 5] })],
    ["a pairing", ouEquiDyn({ n: 13 })],
    ["a grid", createTopology({ name: "grid", n: 12 })],
    ["a star", createTopology({ name: "star", n: 9 })],
    ["the mean", createTopology({ name: "complete", n: 6 })],
  ])("of %s are those of the same weights as a list of edges", (_name, topology) => {
    const given = roundSpectrum(topology.round(3));
    expect(given.re).toHaveLength(topology.n);
    expect(given.re[0]).toBeCloseTo(1, 12);
    const dense = moduli(roundSpectrum(asSparse(topology).round(3)));
    moduli(given).forEach((modulus, k) => {
      expect(modulus).toBeCloseTo(dense[k], 7);
    });
  });

  it.each(["ring", "d-equistatic", "static-exp", "grid", "hypercube", "paley"])(
    "reach the exact rate of %s",
    (name) => {
      const topology = createTopology({ name, n: name === "hypercube" ? 16 : 13 });
      expect(moduli(spectrum(topology))[0]).toBeCloseTo(topology.rate().rate, 9);
    },
  );
});

describe("the eigenvalues of a topology", () => {
  it("whose rounds repeat are those of one period", () => {
    const { of, rounds, ...exact } = spectrum(onePeerExp({ n: 32 }));
    expect({ of, rounds }).toEqual({ of: "period", rounds: 5 });
    expect(moduli(exact)[0]).toBeLessThan(1e-15);
    const graph = createTopology({ name: "simple-base", n: 12 });
    expect(moduli(spectrum(graph))[0]).toBeLessThan(1e-6);
  });

  it("whose rounds are drawn are those of E W, near the mean of many rounds", () => {
    for (const topology of [odEquiDyn({ n: 9, seed: 1 }), ouEquiDyn({ n: 9, seed: 1 })]) {
      const closed = spectrum(topology);
      expect(closed.of).toBe("mean");
      const { draws: _, turned: __, moments: ___, ...plain } = topology;
      const sampled = spectrum(plain);
      expect(sampled.of).toBe("sampled mean");
      expect(Math.abs(moduli(closed)[0] - moduli(sampled)[0])).toBeLessThan(0.12);
      expect(moduli(closed)[0]).toBeLessThanOrEqual(topology.rate().rate + 1e-12);
    }
  });

  it("are refused where there is no matrix, or too large a one", () => {
    expect(() => spectrum(createTopology({ name: "ceca-1p", n: 8 }))).toThrow("two vectors");
    expect(() => spectrum(createTopology({ name: "grid", n: 500 }))).toThrow("no closed form");
  });
});
