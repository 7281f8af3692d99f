/**
 * Curves over a logarithmic scale: what was measured solid, what was promised dashed. Where points outnumber pixels, the
 * least and the largest of each column of pixels are drawn, so that nothing is lost.
 */

import { type Paper, type Pen, themes } from "equitopo/picture";

export interface Series {
  readonly label: string;
  readonly colour: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** measured: a thick line; rate: dashed; bound: dotted. */
  readonly style: "measured" | "rate" | "bound";
}

/** A point with a name, on a curve. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly colour: string;
}

export interface Chart {
  readonly series: readonly Series[];
  readonly marks: readonly Mark[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xMost: number;
  /** From the top down: powers of ten. */
  readonly yRange: readonly [number, number];
  /** A horizontal line with its power of ten. */
  readonly goal?: number;
  /** A vertical line: where one stands. */
  readonly cursor?: number;
}

const FONT = "12px system-ui, sans-serif";
/** The width of one of its letters, about. */
const LETTER = 6.3;
const EXPONENT_FONT = "9px system-ui, sans-serif";
const EXPONENT_LETTER = 4.8;
const widths = { measured: 2.2, rate: 1.3, bound: 1.3 };
const dashes = { measured: [], rate: [7, 4], bound: [1.5, 4] };

/** 1, 2 or 5 times a power of ten, so that there are about `count` of them. */
export function ticks(most: number, count: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => Number((k * step).toPrecision(12)));
}

const scales = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
] as const;

/** 1.5e6 as 1.5M, 2e-3 as 2m: what fits under an axis. */
export function short(value: number): string {
  if (value === 0) return "0";
  const [scale, sign] = scales.find(([size]) => value >= size) ?? scales[scales.length - 1];
  return `${Number((value / scale).toPrecision(3))}${sign}`;
}

/** A power of ten that ends at `right`. Its exponent is drawn, as fonts lack the raised minus and show a gap for it. */
function drawPower(pen: Pen, power: number, right: number, y: number): void {
  pen.textAlign = "right";
  if (power === 0) {
    pen.fillText("1", right, y);
    return;
  }
  const exponent = String(power);
  const middle = right - EXPONENT_LETTER * exponent.length;
  pen.fillText("10", middle, y);
  pen.textAlign = "left";
  pen.font = EXPONENT_FONT;
  pen.fillText(exponent, middle + 1, y - 5);
  pen.font = FONT;
}

export function drawChart(pen: Pen, paper: Paper, chart: Chart): void {
  const { width, height, theme } = paper;
  const { ink, quiet, grid } = themes[theme];
  const [left, right, top, bottom] = [52, width - 16, 34, height - 46];
  const [high, low] = chart.yRange.map(Math.log10);
  const px = (x: number) => left + (x / chart.xMost) * (right - left);
  const py = (y: number) => top + ((high - Math.log10(y)) / (high - low)) * (bottom - top);
  const line = (x0: number, y0: number, x1: number, y1: number) => {
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  };

  pen.font = FONT;
  pen.lineWidth = 1;
  pen.strokeStyle = grid;
  pen.fillStyle = quiet;
  pen.textBaseline = "middle";
  const decades = Math.round(high - low);
  const stride = Math.max(1, Math.ceil(decades / Math.max(2, Math.floor((bottom - top) / 34))));
  for (let power = high; power >= low - 1e-9; power -= stride) {
    const y = py(10 ** power);
    line(left, y, right, y);
    drawPower(pen, Math.round(power), left - 8, y);
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const x of ticks(chart.xMost, Math.max(2, Math.floor((right - left) / 90)))) {
    line(px(x), bottom, px(x), bottom + 5);
    pen.fillText(short(x), px(x), bottom + 9);
  }
  pen.fillText(chart.xLabel, (left + right) / 2, bottom + 27);
  pen.textAlign = "left";
  pen.fillText(chart.yLabel, 4, 4);

  if (chart.goal !== undefined) {
    pen.strokeStyle = quiet;
    line(left, py(chart.goal), right, py(chart.goal));
    pen.textBaseline = "middle";
    drawPower(pen, Math.round(Math.log10(chart.goal)), right, py(chart.goal) - 10);
  }
  if (chart.cursor !== undefined) {
    pen.strokeStyle = ink;
    pen.globalAlpha = 0.35;
    line(px(chart.cursor), top, px(chart.cursor), bottom);
    pen.globalAlpha = 1;
  }
  const order = ["bound", "rate", "measured"] as const;
  for (const style of order) {
    for (const series of chart.series) if (series.style === style) drawSeries(pen, series, chart, px, py);
  }
  pen.setLineDash([]);
  drawMarks(pen, chart.marks, px, py, { ink, ground: themes[theme].ground, right });
}

function drawSeries(
  pen: Pen,
  { x, y, colour, style }: Series,
  { yRange, xMost }: Chart,
  px: (x: number) => number,
  py: (y: number) => number,
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = widths[style];
  pen.setLineDash(dashes[style]);
  pen.beginPath();
  let column = Number.NaN;
  let [lowest, highest] = [0, 0];
  let drawn = false;
  for (let k = 0; k < x.length && x[k] <= xMost * (1 + 1e-9); k++) {
    // What is below the paper is drawn down to its edge, and no further.
    const below = !(y[k] >= yRange[1]);
    const [at, value] = [px(x[k]), py(Math.min(yRange[0], Math.max(y[k] || 0, yRange[1])))];
    if (Math.round(at) !== column) {
      if (drawn && lowest !== highest) {
        pen.lineTo(column, lowest);
        pen.lineTo(column, highest);
      }
      if (drawn) pen.lineTo(at, value);
      else pen.moveTo(at, value);
      drawn = true;
      column = Math.round(at);
      [lowest, highest] = [value, value];
    } else [lowest, highest] = [Math.min(lowest, value), Math.max(highest, value)];
    if (below) break;
  }
  pen.stroke();
}

/** Points with their names beside them, to the left of the point where there is no room to the right. */
function drawMarks(
  pen: Pen,
  marks: readonly Mark[],
  px: (x: number) => number,
  py: (y: number) => number,
  { ink, ground, right }: { ink: string; ground: string; right: number },
): void {
  pen.font = FONT;
  pen.textBaseline = "bottom";
  for (const [k, { x, y, label, colour }] of marks.entries()) {
    const [at, value] = [px(x), py(y)];
    pen.fillStyle = colour;
    pen.strokeStyle = ground;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(at, value, 5, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    const leftwards = at + 8 * label.length > right;
    const [edge, base] = [at + (leftwards ? -9 : 9), value - 7 - 17 * (k % 3)];
    // Lines that pass under a name would make it hard to read.
    const wide = LETTER * label.length;
    pen.fillStyle = ground;
    pen.globalAlpha = 0.8;
    pen.fillRect(leftwards ? edge - wide : edge, base - 14, wide, 16);
    pen.globalAlpha = 1;
    pen.fillStyle = ink;
    pen.textAlign = leftwards ? "right" : "left";
    pen.fillText(label, edge, base);
  }
}
