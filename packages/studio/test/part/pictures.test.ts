import { marksOf, nodeAt, placesOf, svgOf } from "equitopo/picture";
import { expect, test } from "vitest";
import { drawChart, short, ticks } from "../../src/curves/chart.ts";
import { chartOf } from "../../src/curves/series.ts";
import { drawNetwork } from "../../src/rounds/draw.ts";
import { frameOf } from "../../src/rounds/frame-of.ts";
import { scene } from "../../src/rounds/work.ts";
import { settingOf } from "../../src/setting.ts";
import { Track } from "../../src/simulate.ts";
import { isTrouble } from "../../src/trouble.ts";
import { readView } from "../../src/view.ts";

const paper = { width: 600, height: 600, theme: "light" } as const;

function pictureOf(fragment: string, node?: number) {
  const view = readView(fragment);
  const [chosen] = view.topology;
  const setting = settingOf(view);
  const steps = scene({ topologies: [chosen], setting, layout: view.layout });
  let step = steps.next();
  while (!step.done) step = steps.next();
  const [found] = step.value;
  if (isTrouble(found)) throw new Error(found.trouble);
  const track = new Track(chosen, setting);
  for (const _ of track.seek(view.t ?? 0));
  return { scene: found, frame: frameOf(track, view.d, node) };
}

function svg(fragment: string, node?: number): string {
  const { scene: place, frame } = pictureOf(fragment, node);
  const draw = (pen: Parameters<typeof drawNetwork>[0]) =>
    drawNetwork(pen, paper, place, frame, { phase: 0, contrast: "start" });
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
  const { scene: place, frame } = pictureOf("n=10000");
  expect(marksOf(place, paper)).toBeLessThan(1000);
  expect(frame.edges.lost.length).toBe(1500);
  expect(frame.edges.all).toBe(10_000);
  expect(svg("n=10000").length).toBeLessThan(300_000);
});

test("the node at a point is the one that is drawn there", () => {
  for (const name of ["ring", "grid", "hypercube"]) {
    const { scene: place } = pictureOf(`topology=${name}&n=64`);
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
  const chart = chartOf({
    ...{ topologies: [{ name: "od-equidyn" }, { name: "ring" }, { name: "star" }], rounds: 60, theme: "dark" },
    curves: [history, { trouble: "no" }, { ...history, errors: errors.map(() => 0) }],
    rates: [{ rate: 0.6, bound: 0.7, method: "", leaves: 0.6, stretch: 1, single: 0.6, rounds: 28 }],
    axis: "bytes",
  });
  expect(chart.marks[0]).toMatchObject({ x: 160, label: "OD-EquiDyn: 20 rounds" });
  // Where 0.5^t is below 1e-10: what comes after it is not on the paper.
  expect(chart.xMost).toBe(34 * 8);
  const text = svgOf(
    { name: "c", title: "c", size: [900, 500], draw: (pen, paper) => drawChart(pen, paper, chart) },
    "dark",
  );
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
  expect(text).toContain("OD-EquiDyn: 20 rounds");
  // Exponents are small text: fonts that lack the raised minus would show 10 2.
  expect(text).toMatch(/>10<\/text>\n<text[^>]*font:9px[^>]*>-2<\/text>/);
  expect(text).not.toMatch(/[⁰¹²³⁴-⁹⁻‖]/);
});

test("numbers under an axis", () => {
  expect(ticks(60, 6)).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(ticks(0, 5)).toEqual([0]);
  expect([0, 1500, 2e6, 0.002, 3e-6].map(short)).toEqual(["0", "1.5k", "2M", "2m", "3µ"]);
  expect([3e-8, 2e-12].map(short)).toEqual(["30n", "0.002n"]);
});
