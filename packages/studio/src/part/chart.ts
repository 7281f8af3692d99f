/**
 * Curves over a logarithmic scale: measured ones solid, promised ones dashed. Scales, ticks and the thinning of points are
 * those of the figures (equitopo/picture).
 */

import { type Paper, type Pen, type Point, scale, type Tick, themes, thin } from "equitopo/internal/picture";
import { type Chosen, labelOf } from "../view/topology-field.ts";
import { colourOf } from "./colour.ts";
import { type Box, freest, placesBeside } from "./labels.ts";

export interface Series {
  readonly colour: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** measured: a thick line; rate: dashed; bound: dotted. */
  readonly style: "measured" | "rate" | "bound";
}

export const legendOf = (chosen: readonly Chosen[], theme: Paper["theme"]): Name[] =>
  chosen.map((one) => ({ label: labelOf(one), colour: colourOf(one.name, theme) }));

type Name = { readonly label: string; readonly colour: string };

/** A point with a name, on a curve. */
export type Mark = Point & Name;

export interface Chart {
  readonly series: readonly Series[];
  readonly marks?: readonly Mark[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xMost: number;
  /** From the top down: powers of ten. */
  readonly yRange: readonly [number, number];
  /** Where a horizontal line is drawn, with its power of ten. */
  readonly goal?: number;
  /** The curves' names, above them; a page has them beside the chart. */
  readonly legend?: readonly Name[];
  /** Where a vertical line marks the current place. */
  readonly cursor?: number;
}

const FONT = "12px system-ui, sans-serif";
/** The width of one of its letters, about. */
const LETTER = 6.3;
const EXPONENT_FONT = "9px system-ui, sans-serif";
const EXPONENT_LETTER = 4.8;
const widths = { measured: 2.2, rate: 1.3, bound: 1.3 };
const dashes = { measured: [], rate: [7, 4], bound: [1.5, 4] };

/** A tick's label, which ends at `right`. Its exponent is drawn, as fonts lack the raised minus and show a gap for it. */
function drawTick(pen: Pen, { label = "", power = "" }: Tick, right: number, y: number): void {
  const middle = right - EXPONENT_LETTER * power.length;
  pen.textAlign = "right";
  pen.fillText(label, middle, y);
  if (power === "") return;
  pen.textAlign = "left";
  pen.font = EXPONENT_FONT;
  pen.fillText(power, middle + 1, y - 5);
  pen.font = FONT;
}

/** The height of a line of the legend, and the length of a curve's piece in it. */
const [LINE, KEY] = [18, 22];

/** The names from left to right, in as many lines as they need. */
function placed(names: readonly Name[], width: number) {
  let [x, row] = [4, 0];
  return names.map((name) => {
    const wide = KEY + 6 + LETTER * name.label.length + 18;
    if (x > 4 && x + wide > width) [x, row] = [4, row + 1];
    x += wide;
    return { ...name, x: x - wide, line: row };
  });
}

export function drawChart(pen: Pen, paper: Paper, chart: Chart): void {
  const { width, height, theme } = paper;
  const { ink, quiet, grid, ground } = themes[theme];
  const entries = placed(chart.legend ?? [], width);
  const lines = entries.length === 0 ? 0 : entries[entries.length - 1].line + 1;
  const [left, right, top, bottom] = [52, width - 16, 34 + LINE * lines, height - 46];
  const [high, low] = chart.yRange;
  const x = scale([0, chart.xMost], [left, right], false, Math.max(2, Math.floor((right - left) / 90)));
  const y = scale([low, high], [bottom, top], true, Math.max(2, Math.floor((bottom - top) / 34)));
  const line = (x0: number, y0: number, x1: number, y1: number) => {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  };

  const drawSeries = ({ x: from, y: values, colour, style }: Series): void => {
    const points: Point[] = [];
    for (let k = 0; k < from.length && from[k] <= chart.xMost * (1 + 1e-9); k++) {
      points.push({ x: x.map(from[k]), y: y.map(Math.min(high, Math.max(values[k] || 0, low))) });
      // A curve that goes below the paper is drawn down to its edge, and no further.
      if (!(values[k] >= low)) break;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = widths[style];
    pen.setLineDash(dashes[style]);
    pen.beginPath();
    for (const point of thin(points, 1)) pen.lineTo(point.x, point.y);
    pen.stroke();
  };

  pen.font = FONT;
  pen.lineWidth = 1;
  pen.strokeStyle = grid;
  pen.fillStyle = quiet;
  pen.textBaseline = "middle";
  for (const tick of y.ticks) {
    if (tick.label === undefined) continue;
    const at = y.map(tick.value);
    line(left, at, right, at);
    drawTick(pen, tick, left - 8, at);
  }
  pen.textBaseline = "top";
  for (const tick of x.ticks) {
    const at = x.map(tick.value);
    line(at, bottom, at, bottom + 5);
    drawTick(pen, tick, at + (LETTER * (tick.label?.length ?? 0)) / 2, bottom + 9);
  }
  pen.textAlign = "center";
  pen.fillText(chart.xLabel, (left + right) / 2, bottom + 27);
  pen.textAlign = "left";
  pen.fillText(chart.yLabel, 4, 4);

  for (const { label, colour, x, line: row } of entries) {
    const at = 26 + LINE * row;
    pen.strokeStyle = colour;
    pen.lineWidth = widths.measured;
    line(x, at + 6, x + KEY, at + 6);
    pen.fillStyle = ink;
    pen.fillText(label, x + KEY + 6, at);
  }
  pen.lineWidth = 1;
  pen.fillStyle = quiet;

  if (chart.goal !== undefined) {
    const at = y.map(chart.goal);
    pen.strokeStyle = quiet;
    line(left, at, right, at);
    pen.textBaseline = "middle";
    drawTick(pen, { value: chart.goal, label: "10", power: `−${-Math.round(Math.log10(chart.goal))}` }, right, at - 10);
  }
  if (chart.cursor !== undefined) {
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.35;
    line(x.map(chart.cursor), top, x.map(chart.cursor), bottom);
    pen.globalAlpha = 1;
  }
  const names = namesOf(chart.marks ?? []);
  for (const style of ["bound", "rate"] as const) {
    for (const series of chart.series) if (series.style === style) drawSeries(series);
  }
  // Promises that pass under a name would make it hard to read; what was measured is never covered.
  pen.fillStyle = ground;
  pen.globalAlpha = 0.8;
  for (const { x, y, width, height } of names) pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
  for (const series of chart.series) if (series.style === "measured") drawSeries(series);
  pen.setLineDash([]);
  pen.font = FONT;
  pen.textBaseline = "bottom";
  pen.textAlign = "left";
  for (const [k, { label, colour, ...mark }] of (chart.marks ?? []).entries()) {
    pen.fillStyle = colour;
    pen.strokeStyle = ground;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x.map(mark.x), y.map(mark.y), 5, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.fillStyle = ink;
    pen.fillText(label, names[k].x, names[k].y + names[k].height - 2);
  }

  /** Where the points' names go: beside them, where they cover least of what was measured and of each other. */
  function namesOf(marks: readonly Mark[]): Box[] {
    const measured = chart.series
      .filter(({ style }) => style === "measured")
      .map(({ x: from, y: values }) =>
        Array.from(from).map((at, k) => ({ x: x.map(at), y: y.map(Math.min(high, Math.max(values[k] || 0, low))) })),
      );
    const taken: Box[] = [];
    for (const mark of marks) {
      const point = { x: x.map(mark.x), y: y.map(mark.y) };
      const size = { width: LETTER * mark.label.length, height: 16 };
      taken.push(freest(placesBeside(point, size, { left, right, top, bottom }), measured, taken));
    }
    return taken;
  }
}
