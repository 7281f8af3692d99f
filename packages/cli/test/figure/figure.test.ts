import { topologies as registered } from "equitopo";
import {
  escapeText,
  figureText,
  lineFigure,
  panelFigure,
  readable,
  type Series,
  scale,
  stretches,
  styleSeries,
  thin,
  topologyColour,
  topologyOf,
  wrap,
} from "equitopo/internal/picture";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { topologies } from "../../../equitopo/src/topology/registry.ts";
import { barFigure } from "../../src/figure/bar.ts";
import { svgToPng } from "../../src/figure/png.ts";
import { darkPixels, readPng } from "../png-pixels.ts";
import { all, byClass, parseXml, words } from "../xml.ts";

const rounds = Array.from({ length: 60 }, (_, t) => t);
const decay = (label: string, rate: number, more: Partial<Series> = {}): Series => {
  const mean = rounds.map((t) => rate ** t);
  return { label, x: rounds, mean, low: mean.map((m) => m / 2), high: mean.map((m) => m * 2), ...more };
};
const consensus = {
  title: "Average consensus, n = 300",
  xLabel: "round t",
  yLabel: "‖x(t) − J x(0)‖",
  yLog: true,
  series: [
    decay("ring", 0.99),
    decay("OD-EquiDyn", 0.63),
    { label: "bound", dashed: true, x: rounds, mean: rounds.map((t) => 0.7 ** t) },
  ],
};

describe("lineFigure", () => {
  it("draws a line, a band and a label for each series, and powers of ten as ticks", () => {
    const svg = lineFigure(consensus);
    const root = parseXml(svg);
    expect(all(root, byClass("mean"))).toHaveLength(3);
    expect(all(root, byClass("band"))).toHaveLength(2);
    expect(all(root, byClass("marks"))).toHaveLength(2);
    expect(all(root, (one) => "stroke-dasharray" in one.attributes && byClass("mean")(one))).toHaveLength(1);
    const texts = all(root, (one) => one.name === "text").map(words);
    for (const wanted of [consensus.title, "round t", consensus.yLabel, "ring", "OD-EquiDyn", "bound", "10−4", "100"]) {
      expect(texts).toContain(wanted);
    }
    expect(svg).not.toMatch(/NaN|Infinity|undefined|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
  });

  it("gives the same bytes for the same input", () => {
    expect(lineFigure(structuredClone(consensus))).toBe(lineFigure(consensus));
  });

  it("keeps labels outside the frame, apart from one another and inside the picture", () => {
    const series = Array.from({ length: 12 }, (_, i) => decay(`series ${i}`, 0.8 + i / 1e6));
    for (const figure of [consensus, { ...consensus, series }]) {
      const root = parseXml(lineFigure(figure));
      const frame = all(root, byClass("frame"))[0].attributes;
      const labels = all(root, byClass("key")).map((key) => all(key, (one) => one.name === "text")[0]);
      expect(labels).toHaveLength(figure.series.length);
      const places = labels.map(({ attributes }) => ({ x: Number(attributes["x"]), y: Number(attributes["y"]) }));
      for (const { x, y } of places) {
        expect(x > Number(frame["x"]) + Number(frame["width"]) || y < Number(frame["y"])).toBe(true);
        expect(y).toBeGreaterThan(10);
        expect(y).toBeLessThan(Number(root.attributes["height"]));
      }
      for (const [i, a] of places.entries()) {
        for (const b of places.slice(i + 1)) expect(Math.abs(a.y - b.y) >= 13 || Math.abs(a.x - b.x) >= 60).toBe(true);
      }
    }
  });

  it("puts the labels into a legend above where a curve ends inside the frame", () => {
    const short = { label: "short", x: [0, 10], mean: [1, 0.1] };
    const root = parseXml(lineFigure({ ...consensus, series: [...consensus.series, short] }));
    const top = Number(all(root, byClass("frame"))[0].attributes["y"]);
    for (const key of all(root, byClass("key"))) {
      expect(Number(all(key, (one) => one.name === "text")[0].attributes["y"])).toBeLessThan(top);
    }
  });

  it("holds whatever numbers come, on either kind of axis", () => {
    const number = fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, 1e308, -3e303),
    );
    const input = fc.record({
      rows: fc.array(fc.tuple(number, number, number, number), { maxLength: 40 }),
      xLog: fc.boolean(),
      yLog: fc.boolean(),
      labelsAside: fc.boolean(),
    });
    fc.assert(
      fc.property(input, ({ rows, xLog, yLog, labelsAside }) => {
        const [x, mean, low, high] = [0, 1, 2, 3].map((k) => rows.map((row) => row[k]));
        const svg = lineFigure({
          title: "t",
          xLabel: "x",
          yLabel: "y",
          xLog,
          yLog,
          labelsAside,
          series: [{ label: "a", x, mean, low, high }],
        });
        parseXml(svg);
        expect(svg).not.toMatch(/NaN|Infinity/);
      }),
      { numRuns: 150 },
    );
  });

  it("labels aside what leaves through the floor, the last to leave first, below what stays", () => {
    const strong = { ...decay("quick", 0.1), strong: true };
    const series = [strong, decay("stays", 0.99), decay("later", 0.5), { label: "zero", x: [0, 1], mean: [1, 0] }];
    const root = parseXml(lineFigure({ ...consensus, series, yRange: [1e-3, 20], labelsAside: true }));
    const keys = all(root, byClass("key"));
    expect(keys.map(words)).toEqual(["stays", "later", "quick", "zero"]);
    const texts = keys.map((key) => all(key, (one) => one.name === "text")[0].attributes);
    const heights = texts.map(({ y }) => Number(y));
    expect([...heights].sort((a, b) => a - b)).toEqual(heights);
    expect(texts.map((one) => one["font-weight"])).toEqual([undefined, undefined, "bold", undefined]);
  });

  it("says so where there is nothing to draw", () => {
    expect(lineFigure({ ...consensus, series: [{ label: "a", x: [0], mean: [0] }] })).toContain("no finite values");
  });

  it("escapes every text", () => {
    const evil = `<b>&"'</b>`;
    const root = parseXml(
      lineFigure({ ...consensus, title: evil, xLabel: evil, series: [decay(evil, 0.5, { color: evil })] }),
    );
    expect(all(root, (one) => one.name === "b")).toHaveLength(0);
    expect(all(root, (one) => words(one) === evil && one.name === "text").length).toBeGreaterThanOrEqual(3);
  });

  it("refuses ragged series and half a band", () => {
    const figure = (series: Series) => () => lineFigure({ ...consensus, series: [series] });
    expect(figure({ label: "a", x: [1, 2], mean: [1] })).toThrow(/one value for each of the 2 of x, got 1/);
    expect(figure({ label: "a", x: [1], mean: [1], low: [1] })).toThrow(/low and high/);
    expect(() => lineFigure({ ...consensus, yRange: [0, 1] })).toThrow(/yRange must ascend from above 0/);
  });
});

describe("thinning", () => {
  it("keeps the first, last, lowest and highest of each column, in order, and short lines whole", () => {
    const point = fc.record({
      x: fc.double({ min: 0, max: 20, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 400 }), (points) => {
        points.sort((a, b) => a.x - b.x);
        const kept = thin(points, 1);
        expect(kept.length).toBeLessThanOrEqual(4 * 21);
        expect(kept).toEqual(points.filter((one) => kept.includes(one)));
        for (let column = 0; column <= 20; column++) {
          const [before, after] = [points, kept].map((list) => list.filter((one) => Math.floor(one.x) === column));
          if (before.length === 0) continue;
          const ends = (list: typeof points) => [list[0], list[list.length - 1]];
          const extremes = (list: typeof points) => [
            Math.min(...list.map((p) => p.y)),
            Math.max(...list.map((p) => p.y)),
          ];
          expect(ends(after)).toEqual(ends(before));
          expect(extremes(after)).toEqual(extremes(before));
        }
      }),
    );
  });

  it("draws a hundred thousand points in the size of a picture", () => {
    const x = Array.from({ length: 100_000 }, (_, i) => i);
    const svg = lineFigure({
      ...consensus,
      yLog: false,
      series: [{ label: "noise", x, mean: x.map((i) => (i * 7919) % 1009) }],
    });
    expect(svg.length).toBeLessThan(120_000);
  });

  it("lets a curve fall to the floor at an exact zero and leaves a gap at what has no place", () => {
    const y = scale([0.1, 10], [100, 0], true, 4).map;
    const map = { x: (value: number) => value, y, floor: 104 };
    const found = stretches([0, 1, 2, 3, 4, 5], [10, 1, 0, 0, 1, Number.NaN], map);
    expect(found).toEqual([
      [
        { x: 0, y: 0 },
        { x: 1, y: 50 },
        { x: 2, y: 104 },
      ],
      [{ x: 4, y: 50 }],
    ]);
  });
});

describe("ticks", () => {
  const labels = (low: number, high: number, log: boolean, count = 6) =>
    scale([low, high], [0, 100], log, count).ticks.flatMap(({ label, power }) =>
      label ? [power ? `${label}^${power}` : label] : [],
    );

  it("are whole powers over decades, plain numbers within one", () => {
    expect(labels(1e-8, 10, true)).toEqual(["10^−8", "10^−6", "10^−4", "10^−2", "10^0"]);
    expect(labels(0.5, 0.9, true)).toEqual(["0.5", "0.6", "0.7", "0.8", "0.9"]);
    expect(labels(0, 10_000, false)).toEqual(["0", "2,000", "4,000", "6,000", "8,000", "10,000"]);
    expect(labels(-1, 1, false, 4)).toEqual(["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
    expect(labels(0, 3e7, false, 3)).toEqual(["0", "1×10^7", "2×10^7", "3×10^7"]);
  });
});

describe("colours", () => {
  it("are one for each family, all different, and found in labels", () => {
    const colours = topologies.map(({ name }) => topologyColour(name));
    expect(colours).not.toContain(undefined);
    expect(new Set(colours).size).toBe(topologies.length);
    expect(topologyOf("OD-EquiDyn, M = 9")).toBe("od-equidyn");
    expect(topologyOf("static exp (n = 300)")).toBe("static-exp");
    expect(topologyOf("a stringy thing")).toBeUndefined();
  });

  it("of graphs that others add are their own, whatever their names", () => {
    const before = topologies.map(({ name }) => topologyColour(name));
    for (let k = 0; k < 12; k++) {
      registered.add({ ...registered.get("ring"), name: `added-${k}` });
    }
    const looks = Array.from({ length: 12 }, (_, k) => styleSeries([{ label: "", topology: `added-${k}` }])[0]);
    for (const { colour, marker } of looks) {
      expect(colour).toMatch(/^#[0-9a-f]{6}$/);
      expect(marker).toBeDefined();
    }
    expect(new Set([...before, ...looks.map(({ colour }) => colour)]).size).toBe(before.length + 12);
    expect(topologies.map(({ name }) => topologyColour(name))).toEqual(before);
  });

  it("stay the same whatever else is in the figure; many sizes take shades that differ", () => {
    const alone = styleSeries([{ label: "ring" }])[0];
    expect(styleSeries([{ label: "grid" }, { label: "x" }, { label: "Ring" }])[2]).toEqual(alone);
    expect(styleSeries([{ label: "ring" }, { label: "ring, bound", dashed: true }])[1].colour).toBe(alone.colour);
    const sizes = Array.from({ length: 10 }, (_, i) => ({ label: `n = ${i + 1},000` }));
    expect(new Set(styleSeries(sizes).map(({ colour }) => colour)).size).toBe(10);
    const shades = styleSeries(sizes.map(({ label }) => ({ label, topology: "ring" })));
    expect(new Set(shades.map(({ colour }) => colour)).size).toBe(10);
  });
});

describe("panelFigure and barFigure", () => {
  it("draws each panel with its own axes and one legend for all", () => {
    const panels = ["a", "b", "c"].map((title) => ({ ...consensus, title }));
    const root = parseXml(panelFigure({ title: "all", panels, columns: 2 }));
    expect(all(root, byClass("frame"))).toHaveLength(3);
    expect(all(root, byClass("mean"))).toHaveLength(9);
    expect(all(root, byClass("key"))).toHaveLength(3);
    expect(() => panelFigure({ title: "none", panels: [], columns: 2 })).toThrow(/needs panels/);
  });

  it("draws bars in proportion, with their values, and none for what has no place", () => {
    const bars = [2, 4, -1, Number.NaN].map((value) => ({ label: `bar ${value}`, value }));
    const root = parseXml(barFigure({ title: "t", xLabel: "x", bars }));
    const widths = all(root, byClass("bar")).map((bar) => Number(bar.attributes["width"]));
    expect(widths[1] / widths[0]).toBeCloseTo(2, 2);
    expect(widths[0] / widths[2]).toBeCloseTo(2, 1);
    expect(widths[3]).toBe(0);
    const log = parseXml(
      barFigure({ title: "t", xLabel: "x", log: true, bars: [1, 10, 100, 0].map((value) => ({ label: "b", value })) }),
    );
    const spans = all(log, byClass("bar")).map((bar) => Number(bar.attributes["width"]));
    expect(spans[2] - spans[1]).toBeCloseTo(spans[1] - spans[0], 1);
    expect(spans[3]).toBe(0);
  });
});

describe("text", () => {
  it("is escaped, wrapped and spelt in signs the font has", () => {
    expect(escapeText("a<b\u0000\ud800")).toBe("a&lt;b\u{fffd}\u{fffd}");
    expect(figureText("M = ⌈5 ln n⌉")).toBe("M = ceil(5 ln n)");
    expect(wrap("one two three", 10, 50)).toEqual(["one two", "three"]);
  });

  it("writes numbers for people", () => {
    const numbers = [0, 12345, -1234.5678, 0.50734, 1.23456e-9, Number.POSITIVE_INFINITY];
    expect(numbers.map((value) => readable(value))).toEqual(["0", "12,345", "−1,235", "0.5073", "1.235e−9", "∞"]);
  });
});

describe("svgToPng", () => {
  it("draws the figure at the scale asked for, not blank", async () => {
    const png = readPng(await svgToPng(lineFigure(consensus), { scale: 1 }));
    expect([png.width, png.height]).toEqual([620, 420]);
    expect(darkPixels(png)).toBeGreaterThan(2000);
    expect((await svgToPng(lineFigure(consensus))).length).toBeGreaterThan(10_000);
  });

  it("draws text with its own font, system fonts left out", async () => {
    const write = (inner: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/>${inner}</svg>`;
    const dark = async (inner: string) => darkPixels(readPng(await svgToPng(write(inner), { scale: 1 })));
    const text = (attributes: string, letters = "OD-EquiDyn β") =>
      `<text x="9" y="25" font-size="20" ${attributes}>${letters}</text>`;
    expect(await dark("")).toBe(0);
    const regular = await dark(text(`font-family="Helvetica, sans-serif"`));
    expect(regular).toBeGreaterThan(200);
    expect(await dark(text(`font-family="No Such Font"`))).toBe(regular);
    expect(await dark(text(`font-family="Arimo" font-weight="bold"`))).toBeGreaterThan(regular);
    // Signs of the paper's labels differ from the box that a font shows for what it lacks.
    for (const sign of "ρβηγλΘ‖−×·≤≥≈∞²√")
      expect(await dark(text("", sign)), sign).not.toBe(await dark(text("", "\u{1f9ff}")));
  });
});
