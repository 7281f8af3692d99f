/** The figure of many n: what its caption says was run, and every line of theory is of the n that it is drawn for. */

import { type CurveFigure, experiments, type Results, type Scale } from "@equitopo/experiments/internal";
import { describe, expect, it } from "vitest";

const experiment = experiments.find(({ name }) => name === "consensus-size-independence")!;

/** Every unit falls by a factor of its own: larger n a little faster, as a drawn basis may have it. */
function made(scale: Scale): Results {
  return new Map(
    experiment.units(scale).map((unit) => {
      const { n } = (unit as { topology: { n: number } }).topology;
      const rate = 0.7 - n / 1e5;
      const errors = Array.from({ length: 61 }, (_, t) => Math.sqrt(n) * (0.98 * rate) ** t);
      const printed = { off: 0, least: (0.98 * rate) ** 2, largest: rate ** 2 };
      return [unit.key, { errors, rate, bound: rate, printed }];
    }),
  );
}

describe.each(["quick", "full"] as const)("consensus at many n, %s", (scale) => {
  const sizes = [...new Set(experiment.units(scale).map((unit) => (unit as { topology: { n: number } }).topology.n))];
  const { figures, findings } = experiment.outcome(made(scale), scale);
  const { caption, panels } = figures[0] as CurveFigure;

  it("says in its caption what was run, no more and no less", () => {
    const named = caption
      .match(/at n = ([^.]*)\./)![1]
      .match(/[\d,]*\d/g)!
      .map((text) => Number(text.replaceAll(",", "")));
    expect(named).toEqual(sizes);
    expect(findings![0]).toContain(`(${sizes.length} sizes)`);
  });

  it("draws each bound in the colour of its n, above that n's curve and from its start", () => {
    for (const { series } of panels) {
      const bounds = series.filter(({ dashed }) => dashed);
      expect(bounds.length).toBe(sizes.length > 3 ? 2 : sizes.length);
      for (const bound of bounds) {
        const curve = series.find(({ label }) => label === bound.of)!;
        expect(bound.label).toContain(curve.label);
        expect(bound.mean[0]).toBeCloseTo(curve.mean[0], 9);
        for (const [t, value] of bound.mean.entries()) {
          expect(curve.mean[t]).toBeLessThanOrEqual(value * (1 + 1e-12));
        }
      }
    }
  });
});
