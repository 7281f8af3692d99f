import { topologies } from "equitopo";
import { lineFigure, type Series, styleSeries } from "equitopo/internal/picture";
import { describe, expect, it } from "vitest";
import { all, byClass, parseXml } from "../../../cli/test/xml.ts";

const channels = (colour: string) => [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
const distance = (a: string, b: string) => Math.hypot(...channels(a).map((value, i) => value - channels(b)[i]));

/** Curves that someone puts into one figure. */
const figures: Readonly<Record<string, readonly { label: string; topology?: string; dashed?: boolean }[]>> = {
  "six algorithms on one graph": ["dsgd", "dsgt", "exact-diffusion", "nids", "d2", "extra"].map((label) => ({
    label,
    topology: "u-equistatic",
  })),
  "two algorithms on seven graphs": topologies.names
    .slice(0, 7)
    .flatMap((topology) => ["dsgd", "dsgt"].map((algorithm) => ({ label: `${topology} ${algorithm}`, topology }))),
  "all sizes": Array.from({ length: 10 }, (_, k) => ({ label: `n = ${k + 1},000`, topology: "ring" })),
  "eighteen graphs": topologies.names.slice(-18).map((label) => ({ label })),
  "labels that name nothing": Array.from({ length: 18 }, (_, k) => ({ label: `curve ${k}` })),
  "variants of one family": ["Base-2", "Base-3", "Base-5", "OU-EquiDyn", "Random matching"].map((label) => ({ label })),
};

describe("looks", () => {
  for (const [name, series] of Object.entries(figures)) {
    it(`differ in colour and in mark: ${name}`, () => {
      const looks = styleSeries(series);
      looks.forEach((a, i) => {
        for (const b of looks.slice(i + 1)) {
          expect(distance(a.colour, b.colour), `${a.colour} ${b.colour}`).toBeGreaterThan(
            name === "all sizes" ? 15 : 45,
          );
          expect([a.marker, a.hollow]).not.toEqual([b.marker, b.hollow]);
        }
      });
    });
  }

  it("of a dashed line are the colour of its curve and dashes of its own", () => {
    const sizes = [1000, 3000, 10_000].map((n) => ({ label: `n = ${n}` }));
    const bounds = sizes.map(({ label }) => ({ label: `bound, ${label}`, dashed: true, of: label }));
    const looks = styleSeries([...sizes, ...bounds]);
    expect(looks.slice(3).map(({ colour }) => colour)).toEqual(looks.slice(0, 3).map(({ colour }) => colour));
    expect(new Set(looks.slice(3).map(({ dash }) => dash)).size).toBe(3);
    expect(looks.slice(3).every(({ marker }) => marker === undefined)).toBe(true);
  });

  it("reach the drawing: no two curves are drawn alike", () => {
    const x = Array.from({ length: 50 }, (_, t) => t);
    const series = figures["six algorithms on one graph"].map(
      (one, k): Series => ({ ...one, x, mean: x.map((t) => (0.5 + k / 20) ** t) }),
    );
    const root = parseXml(lineFigure({ title: "t", xLabel: "x", yLabel: "y", yLog: true, series }));
    const strokes = all(root, byClass("mean")).map((one) => one.attributes["stroke"]);
    expect(new Set(strokes).size).toBe(6);
    // A marker's outline, moved to where it was put first.
    const outlines = all(root, byClass("marks")).map(({ attributes: { d, fill } }) => {
      const [x0, y0] = /^M(\S+) (\S+?)[La]/.exec(d)!.slice(1).map(Number);
      const first = d.slice(0, d.indexOf("Z")).replace(/[ML](\S+?) (-?[\d.]+)/g, (_, px, py) => {
        return ` ${(Number(px) - x0).toFixed(1)},${(Number(py) - y0).toFixed(1)}`;
      });
      return `${first}${fill === "#ffffff" ? " hollow" : ""}`;
    });
    expect(new Set(outlines).size).toBe(6);
  });
});
