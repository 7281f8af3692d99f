import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convergence, type TheoryMethod, theoryMethods } from "../../src/theory/convergence.ts";
import { networkRate } from "../../src/theory/network-rate.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { ring } from "../../src/topology/ring.ts";
import { staticExp } from "../../src/topology/static-exp.ts";

const named = (method: TheoryMethod, setting: Parameters<typeof convergence>[1], T: number) =>
  Object.fromEntries(convergence(method, setting).terms.map((term) => [term.name, [term.at(T), term.dominatedFrom]]));

describe("against numbers by hand", () => {
  const setting = { n: 4, beta: 0.5, sigma: 2, b: 3, kappa: 5 };

  test("DSGD, non-convex", () => {
    // T = 64, T^(2/3) = 16: 2/16; 1/(16 0.5^(1/3)); 1.5^(2/3)/(16 0.5^(2/3)) = 3^(2/3)/16; 1/64.
    const terms = named("dsgd-nonconvex", setting, 64);
    expect(terms["linear speedup"]).toEqual([0.125, 0]);
    expect(terms["noise"][0]).toBeCloseTo(1 / (16 * 0.7937005259840998), 14);
    expect(terms["heterogeneity"][0]).toBeCloseTo(2.080083823051904 / 16, 14);
    expect(terms["start"][0]).toBe(1 / 64);
    // 1/16 64 / (1/4 4) = 4; 1/16 81 64 / (1/16 64) = 81; 1/4 4 / (1/4 4) = 1.
    expect([terms["noise"][1], terms["heterogeneity"][1], terms["start"][1]]).toEqual([4, 81, 1]);
    const found = convergence("dsgd-nonconvex", setting);
    expect(found.transientIterations).toBe(81);
    expect(found.limitedBy).toBe("heterogeneity");
    expect(found.at(64)).toBeCloseTo(0.125 + 0.07874506561842957 + 0.130005238940744 + 0.015625, 14);
  });

  test("DSGD, strongly convex", () => {
    // T = 10: 4/40; 5 0.5 4 / (0.5 100) = 0.2; 5 0.5 9 / (0.25 100) = 0.9; 2 exp(-1).
    const terms = named("dsgd-convex", setting, 10);
    expect(terms["linear speedup"]).toEqual([0.1, 0]);
    expect(terms["noise"][0]).toBeCloseTo(0.2, 14);
    expect(terms["heterogeneity"][0]).toBeCloseTo(0.9, 14);
    expect(terms["start"][0]).toBeCloseTo(2 / Math.E, 14);
    // 5 4 = 20 iterations; 5 0.5 9 4 / (0.25 4) = 90; T exp(-T/10) = 0.5 has its larger root at 44.9976 (bisection).
    expect([terms["noise"][1], terms["heterogeneity"][1]]).toEqual([20, 90]);
    const crossing = terms["start"][1];
    expect(crossing * Math.exp(-crossing / 10)).toBeCloseTo(0.5, 12);
    expect(crossing).toBeCloseTo(44.9976, 4);
    expect(convergence("dsgd-convex", setting).transientIterations).toBe(90);
  });

  test("DSGT", () => {
    // T = 64: 2/16; 2^(2/3)/(0.5 16); 1/(0.25 64).
    const terms = named("dsgt", setting, 64);
    expect(terms["linear speedup"]).toEqual([0.125, 0]);
    expect(terms["noise"][0]).toBeCloseTo(1.5874010519681994 / 8, 14);
    expect(terms["start"]).toEqual([0.0625, 16]);
    // 64 / (1/64 4) = 1024; 4 / (1/16 4) = 16; 1 / 0.5 = 2.
    expect(terms["noise"][1]).toBe(1024);
    expect(terms["validity"]).toEqual([0, 2]);
    expect(convergence("dsgt", setting).transientIterations).toBe(1024);
  });
});

test("each term crosses the first exactly where it says, and stays below from there on", () => {
  const positive = (max: number) => fc.double({ min: 0.05, max, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...theoryMethods),
      fc.integer({ min: 1, max: 10000 }),
      fc.double({ min: 0.01, max: 0.999, noNaN: true }),
      positive(10),
      positive(10),
      fc.double({ min: 1, max: 100, noNaN: true }),
      (method, n, beta, sigma, b, kappa) => {
        const { terms, transientIterations } = convergence(method, { n, beta, sigma, b, kappa });
        const [first, ...others] = terms;
        for (const term of others) {
          if (term.name === "validity") continue;
          const T = term.dominatedFrom;
          if (T > 0) expect(term.at(T) / first.at(T)).toBeCloseTo(1, 6);
          for (const later of [1.01, 2, 100]) {
            const at = later * Math.max(T, 1e-3);
            expect(term.at(at)).toBeLessThanOrEqual(first.at(at) * (1 + 1e-9));
          }
          expect(transientIterations).toBeGreaterThanOrEqual(T);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("no network, no transient: beta = 0 leaves DSGD only its start", () => {
  expect(convergence("dsgd-nonconvex", { n: 100, beta: 0 }).transientIterations).toBe(0);
  expect(convergence("dsgd-convex", { n: 100, beta: 0 }).limitedBy).toBe("start");
});

test("a disconnected network never gets there; without heterogeneity that term is absent", () => {
  const { terms, transientIterations } = convergence("dsgd-convex", { n: 10, beta: 1, b: 0 });
  expect(transientIterations).toBe(Number.POSITIVE_INFINITY);
  expect(terms[2].at(5)).toBe(0);
  expect(terms[2].dominatedFrom).toBe(0);
  expect(convergence("dsgt", { n: 10, beta: 1 }).transientIterations).toBe(Number.POSITIVE_INFINITY);
});

describe("growth with n is the paper's", () => {
  /** The exponent of n between two sizes. */
  const exponent = (method: TheoryMethod, beta: (n: number) => number, n: number, m: number) => {
    const transient = (size: number) => convergence(method, { n: size, beta: beta(size) }).transientIterations;
    return Math.log(transient(m) / transient(n)) / Math.log(m / n);
  };
  const ringRate = (n: number) => ring({ n }).rate().rate;
  const od = (n: number) => odEquiDyn({ n }).rate().rate;

  test("ring: n^11, n^5 and n^15", () => {
    expect(exponent("dsgd-nonconvex", ringRate, 1000, 4000)).toBeCloseTo(11, 2);
    expect(exponent("dsgd-convex", ringRate, 1000, 4000)).toBeCloseTo(5, 2);
    expect(exponent("dsgt", ringRate, 1000, 4000)).toBeCloseTo(15, 2);
  });

  test("OD-EquiDyn: n^3, n and n^3", () => {
    expect(exponent("dsgd-nonconvex", od, 1000, 4000)).toBeCloseTo(3, 1);
    expect(exponent("dsgd-convex", od, 1000, 4000)).toBeCloseTo(1, 2);
    expect(exponent("dsgt", od, 1000, 4000)).toBeCloseTo(3, 1);
  });

  test("static exponential: the gap is 2 / (ceil(log2 n) + 1), so n^3 ln^4 n", () => {
    const rate = (n: number) => staticExp({ n }).rate().rate;
    const scaled = (L: number) => {
      const n = 2 ** L;
      const beta = rate(n);
      return convergence("dsgd-nonconvex", { n, beta }).transientIterations / (n ** 3 * (L + 1) ** 4 * beta ** 4);
    };
    expect(scaled(8)).toBeCloseTo(1 / 16, 12);
    expect(scaled(12)).toBeCloseTo(1 / 16, 12);
  });
});

describe("the rate that stands for a topology", () => {
  test("one-peer exponential at powers of 2: exact after log2 n rounds, so 1 - beta = 1 / log2 n", () => {
    for (const L of [2, 5, 8]) {
      expect(networkRate(onePeerExp({ n: 2 ** L }))).toEqual({ beta: 1 - 1 / L, from: "period", geometricMean: 0 });
    }
  });

  test("one-peer exponential at n = 300: its period's norm 0.1486 over 9 rounds", () => {
    const { beta, geometricMean } = networkRate(onePeerExp({ n: 300 }));
    expect(beta).toBeCloseTo(1 - (1 - 0.1486) / 9, 5);
    expect(geometricMean).toBeCloseTo(0.1486 ** (1 / 9), 4);
  });

  test("static and random graphs: the rate itself", () => {
    expect(networkRate(ring({ n: 17 }))).toEqual({ beta: ring({ n: 17 }).rate().rate, from: "round" });
    expect(networkRate(odEquiDyn({ n: 17 })).beta).toBe(odEquiDyn({ n: 17 }).rate().rate);
  });
});

test("refuses what has no meaning", () => {
  expect(() => convergence("dsgd" as never, { n: 3, beta: 0.5 })).toThrow(/method must be one of/);
  expect(() => convergence("dsgt", { n: 3, beta: 1.5 })).toThrow(/beta must lie in \[0, 1\], got 1.5/);
  expect(() => convergence("dsgt", { n: 3, beta: 0.5, sigma: 0 })).toThrow(/sigma must be above 0, got 0/);
  expect(() => convergence("dsgt", { n: 3, beta: 0.5, kappa: 0.5 })).toThrow(/kappa/);
});
