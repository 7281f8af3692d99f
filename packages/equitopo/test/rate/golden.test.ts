/**
 * Values computed independently, in another language, and the closed forms derived beside the paper. Every number says
 * where it comes from: "golden" are an independent implementation's, "errata" the closed forms' published values.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BasisSpectrum } from "../../src/rate/circulant.ts";
import { greedyMatched } from "../../src/rate/equidyn.ts";
import { applyRound } from "../../src/round/apply.ts";
import type { MatchingRound, Round } from "../../src/round/round.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { greedyMatching } from "../../src/topology/matching.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { ouEquiDyn } from "../../src/topology/ou-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";
import { uEquiStatic } from "../../src/topology/u-equistatic.ts";

/** The authors' basis of the consensus experiment at n = 300, and of the one at n = 17. */
const BASIS_300 = [173, 48, 118, 193, 252, 196, 10, 212, 278];
const BASIS_17 = [15, 11, 8, 10];

describe("golden: ||Pi W||_2", () => {
  const values: [Parameters<typeof createTopology>[0], string][] = [
    [{ name: "d-equistatic", n: 300, basis: BASIS_300 }, "0.708909"],
    [{ name: "u-equistatic", n: 300, basis: BASIS_300 }, "0.634469"],
    [{ name: "d-equistatic", n: 17, basis: BASIS_17 }, "0.5538"],
    [{ name: "u-equistatic", n: 17, basis: BASIS_17 }, "0.3404"],
    [{ name: "d-equistatic", n: 17, basis: [...BASIS_17, 16] }, "0.4791"],
    [{ name: "u-equistatic", n: 17, basis: [...BASIS_17, 16] }, "0.4232"],
    // The Paley graph.
    [{ name: "u-equistatic", n: 17, basis: [1, 2, 4, 8] }, "0.242536"],
    [{ name: "static-exp", n: 300 }, "0.800000"],
    [{ name: "static-exp", n: 17 }, "0.547621"],
    [{ name: "ring", n: 17 }, "0.954981"],
    [{ name: "ring", n: 300 }, "0.99985379"],
    [{ name: "grid", n: 16 }, "0.868641"],
    [{ name: "grid", n: 300, rows: 15, cols: 20 }, "0.994913"],
    [{ name: "torus", n: 16 }, "0.600000"],
    [{ name: "torus", n: 300, rows: 15, cols: 20 }, "0.980423"],
  ];
  test.each(values)("%j has rate %s", (spec, value) => {
    expect(
      createTopology(spec)
        .rate()
        .rate.toFixed(value.length - 2),
    ).toBe(value);
  });

  test("static exponential is (L - 1)/(L + 1) at even n", () => {
    for (let n = 4; n <= 400; n += 2) {
      const length = Math.ceil(Math.log2(n));
      expect(createTopology({ name: "static-exp", n }).rate().rate).toBeCloseTo((length - 1) / (length + 1), 13);
    }
  });

  test("hypercube is (d - 1)/(d + 1)", () => {
    for (let d = 1; d <= 10; d++) {
      expect(createTopology({ name: "hypercube", n: 2 ** d }).rate().rate).toBeCloseTo((d - 1) / (d + 1), 15);
    }
  });

  test.each([
    [6, "0.2165"],
    [17, "0.0614"],
    [25, "0.1921"],
    [300, "0.1486"],
  ])("one-peer exponential at n = %d has a period of norm %s", (n, value) => {
    expect(onePeerExp({ n }).rate().periodNorm?.toFixed(4)).toBe(value);
  });
});

describe("golden: the best possible D at n = 17, by trying every multiset", () => {
  /** Every multiset of m indices that holds 1: multiplying a basis by a unit of Z_17 does not change its rate. */
  function best(m: number): number {
    const n = 17;
    const spectrum = new BasisSpectrum(n, new Array<number>(m).fill(1));
    let least = 1;
    const visit = (position: number, from: number) => {
      if (position === m) {
        least = Math.min(least, spectrum.rate());
        return;
      }
      for (let u = from; u < n; u++) {
        spectrum.swap(position, u);
        visit(position + 1, u);
      }
    };
    visit(1, 1);
    return least;
  }

  test.each([
    [4, "0.525900"],
    [5, "0.435436"],
  ])("M = %d: %s", (m, value) => {
    expect(best(m).toFixed(6)).toBe(value);
  });
});

/** ||W(t-1) ... W(0) e_1 - J e_1||. */
function distances(topology: Topology, rounds: number): number[] {
  const { n } = topology;
  let x = new Float64Array(n);
  x[0] = 1;
  return Array.from({ length: rounds + 1 }, (_, t) => {
    if (t > 0) x = applyRound(topology.round(t - 1), x, new Float64Array(n));
    return Math.sqrt(x.reduce((sum, value) => sum + (value - 1 / n) ** 2, 0));
  });
}

describe("golden: ||W^t e_1 - J e_1|| at n = 300", () => {
  test.each([
    ["d-equistatic", { basis: BASIS_300 }, ["3.271840197e-1", "2.632005e-2", "3.491069e-3", "9.372047e-5"]],
    ["u-equistatic", { basis: BASIS_300 }, ["2.532332757e-1", "1.652793e-2", "1.361609e-3", "1.217824e-5"]],
    ["static-exp", {}, ["3.109126351e-1", "3.396128e-2", "7.476941e-3", "6.753039e-4"]],
  ])("%s", (name, options, expected) => {
    const found = distances(createTopology({ name, n: 300, ...options }), 20);
    expect([1, 5, 10, 20].map((t, k) => found[t].toExponential(k === 0 ? 9 : 6))).toEqual(expected);
  });

  test("one-peer-exp", () => {
    const found = distances(onePeerExp({ n: 300 }), 27);
    expect([found[9], found[27]].map((value) => value.toExponential(6))).toEqual(["1.540206e-2", "2.742261e-4"]);
  });
});

describe("errata: exact rates beyond the paper's bounds", () => {
  const square = (topology: Topology) => topology.rate().rate ** 2;

  test.each([
    [17, "0.548107", "0.501730"],
    [300, "0.573350", "0.504688"],
    [1000, "0.574341", "0.500801"],
  ])("OU-EquiDyn, full basis, eta = 1/2, n = %d: greedy %s, euclid %s", (n, greedy, euclid) => {
    expect(square(ouEquiDyn({ n, eta: 0.5 })).toFixed(6)).toBe(greedy);
    expect(square(ouEquiDyn({ n, eta: 0.5, construction: "euclid" })).toFixed(6)).toBe(euclid);
  });

  test("OD-EquiDyn, full basis: (1 - eta)^2 + eta^2 (1 - 2/n), and 1/2 - 1/(2n) at eta = 1/2", () => {
    for (const n of [2, 3, 17, 300, 1001]) {
      for (const eta of [0.1, 0.53, 1]) {
        const expected = (1 - eta) ** 2 + eta ** 2 * (1 - 2 / n);
        expect(square(createTopology({ name: "od-equidyn", n, eta }))).toBeCloseTo(expected, 13);
      }
      expect(square(createTopology({ name: "od-equidyn", n, eta: 0.5 }))).toBeCloseTo(1 / 2 - 1 / (2 * n), 14);
    }
  });

  test("the best eta is n / (2 (n - 1)): 17/32 at n = 17", () => {
    expect(createTopology({ name: "od-equidyn", n: 17 }).spec["eta"]).toBe(17 / 32);
    expect(createTopology({ name: "ou-equidyn", n: 17 }).spec["eta"]).toBe(17 / 32);
  });

  test("the alternative construction is never worse than Alg. 2 with the full basis", () => {
    for (let n = 2; n <= 120; n++) {
      const euclid = ouEquiDyn({ n, construction: "euclid" }).rate().rate;
      expect(euclid, `n = ${n}`).toBeLessThanOrEqual(ouEquiDyn({ n }).rate().rate + 1e-14);
    }
  });

  test("the all-odd basis at n = 24: rho 0.917, bound 0.958, exact beta^2 0.501", () => {
    const basis = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23];
    expect(dEquiStatic({ n: 24, basis }).rate().rate.toFixed(3)).toBe("0.917");
    const { rate, bound } = createTopology({ name: "od-equidyn", n: 24, basis, eta: 0.5 }).rate();
    expect((bound! ** 2).toFixed(3)).toBe("0.958");
    expect((rate ** 2).toFixed(3)).toBe("0.501");
  });

  test("one-peer exponential against OD-EquiDyn per round: 0.572 to 0.686, 0.687 to 0.707, 0.809", () => {
    const period = (n: number) => onePeerExp({ n }).rate().periodRate!.toFixed(3);
    const equiDyn = (n: number) => createTopology({ name: "od-equidyn", n, eta: 0.5 }).rate().rate.toFixed(3);
    expect([period(17), equiDyn(17)]).toEqual(["0.572", "0.686"]);
    expect([period(1000), equiDyn(1000)]).toEqual(["0.687", "0.707"]);
    expect(period(300)).toBe("0.809");
  });

  test("errata 4: U-EquiStatic has degree up to 2M", () => {
    expect(uEquiStatic({ n: 300, basis: BASIS_300 }).maxDegree).toBe(16);
    expect(uEquiStatic({ n: 17, basis: BASIS_17 }).maxDegree).toBe(8);
    expect(uEquiStatic({ n: 17, basis: [...BASIS_17, 16] }).maxDegree).toBe(10);
  });

  test("errata 5: a third of the nodes is idle in some rounds of OU-EquiDyn, never more", () => {
    const idle = greedyMatching(300, 100, 0).reduce((count, j, i) => count + (j === i ? 1 : 0), 0);
    expect(idle).toBe(100);
    for (let v = 1; v < 300; v++) expect(1 - greedyMatched(300, v)).toBeLessThanOrEqual(1 / 3 + 1e-15);
  });

  test("errata 6: over 500 draws at n = 300, M = 9 the median is about 0.735 (D) and 0.640 (U), the worst near 1", () => {
    const draws = Array.from({ length: 500 }, (_, seed) => new BasisSpectrum(300, [...basisOf(seed)]));
    const middle = (rates: number[]) => rates.sort((a, b) => a - b)[250];
    expect(Math.abs(middle(draws.map((spectrum) => spectrum.rate())) - 0.735)).toBeLessThan(0.015);
    expect(Math.abs(middle(draws.map((spectrum) => spectrum.rate("real"))) - 0.64)).toBeLessThan(0.015);
    expect(Math.max(...draws.map((spectrum) => spectrum.rate()))).toBeGreaterThan(0.9);
  });

  function basisOf(seed: number): readonly number[] {
    return dEquiStatic({ n: 300, m: 9, seed }).spec["basis"] as readonly number[];
  }
});

/** fixtures/trajectories.json: an independent implementation's runs, with all random choices written out. */
interface Trajectories {
  readonly least_squares: {
    readonly n: number;
    readonly basis_u: number[];
    readonly v_s_per_iteration: [v: number, oneBasedStart: number][];
    readonly runs: Record<string, { gossip_x0: number[]; gossip_x_per_iteration: number[][] }>;
  };
}

describe("golden: gossip trajectories of trajectories.json, to 1e-12", () => {
  const path = new URL("../fixtures/trajectories.json", import.meta.url);
  const { n, basis_u, v_s_per_iteration, runs } = (JSON.parse(readFileSync(path, "utf8")) as Trajectories)
    .least_squares;
  const eta = 0.53;
  const rounds: Record<string, (t: number) => Round> = {
    "D-EquiStatic": dEquiStatic({ n, basis: basis_u }).round,
    ring: createTopology({ name: "ring", n }).round,
    // Its starts are 1-based.
    "OU-EquiDyn CuMN eta=0.53": (t): MatchingRound => {
      const [v, s] = v_s_per_iteration[t];
      return { kind: "matching", n, weight: (eta * (n - 1)) / n, partner: greedyMatching(n, v, s - 1) };
    },
  };

  test("every run of the file is here", () => {
    expect(Object.keys(rounds).sort()).toEqual(Object.keys(runs).sort());
  });

  test.each(Object.keys(rounds))("%s", (name) => {
    const run = runs[name];
    let x = Float64Array.from(run.gossip_x0);
    run.gossip_x_per_iteration.forEach((expected, t) => {
      x = applyRound(rounds[name](t), x, new Float64Array(n));
      expected.forEach((value, i) => {
        expect(Math.abs(x[i] - value), `node ${i} after ${t + 1} rounds`).toBeLessThan(1e-12);
      });
    });
    expect(run.gossip_x_per_iteration).toHaveLength(12);
  });
});
