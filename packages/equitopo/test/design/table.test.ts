/** Every row of the table of best designs, derived anew, and held to what the library's own search finds. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { welchBound } from "../../src/design/bounds.ts";
import { designOn } from "../../src/design/design.ts";
import { exhaustible } from "../../src/design/designer.ts";
import { exhaust, isExhaustible } from "../../src/design/exhaust.ts";
import type { Question } from "../../src/design/support.ts";
import { bestDesign, readRow, tabledDesign, tabledQuestions, tableRow } from "../../src/design/table.ts";
import { InputError } from "../../src/input/input.ts";
import { ceilLog2 } from "../../src/number/integers.ts";
import { circulantRate } from "../../src/rate/circulant.ts";
import { isSymmetric } from "../../src/round/circulant.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { uEquiStatic } from "../../src/topology/u-equistatic.ts";

const sizes = [
  ...Array.from({ length: 61 }, (_, k) => k + 4),
  ...[100, 128, 256, 300, 512, 1000, 1024, 4096, 4900, 10_000],
];
const rateOf = (asked: Question) => circulantRate({ n: asked.n, ...bestDesign(asked) }).rate;

describe("the table of best designs", () => {
  test("has every n and degree that it should", () => {
    const wanted = sizes.flatMap((n) =>
      [true, false].flatMap((directed) =>
        Array.from({ length: Math.min(n - 1, ceilLog2(n) + 2) - 1 }, (_, k) => ({ n, degree: k + 2, directed })).filter(
          ({ degree }) => directed || degree % 2 === 0 || n % 2 === 0,
        ),
      ),
    );
    const key = ({ n, degree, directed }: Question) => `${n} ${degree} ${directed}`;
    expect(tabledQuestions().map(key).sort()).toEqual(wanted.map(key).sort());
  });

  test("every row is a circulant of that degree, and its rate lies between Welch's bound and the row before", () => {
    for (const asked of tabledQuestions()) {
      const { n, degree, directed } = asked;
      const design = bestDesign(asked);
      const { self, shifts, weights } = design;
      expect([self, ...weights].every((weight) => weight >= 0)).toBe(true);
      expect([self, ...weights].reduce((sum, weight) => sum + weight, 0)).toBe(1);
      expect(shifts.length).toBeLessThanOrEqual(degree);
      expect(directed || isSymmetric({ n, ...design })).toBe(true);
      const rate = rateOf(asked);
      expect(rate).toBeGreaterThanOrEqual(welchBound(n, degree) - 1e-9);
      // Two more peers never hurt: weights may be 0.
      const fewer = { n, degree: degree - (directed ? 1 : 2), directed };
      if (tabledDesign(fewer) !== undefined)
        expect([n, degree, rate <= rateOf(fewer) + 1e-9]).toEqual([n, degree, true]);
    }
  });

  test("the weights are best on their shifts: multipliers for every ninth row", () => {
    for (const asked of tabledQuestions().filter(({ n }, row) => n <= 300 && row % 9 === 0)) {
      const { n, directed } = asked;
      const { shifts } = bestDesign(asked);
      const { rate, certificate } = designOn(asked, [0, ...shifts.filter((u) => directed || 2 * u <= n)]);
      expect(Math.abs(rate - rateOf(asked))).toBeLessThan(1e-7);
      expect(rate - certificate.supportBound).toBeLessThan(1e-7);
    }
  });

  test("where the designer weighs every support the row is proved, and the best of them", () => {
    for (const asked of tabledQuestions().filter((question) => exhaustible(question, Number.POSITIVE_INFINITY))) {
      const { n, degree, directed } = asked;
      expect([n, degree, directed, bestDesign(asked).proved]).toEqual([n, degree, directed, true]);
      if (isExhaustible(asked, 1000)) expect(Math.abs(exhaust(asked).rate - rateOf(asked))).toBeLessThan(1e-7);
    }
  });

  test("its script runs, and leaves alone what is proved", () => {
    const data = () => readFileSync(new URL("../../src/design/table-data.ts", import.meta.url), "utf8");
    const script = new URL("../../scripts/design-table.mjs", import.meta.url);
    const before = data();
    expect(execFileSync(process.execPath, [script.pathname, "--n", "14"], { encoding: "utf8" })).toBe("");
    expect(data()).toBe(before);
  });

  test("a row is read as it was written", () => {
    for (const asked of tabledQuestions().filter((_, row) => row % 50 === 0)) {
      const design = bestDesign(asked);
      expect(readRow(tableRow(asked, design), asked)).toEqual(design);
    }
  });

  test("basis best and designed-static use it; what is not there is refused with the command that searches", () => {
    const { rate } = dEquiStatic({ n: 300, m: 9, basis: "best" }).rate();
    expect(rate).toBeLessThan(0.4922);
    expect(createTopology({ name: "designed-static", n: 300, degree: 9 }).rate().rate).toBe(rate);
    expect(uEquiStatic({ n: 300, m: 3, basis: "best" }).rate().rate).toBeCloseTo(0.838686, 6);
    expect(() => dEquiStatic({ n: 301, m: 9, basis: "best" })).toThrow("equitopo design --n 301 --degree 9 --directed");
    expect(() => dEquiStatic({ n: 300, m: 40, basis: "best" })).toThrow("has the degrees 2, 3, 4");
    expect(() => dEquiStatic({ n: 300, rho: 0.5, basis: "best" })).toThrow(InputError);
  });
});
