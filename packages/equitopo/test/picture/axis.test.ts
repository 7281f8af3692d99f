import { costAxis, fillsDecade, lineFigure, type PlotSpec, panelFigure, textWidth } from "equitopo/internal/picture";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { all, parseXml, words } from "../../../cli/test/xml.ts";

/** The boxes of an axis's tick labels, without the margin that widths are measured with. */
function tickBoxes(svg: string): { readonly x: readonly Label[]; readonly y: readonly Label[] } {
  const texts = all(parseXml(svg), (one) => one.name === "text" && one.attributes["font-size"] === "12");
  const labels = texts
    .filter((one) => one.attributes["text-anchor"] !== undefined)
    .map((one) => {
      const [size, at, y] = [
        textWidth(words(one), 12) / 1.15,
        Number(one.attributes["x"]),
        Number(one.attributes["y"]),
      ];
      const ends = one.attributes["text-anchor"] === "end" ? [at - size, at] : [at - size / 2, at + size / 2];
      return {
        text: words(one),
        left: ends[0],
        right: ends[1],
        top: y - 10,
        bottom: y + 2,
        side: one.attributes["text-anchor"],
      };
    });
  return { x: labels.filter(({ side }) => side === "middle"), y: labels.filter(({ side }) => side === "end") };
}

interface Label {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const touch = (a: Label, b: Label) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function expectApart(labels: readonly Label[], what: string): void {
  labels.forEach((a, i) => {
    for (const b of labels.slice(i + 1)) expect(touch(a, b), `${what}: ${a.text} and ${b.text}`).toBe(false);
  });
}

const plotOf = (x: readonly number[], y: readonly number[], more: Partial<PlotSpec> = {}) =>
  ({ xLabel: "x", yLabel: "y", series: [{ label: "a", x, mean: y }], ...more }) as const;

const spans = [
  [0.15, 0.3],
  [12e6, 41e6],
  [1, 3],
  [0, 400],
  [0, 10_000],
  [28, 350],
  [0.999, 1.001],
  [3e-7, 2e5],
] as const;
const domains = [...spans, [1e-300, 1e300], [95_000, 1_200_000], [1e-3, 1.1e-3], [-5e6, 7e6], [0, 1e-5]] as const;

describe("tick labels", () => {
  for (const xLog of [false, true]) {
    it(`never touch, on ${xLog ? "logarithmic" : "linear"} axes of all widths`, () => {
      for (const domain of domains) {
        if (xLog && domain[0] <= 0) continue;
        for (const width of [240, 340, 620]) {
          for (const xBytes of [false, true]) {
            if (xBytes && (domain[0] < 0 || domain[1] > 1e20)) continue;
            const plot = plotOf(domain, domain, { xLog, yLog: xLog, xBytes });
            const { x, y } = tickBoxes(
              panelFigure({ title: "t", panels: [{ ...plot, title: "" }], columns: 1, width }),
            );
            expectApart([...x, ...y], `${domain} at ${width}`);
            expect(x.length, `${domain} at ${width}`).toBeGreaterThan(0);
          }
        }
      }
    });
  }

  it("never touch, whatever the domain", () => {
    const size = fc.double({ min: -12, max: 12, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(size, size, fc.boolean(), fc.integer({ min: 260, max: 700 }), (a, b, log, width) => {
        const plot = plotOf([a, b], [b, a], { xLog: log, yLog: log });
        const { x, y } = tickBoxes(lineFigure({ ...plot, title: "t", width, height: 300 }));
        expectApart([...x, ...y], `${a} ${b}`);
      }),
      { numRuns: 60 },
    );
  });

  it("stand at whole numbers only where all values are whole, and say bytes in their unit", () => {
    const epochs = tickBoxes(lineFigure({ ...plotOf([1, 2, 3], [0.1, 0.2, 0.4]), title: "t" }));
    expect(epochs.x.map(({ text }) => text)).toEqual(["1", "2", "3"]);
    const bytes = tickBoxes(lineFigure({ ...plotOf([0, 4e7], [1, 2], { xBytes: true }), title: "t" }));
    expect(bytes.x.map(({ text }) => text)).toContain("20 MB");
    expect(bytes.x[0].text).toBe("0");
  });

  it("leave out powers rather than paint the axis black", () => {
    const svg = lineFigure({ ...plotOf([0, 1], [1e-3, 1e150], { yLog: true }), title: "t" });
    const rules = all(parseXml(svg), (one) => one.name === "path" && one.attributes["stroke-width"] === "0.8");
    expect(rules.length).toBeLessThan(70);
  });
});

describe("logarithmic axes", () => {
  it("are for values that fill a decade", () => {
    expect(fillsDecade([1, 10])).toBe(true);
    expect(fillsDecade([0.38, 1.2])).toBe(false);
    expect(fillsDecade([0, Number.NaN])).toBe(false);
  });

  it("of costs begin where the curves part, and are linear where all cost about the same", () => {
    expect(costAxis([64_000, 128_000])).toEqual({ xLog: false });
    const { xLog, xRange } = costAxis([30_000, 576_000]);
    expect(xLog).toBe(true);
    // The dearest curve has all of the axis, the cheapest at least half of it.
    const share = (value: number) => Math.log(value / xRange![0]) / Math.log(xRange![1] / xRange![0]);
    expect(share(30_000)).toBeGreaterThan(0.5);
    expect(share(576_000)).toBeGreaterThan(0.95);
    expect(costAxis([0, 5])).toEqual({ xLog: false });
  });
});
