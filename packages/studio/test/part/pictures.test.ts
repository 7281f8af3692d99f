import { topologies as topologyRegistry } from "equitopo";
import { marksOf, nodeAt, type Picture, placesOf, svgOf } from "equitopo/internal/picture";
import { expect, test } from "vitest";
import { chartOf } from "../../src/curves/series.ts";
import type { CurvesShown } from "../../src/curves/table.tsx";
import { drawChart, legendOf } from "../../src/part/chart.ts";
import { colourOf, SHADES, shadeColour } from "../../src/part/colour.ts";
import { touches } from "../../src/part/labels.ts";
import { drawNetwork } from "../../src/rounds/draw.ts";
import { readView } from "../../src/view/view.ts";
import { frameOf } from "../../src/work/frame.ts";
import { settingOf } from "../../src/work/setting.ts";
import { Track } from "../../src/work/track.ts";

const paper = { width: 600, height: 600, theme: "light" } as const;

function pictureOf(fragment: string, node?: number) {
  const view = readView(fragment);
  const [chosen] = view.topology;
  const setting = settingOf(view);
  const track = new Track(chosen, setting);
  for (const _ of track.seek(view.t ?? 0));
  return frameOf(track, { ...view, node });
}

function svg(fragment: string, node?: number): string {
  const frame = pictureOf(fragment, node);
  const draw = (pen: Parameters<typeof drawNetwork>[0]) =>
    drawNetwork(pen, paper, frame, { phase: 0, contrast: "start" });
  return svgOf({ name: "p", title: "a < b", size: [600, 600], draw }, "light");
}

test("a picture of every shape is SVG without numbers that are none", () => {
  for (const name of ["od-equidyn", "ring", "star", "grid", "torus", "hypercube", "geometric", "complete"]) {
    const text = svg(`topology=${name}&n=16&t=2&drop=0.3&kill=3@0`, 5);
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 600 600"/);
    expect(text).toContain("<title>a &lt; b</title>");
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(text).toContain('stroke-dasharray="3 4"');
  }
});

test("10,000 nodes are drawn with no more marks than there are pixels, and 1,500 edges", () => {
  const frame = pictureOf("n=10000");
  expect(marksOf(frame, paper)).toBeLessThan(1000);
  expect(frame.edges.dropped.length).toBe(1500);
  expect(frame.edges.all).toBe(10_000);
  expect(svg("n=10000").length).toBeLessThan(300_000);
});

test("the node at a point is the one that is drawn there", () => {
  for (const name of ["ring", "grid", "hypercube"]) {
    const place = pictureOf(`topology=${name}&n=64`);
    const places = placesOf(place, paper);
    for (const node of [0, 17, 63]) expect(nodeAt(place, ...places.at(node), paper)).toBe(node);
    expect(nodeAt(place, -500, -500, paper)).toBeUndefined();
  }
});

test("a chart: names the crossing, ends at the paper, and takes whatever comes", () => {
  const errors = Array.from({ length: 61 }, (_, t) => 8 * 0.5 ** t);
  const history = {
    errors,
    drifts: errors.map(() => 0),
    bytes: errors.map((_, t) => 8 * t),
    seconds: errors,
    messages: 1,
  };
  const shown: CurvesShown = {
    ...{ topologies: [{ name: "od-equidyn" }, { name: "ring" }, { name: "star" }], rounds: 60 },
    curves: [history, { trouble: "no" }, { ...history, errors: errors.map(() => 0) }],
    rates: [
      {
        ...{ rate: 0.6, bound: 0.7, method: "closed form", leaves: 0.6, stretch: 1, single: 0.6, rounds: 28 },
        meanSquare: true,
      },
    ],
  };
  const chart = chartOf(shown, "bytes", "dark");
  expect(chart.marks?.[0]).toMatchObject({ x: 160, label: "OD-EquiDyn: 20 rounds" });
  // Where 0.5^t is below 1e-10: what comes after it is not on the paper.
  expect(chart.xMost).toBe(34 * 8);
  const text = svgOf(
    { name: "c", title: "c", size: [900, 500], draw: (pen, paper) => drawChart(pen, paper, chart) },
    "dark",
  );
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  expect(text).toContain("OD-EquiDyn: 20 rounds");
  // Exponents are small text: fonts that lack the raised minus would show 10 2.
  expect(text).toMatch(/>10<\/text>\n<text[^>]*font:9px[^>]*>−2<\/text>/);
  expect(text).not.toMatch(/[⁰¹²³⁴-⁹⁻‖]/);
});

test("an exported chart names its curves, in as many lines as they need", () => {
  const topologies = ["od-equidyn", "ou-equidyn", "static-exp", "ring", "d-equistatic"].map((name) => ({ name }));
  const chart = { series: [], xLabel: "x", yLabel: "y", xMost: 1, yRange: [1, 1e-3] } as const;
  const text = (width: number) => {
    const legend = legendOf(topologies, "light");
    const draw: Picture["draw"] = (pen, paper) => drawChart(pen, paper, { ...chart, legend });
    return svgOf({ name: "c", title: "c", size: [width, 400], draw }, "light");
  };
  for (const { label, colour } of legendOf(topologies, "light")) {
    expect(text(900)).toContain(`>${label}</text>`);
    expect(text(900)).toContain(colour);
  }
  const linesOf = (svg: string) =>
    new Set([...svg.matchAll(/y="([\d.]+)"[^>]*>(?:O[DU]|Static|Ring|D-)/g)].map(([, y]) => y));
  expect(linesOf(text(900)).size).toBe(1);
  expect(linesOf(text(260)).size).toBeGreaterThan(2);
});

test("no node has the colour of a curve", () => {
  for (let shade = 0; shade < SHADES; shade++) {
    for (const theme of ["light", "dark"] as const) {
      for (const { name } of topologyRegistry) {
        const [one, other] = [shadeColour(shade), colourOf(name, theme)].map((colour) =>
          [1, 3, 5].map((k) => Number.parseInt(colour.slice(k, k + 2), 16)),
        );
        expect(Math.hypot(...one.map((channel, k) => channel - other[k]))).toBeGreaterThan(15);
      }
    }
  }
});

test("a chart: no name covers a measured curve, however small the paper is", () => {
  const curve = (factor: number) => {
    const errors = Array.from({ length: 81 }, (_, t) => factor ** t);
    const zeros = errors.map(() => 0);
    return { errors, drifts: zeros, bytes: zeros, seconds: zeros, messages: 1 };
  };
  const shown: CurvesShown = {
    topologies: [{ name: "od-equidyn" }, { name: "ou-equidyn" }, { name: "static-exp" }, { name: "ring" }],
    ...{ curves: [0.64, 0.741, 0.725, 0.9998].map(curve), rates: [], rounds: 80 },
  };
  for (const width of [360, 900]) {
    const covered: (readonly [number, number, number, number])[] = [];
    const lines: [number, number][][] = [];
    let path: [number, number][] = [];
    const pen = new Proxy({} as Record<string, unknown>, {
      get: (given, key) => {
        if (key === "beginPath") return () => (path = []);
        if (key === "lineTo" || key === "moveTo") return (x: number, y: number) => path.push([x, y]);
        if (key === "stroke") return () => given["lineWidth"] === 2.2 && lines.push(path);
        if (key === "fillRect") return (...box: [number, number, number, number]) => covered.push(box);
        return () => {};
      },
    });
    drawChart(pen as never, { width, height: 280, theme: "light" }, chartOf(shown, "rounds", "light"));
    expect([covered.length, lines.length]).toEqual([3, 4]);
    for (const [x, y, w, h] of covered) {
      for (const line of lines) {
        for (let k = 1; k < line.length; k++) {
          const [from, to] = [line[k - 1], line[k]].map(([x, y]) => ({ x, y }));
          expect(touches({ x, y, width: w, height: h }, from, to)).toBe(false);
        }
      }
    }
  }
});
