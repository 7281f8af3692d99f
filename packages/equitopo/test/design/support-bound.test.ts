/** What the multipliers of a design prove, against the definition of the bound and against random weights. */

import { describe, expect, test } from "vitest";
import { designBound } from "../../src/design/bounds.ts";
import { designOn, supportBound } from "../../src/design/design.ts";
import { designTopology, question } from "../../src/design/designer.ts";
import { RandomStream } from "../../src/random/stream.ts";
import { designedStatic } from "../../src/topology/designed-static.ts";

describe("supportBound", () => {
  const g = (n: number, u: number, multipliers: readonly { k: number; re: number; im: number }[]) =>
    multipliers.reduce((sum, { k, re, im }) => {
      const angle = (2 * Math.PI * k * u) / n;
      return sum + re * Math.cos(angle) - im * Math.sin(angle);
    }, 0);

  test("is the least over the shifts and the own weight's shift 0, whatever the multipliers sum to", () => {
    const random = new RandomStream(4, 1000);
    for (let draw = 0; draw < 50; draw++) {
      const n = 5 + random.below(30);
      const shifts = [1 + random.below(n - 1)];
      const multipliers = Array.from({ length: 3 }, () => ({
        ...{ k: 1 + random.below(n - 1), re: random.uniform() - 0.5, im: random.uniform() - 0.5 },
      }));
      const total = multipliers.reduce((sum, { re, im }) => sum + Math.hypot(re, im), 0);
      const least = Math.min(...[0, ...shifts].map((u) => g(n, u, multipliers) / total));
      expect(supportBound(n, shifts, multipliers)).toBeCloseTo(least, 12);
    }
    // The own weight decides here: cos(pi) at shift 0 of the multiplier -1.
    expect(supportBound(4, [2], [{ k: 1, re: -1, im: 0 }])).toBeCloseTo(-1, 12);
  });

  test.each([
    [13, 3, true],
    [20, 4, true],
    [16, 5, false],
    [17, 4, false],
  ])(
    "n = %i, K = %i, directed %j: no weights on the same shifts go below it, the design's own reach it",
    (n, degree, directed) => {
      const design = designTopology({ n, degree, directed, evaluations: 300 });
      const { supportBound: bound, multipliers } = design.certificate;
      expect(multipliers.length).toBeGreaterThan(0);
      expect(design.rate - bound).toBeLessThan(1e-9);
      expect(design.rate).toBeGreaterThanOrEqual(bound - 1e-10);
      expect(design.bound).toBeLessThanOrEqual(design.rate + 1e-12);
      const random = new RandomStream(5, 1000);
      for (let draw = 0; draw < 20; draw++) {
        const raw = design.shifts.map(() => random.uniform());
        // Pairs weigh alike where edges go both ways.
        const even = directed ? raw : raw.map((w, j) => w + raw[raw.length - 1 - j]);
        const total = even.reduce((sum, w) => sum + w, 0) * (1 + random.uniform());
        const graph = designedStatic({ n, shifts: [...design.shifts], weights: even.map((w) => w / total) });
        expect(graph.rate().rate).toBeGreaterThanOrEqual(bound - 1e-10);
      }
    },
  );
});

test("the shift of the largest weight becomes the own one", () => {
  const { self, weights } = designOn(question({ n: 30, degree: 3 }), Int32Array.of(0, 1, 7, 19));
  for (const weight of weights) expect(weight).toBeLessThanOrEqual(self);
});

test("a searched design has no more peers than asked for, undirected too", () => {
  for (const [n, degree, directed] of [
    [60, 6, false],
    [64, 5, false],
    [61, 6, false],
    [60, 5, true],
  ] as const) {
    for (let seed = 0; seed < 3; seed++) {
      const { shifts } = designTopology({ n, degree, directed, seed, evaluations: 400 });
      expect(shifts.length, `${n} ${degree} ${seed}`).toBeLessThanOrEqual(degree);
    }
  }
});

describe("the bound of all undirected circulants with two peers", () => {
  const binomial = (r: number, k: number) => {
    let value = 1;
    for (let i = 0; i < k; i++) value *= (r - i) / (i + 1);
    return value;
  };
  /** What the moments of a + 2 b cos x, b = (1 - a) / 2, prove of own weight a. */
  const provedAt = (n: number, a: number) => {
    let best = 0;
    for (let m = 1; m <= 40; m++) {
      let moment = 0;
      for (let r = 0; r <= 2 * m; r += 2) {
        moment += binomial(2 * m, r) * a ** (2 * m - r) * ((1 - a) / 2) ** r * binomial(r, r / 2);
      }
      const above = n * moment - 1;
      if (above > 0) best = Math.max(best, (above / (n - 1)) ** (1 / (2 * m)));
    }
    return best;
  };

  test.each([7, 23, 50, 100])("n = %i: it is below what is proved of every own weight, and not far below", (n) => {
    const { value } = designBound({ n, degree: 2, directed: false });
    let least = 1;
    for (let a = 0; a <= 1; a += 1 / 2003) least = Math.min(least, provedAt(n, a));
    expect(value).toBeLessThanOrEqual(least);
    expect(value).toBeGreaterThan(least - 0.03);
  });
});
