/** What the view of spectra is told, held against the library, and what it says of it. */

import { createTopology, dEquiStatic, predictedRounds } from "equitopo";
import { largestModulus, matrixName, meaning } from "equitopo/internal/picture";
import { describe, expect, it } from "vitest";
import { eigen, type SpectrumQuestion } from "../../src/work/eigen.ts";
import { improve } from "../../src/work/improve.ts";

function asked(question: SpectrumQuestion) {
  const steps = eigen(question);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The words about a topology. */
function words(name: string, n: number, round?: number): string {
  const { spectrum, ...facts } = asked({ graph: { name }, n, seed: 0, ...(round === undefined ? {} : { round }) });
  if (spectrum === undefined) throw new Error(facts.unshown);
  return `${matrixName(spectrum, round)}: ${meaning({ ...facts, ...spectrum, largest: largestModulus(spectrum) }, round)}`;
}

describe("one topology", () => {
  it("has its basis written out, and the library's rate, bound and rounds", () => {
    const { spec, rate, rounds, spectrum, floor } = asked({ graph: { name: "d-equistatic" }, n: 64, seed: 0 });
    const graph = dEquiStatic({ n: 64, basis: spec["basis"] as number[] });
    expect(rate).toEqual(graph.rate());
    expect(rounds).toBe(predictedRounds(graph, 1e-6));
    expect(spectrum && largestModulus(spectrum)).toBeCloseTo(rate.rate, 12);
    expect(floor?.value).toBeLessThan(rate.rate);
  });

  it("says what it cannot show", () => {
    const { spectrum, unshown, rate } = asked({ graph: { name: "ceca-1p" }, n: 10, seed: 0 });
    expect(spectrum).toBeUndefined();
    expect(unshown).toContain("two vectors");
    expect(rate.rate).toBe(createTopology({ name: "ceca-1p", n: 10 }).rate().rate);
  });

  it("is spoken of as what it is", () => {
    expect(words("ring", 12)).toMatch(/^W: W is symmetric: the rate β is the largest modulus/);
    expect(words("d-equistatic", 13)).toMatch(/^W: W is normal/);
    expect(words("one-peer-exp", 16)).toMatch(/one period of 4 rounds: All eigenvalues .* exact mean/);
    expect(words("od-equidyn", 12)).toMatch(/^E W.*The rate β is larger/);
    expect(words("od-equidyn", 12, 3)).toMatch(/^W\(3\): One round alone/);
  });
});

describe("the designer", () => {
  it("tells of the best so far, never a worse one, and comes to a design that is as it says", () => {
    const steps = improve({ n: 40, degree: 4, directed: true, seed: 0 });
    const rates: number[] = [];
    for (;;) {
      const step = steps.next();
      if (step.done) {
        const { n, self, shifts, weights, rate, bound } = step.value;
        expect([...rates].sort((a, b) => b - a)).toEqual(rates);
        expect(rate).toBe(rates.at(-1) ?? rate);
        expect(createTopology({ name: "designed-static", n, self, shifts, weights }).rate().rate).toBeCloseTo(rate, 12);
        expect(rate).toBeGreaterThanOrEqual(bound);
        return;
      }
      rates.push(step.value.best.rate);
    }
  });
});
