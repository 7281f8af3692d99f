/**
 * Golden values of the finite-time graphs and of those whose product is a window of labels: published lengths, closed
 * forms, figures computed independently. That they keep every law stands in topology-laws.test.ts.
 */

import { describe, expect, test } from "vitest";
import { smoothPart } from "../../src/number/factors.ts";
import { powMod } from "../../src/number/integers.ts";
import { windowNorm } from "../../src/rate/window.ts";
import { applyRound } from "../../src/round/apply.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { consensusNorm, multiply } from "../../src/testing/dense.ts";
import { must, near } from "../../src/testing/law.ts";
import { equalsOracle } from "../../src/testing/rate.ts";
import { checkAt, topologyChecks } from "../../src/testing/topology.ts";
import { base } from "../../src/topology/base.ts";
import { deBruijn } from "../../src/topology/de-bruijn.ts";
import { doubling } from "../../src/topology/doubling.ts";
import { fewestFactors, hyperHypercube, publishedFactors } from "../../src/topology/hyper-hypercube.ts";
import { kPeerExp } from "../../src/topology/k-peer-exp.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { simpleBase } from "../../src/topology/simple-base.ts";
import type { Topology } from "../../src/topology/topology.ts";

/** Rounds from round `phase` on until a start without any symmetry is the mean to 1e-11. */
function roundsToExact({ n, ...topology }: Topology, phase = 0, most = 100): number {
  let x = Float64Array.from({ length: n }, (_, i) => ((i * i * 7919 + 31 * i) % 1009) / 1009);
  const mean = x.reduce((sum, value) => sum + value, 0) / n;
  for (let t = 0; t < most; t++) {
    if (x.every((value) => Math.abs(value - mean) < 1e-11)) return t;
    x = applyRound(topology.round(phase + t), x, new Float64Array(n)) as Float64Array<ArrayBuffer>;
  }
  return Number.POSITIVE_INFINITY;
}

/** The least m with a norm of at most 1e-6. */
function roundsTo(norm: (m: number) => number): number {
  let m = 1;
  while (norm(m) > 1e-6) m++;
  return m;
}

/** norm(m) is that of the product of dense rounds. */
function normIsDense(topology: Topology, most: number): void {
  const { n } = topology;
  let product: Float64Array | undefined;
  for (let m = 1; m <= most; m++) {
    const round = denseMatrix(topology.round(m - 1));
    product = product === undefined ? round : multiply(round, product, n);
    near(topology.norm?.(m), consensusNorm(product, n), `${JSON.stringify(topology.spec)}, norm(${m})`, 1e-12);
  }
}

describe("Base and Simple Base", () => {
  const lengths = (make: typeof base, n: number, ks: readonly number[]) => ks.map((k) => make({ n, k }).exactAfter);

  test("published lengths", () => {
    const ks = [1, 2, 3, 4];
    expect(lengths(base, 17, [1])).toEqual([9]);
    expect(lengths(base, 25, [1])).toEqual([9]);
    expect(lengths(base, 300, ks)).toEqual([15, 9, 7, 4]);
    expect(lengths(simpleBase, 300, ks)).toEqual([17, 11, 9, 4]);
    expect(lengths(base, 1000, ks)).toEqual([16, 12, 9, 5]);
    expect(lengths(base, 4900, ks)).toEqual([23, 15, 12, 8]);
    expect(lengths(base, 1_000_000, [1])).toEqual([33]);
    expect(lengths(base, 1_000_003, [1])).toEqual([39]);
    // From k = 6 on a floating product of powers would overflow; these three are known to break other programs.
    for (const [n, k] of [
      [102, 12],
      [69, 16],
      [119, 12],
    ]) {
      expect(roundsToExact(base({ n, k }))).toBeLessThanOrEqual(base({ n, k }).exactAfter as number);
    }
  });

  test("exact after that length, and no longer than 2 log n + 2, for every n to 130 and k to 5", () => {
    for (let n = 2; n <= 130; n++) {
      for (let k = 1; k <= 5; k++) {
        for (const graph of [base({ n, k }), simpleBase({ n, k })]) {
          const { exactAfter = 0 } = graph;
          must(roundsToExact(graph) <= exactAfter, `${JSON.stringify(graph.spec)} is not exact`);
          must((k + 1) ** (exactAfter - 2) <= n * n, `${JSON.stringify(graph.spec)} takes ${exactAfter} rounds`);
        }
      }
    }
  });

  test("started in the middle of a period it waits for up to two", () => {
    const from = (n: number) => {
      const graph = base({ n });
      return Array.from({ length: graph.period as number }, (_, phase) => roundsToExact(graph, phase));
    };
    expect(from(17)).toEqual([9, 17, 16, 15, 14, 13, 12, 11, 10]);
    expect(Math.max(...from(300))).toBe(27);
  });

  test("who has a partner is that partner's partner, to n = 2^20 + 1", () => {
    for (const n of [2 ** 20 + 1, 1_000_003, 999_999, 300_007]) {
      for (const k of [1, 2, 6]) {
        const graph = base({ n, k });
        for (let t = 0; t < (graph.period as number); t++) {
          for (let draw = 0; draw < 12; draw++) {
            // The last nodes are those that are served.
            const i = draw < 4 ? n - 1 - draw : (draw * 7_654_321 + t * 104_729) % n;
            const { self, from } = graph.peers(t, i);
            let sum = self;
            for (const { node, weight } of from) {
              sum += weight;
              const back = graph.peers(t, node).from.find((link) => link.node === i);
              must(back?.weight === weight, `n = ${n}, k = ${k}, round ${t}: ${node} does not know ${i}`);
            }
            near(sum, 1, `row ${i} of round ${t}`);
          }
        }
      }
    }
  });

  test("one peer a round is a matching while all weights agree", () => {
    const kinds = (n: number) => {
      const graph = base({ n });
      return new Set(Array.from({ length: graph.period as number }, (_, t) => graph.round(t).kind));
    };
    expect(kinds(64)).toEqual(new Set(["matching"]));
    expect(kinds(17)).toEqual(new Set(["matching", "sparse"]));
    expect(simpleBase({ n: 3 }).round(1)).toMatchObject({ kind: "matching", weight: 2 / 3 });
  });
});

describe("hyper-hypercube", () => {
  test("factors as published, and the fewest", () => {
    expect(publishedFactors(300, 9)).toEqual([3, 10, 10]);
    expect(publishedFactors(216, 7)).toEqual([3, 3, 3, 8]);
    expect(fewestFactors(216, 7)).toEqual([6, 6, 6]);
    expect(publishedFactors(648, 7)).toHaveLength(5);
    expect(fewestFactors(648, 7)).toEqual([3, 6, 6, 6]);
    for (const k of [11, 12, 13]) {
      expect(publishedFactors(900, k)).toHaveLength(4);
      expect(fewestFactors(900, k)).toEqual([9, 10, 10]);
    }
    for (let n = 2; n <= 200; n++) {
      for (let k = 1; k < 20; k++) {
        if (smoothPart(n, k + 1) !== n) continue;
        const fewest = fewestFactors(n, k);
        expect(fewest.reduce((product, factor) => product * factor)).toBe(n);
        expect(Math.max(...fewest)).toBeLessThanOrEqual(k + 1);
        expect(fewest.length).toBeLessThanOrEqual(publishedFactors(n, k).length);
      }
    }
  });

  test("k = 1 pairs i with i XOR 2^t", () => {
    const graph = hyperHypercube({ n: 32 });
    for (let t = 0; t < 10; t++) {
      const partner = Int32Array.from({ length: 32 }, (_, i) => i ^ (2 ** (t % 5)));
      expect(graph.round(t)).toEqual({ kind: "matching", n: 32, weight: 0.5, partner });
    }
  });

  test("keeps every law at the n that only a larger k admits; exact after any m rounds in a row", () => {
    for (const [n, k] of [
      [6, 2],
      [12, 3],
      [15, 4],
      [18, 2],
      [20, 4],
      [30, 5],
      [35, 6],
      [36, 5],
    ]) {
      for (const factors of ["published", "fewest"]) {
        const spec = { name: "hyper-hypercube", n, k, factors };
        for (const law of [...Object.values(topologyChecks), equalsOracle]) checkAt(spec, createTopology, law);
        const graph = createTopology(spec);
        normIsDense(graph, 2 + (graph.period as number));
        for (let phase = 0; phase < (graph.period as number); phase++) {
          expect(roundsToExact(graph, phase)).toBe(graph.exactAfter);
        }
      }
    }
  });

  test("refuses an n with a larger prime, and says what would do", () => {
    expect(() => hyperHypercube({ n: 300 })).toThrow(/factor above 2, such as 5, got 300; try k = 4, n = 256 or 512/);
    expect(() => hyperHypercube({ n: 19, k: 4 })).toThrow(/such as 19, got 19; try k = 18, n = 18 or 20/);
    expect(() => hyperHypercube({ n: 3 })).toThrow(/try k = 2, n = 2 or 4/);
    expect(() => hyperHypercube({ n: 2 ** 31 - 1, k: 1 })).toThrow(/try k = 2147483646, n = 1073741824, or base/);
  });
});

describe("k-peer exponential", () => {
  test("shifts that vanish mod n are own weight, equal ones add up", () => {
    const shifts = (n: number, k: number) => {
      const graph = kPeerExp({ n, k });
      return Array.from({ length: graph.period as number }, (_, t) => {
        const { self, from } = graph.peers(t, 0);
        return [self, ...from.map(({ node, weight }) => [(n - node) % n, weight])];
      });
    };
    const third = 1 / 3;
    expect(shifts(6, 2)).toEqual([
      [third, [1, third], [2, third]],
      [2 / 3, [3, third]],
    ]);
    expect(shifts(18, 2)[2]).toEqual([2 / 3, [9, third]]);
    expect(shifts(10, 4)).toEqual([
      [0.2, [1, 0.2], [2, 0.2], [3, 0.2], [4, 0.2]],
      [0.6, [5, 0.4]],
    ]);
  });

  test("one peer is one-peer-exp; exact where n divides (k + 1)^m", () => {
    for (const n of [2, 5, 16, 17, 300]) {
      const graph = kPeerExp({ n, k: 1 });
      near(graph.rate().periodNorm, onePeerExp({ n }).rate().periodNorm as number, `n = ${n}`, 1e-14);
      for (let t = 0; t < 12; t++) expect(graph.round(t)).toEqual(onePeerExp({ n }).round(t));
    }
    expect(kPeerExp({ n: 25, k: 4 }).exactAfter).toBe(2);
    expect(kPeerExp({ n: 12, k: 5 }).exactAfter).toBe(2);
    // 4 divides 6^2, and the period is one round: it never gets there.
    expect(kPeerExp({ n: 4, k: 5 }).exactAfter).toBeUndefined();
  });

  test("the norm over m rounds is the dense one, within a period and beyond", () => {
    for (const n of [2, 6, 9, 10, 17, 18, 24]) for (const k of [1, 2, 4, 9]) normIsDense(kPeerExp({ n, k }), 9);
  });
});

describe("de Bruijn", () => {
  test("the norm over m rounds is the dense one, whatever n and p have in common", () => {
    for (const n of [2, 3, 4, 6, 12, 17, 18, 20, 24, 25]) {
      for (const p of [2, 3, 4, 5, 6, n - 1, n]) if (p >= 2 && p <= n) normIsDense(deBruijn({ n, p }), 6);
    }
  });

  test("p^-m where p^m = +-1 mod n, and what a single round says", () => {
    expect(deBruijn({ n: 300, p: 7 }).norm?.(4)).toBe(1 / 2401);
    expect(deBruijn({ n: 17, p: 2 }).norm?.(4)).toBe(1 / 16);
    expect(deBruijn({ n: 300, p: 9 }).rate().rate).toBeCloseTo(0.9987, 4);
    expect(deBruijn({ n: 300, p: 9 }).rate().asymptotic).toBe(1 / 9);
    const exact = deBruijn({ n: 1000, p: 10 });
    expect([exact.exactAfter, exact.rate().asymptotic, exact.norm?.(3)]).toEqual([3, 0, 0]);
    expect(deBruijn({ n: 12, p: 6 }).exactAfter).toBe(2);
    expect(deBruijn({ n: 10, p: 2 }).exactAfter).toBeUndefined();
  });

  test("both directions agree at n beyond 2^30, where p i leaves 32 bits", () => {
    const n = 2 ** 31 - 1;
    const graph = deBruijn({ n, p: 1000 });
    for (const i of [0, 1, 123_456_789, 2 ** 30, n - 1]) {
      for (const { node } of graph.peers(0, i).from) {
        must(
          graph.peers(0, node).to.some((link) => link.node === i),
          `${node} does not send to ${i}`,
        );
      }
    }
  });

  test("every p from 2 to n keeps every law", () => {
    for (let n = 2; n <= 13; n++) {
      for (let p = 2; p <= n; p++) {
        const spec = { name: "de-bruijn", n, p };
        for (const law of [...Object.values(topologyChecks), equalsOracle]) checkAt(spec, createTopology, law);
      }
    }
    expect(() => deBruijn({ n: 3, p: 4 })).toThrow(/needs n of at least p = 4, got 3; try n = 4, or p = 2/);
    expect(() => deBruijn({ n: 2 ** 31 - 1, p: 2 ** 30 })).toThrow(/n p must be below 2\^53/);
  });
});

describe("doubling", () => {
  const sizes = [16, 17, 25, 100, 300, 1000, 4900, 10_000, 100_000, 1_000_000];

  test.each([
    [2, [4, 20, 20, 22, 22, 29, 30, 32, 35, 37], { 100: 24 }],
    [3, [15, 14, 15, 15, 16, 18, 19, 20, 22, 25], {}],
    [4, [2, 10, 10, 11, 11, 15, 15, 16, 18, 19], { 100: 12 }],
    [10, [4, 7, 2, 2, 8, 3, 10, 4, 5, 6], { 300: 18 }],
  ])(
    "base %i: rounds to 1e-6 by the formula, and those of the graph, which starts again after a cycle",
    (b, formula, later) => {
      const window = (n: number, m: number) => windowNorm(n, [{ size: b ** m, residue: powMod(b, m, n), times: 1 }]);
      expect(sizes.map((n) => roundsTo((m) => window(n, m)))).toEqual(formula);
      const expected = sizes.map((n, place) => (later as Record<number, number>)[n] ?? formula[place]);
      expect(sizes.map((n) => roundsTo((m) => doubling({ n, b }).norm?.(m) ?? 1))).toEqual(expected);
    },
  );

  test("cycles", () => {
    const cycle = (n: number, b = 2) => doubling({ n, b }).period;
    expect([16, 17, 25, 300, 1000, 4900].map((n) => cycle(n))).toEqual([4, 4, 10, 22, 53, 422]);
    expect(cycle(1_000_003)).toBe(500_001);
    expect([cycle(2), cycle(3), cycle(2, 3), cycle(12, 6), cycle(7, 8)]).toEqual([1, 1, 1, 2, 1]);
  });

  test("the norm over m rounds is the dense one, within a cycle and beyond", () => {
    for (const n of [2, 6, 9, 12, 17, 20, 24]) for (const b of [2, 3, 4, 10]) normIsDense(doubling({ n, b }), 9);
  });

  test("a cycle too long for its norm to be a number is not called exact", () => {
    const { periodNorm, periodRate, rate } = doubling({ n: 1_000_003 }).rate();
    expect(periodNorm).toBe(Number.MIN_VALUE);
    expect(periodRate).toBe(0.5);
    expect(rate).toBeLessThan(1);
    expect(doubling({ n: 1_000_003 }).exactAfter).toBeUndefined();
  });

  test("round t shifts by 2^t, far out and at large n", () => {
    for (const n of [300, 1_000_003, 2 ** 31 - 3]) {
      const graph = doubling({ n });
      for (const t of [0, 1, 7, 40, 123_456, 10 ** 9]) {
        const shift = powMod(2, t % (graph.period as number), n);
        expect(graph.peers(t, 0).to).toEqual([{ node: shift, weight: 0.5 }]);
      }
    }
  });
});
