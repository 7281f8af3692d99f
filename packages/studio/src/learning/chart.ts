/** Disagreement against updates, one line a topology, on a logarithmic scale: what the facts say as it came about. */

import { themes } from "equitopo/picture";
import type { Pen } from "../part/pen.ts";
import type { Paper } from "../part/picture.ts";

export interface ChartLine {
  readonly colour: string;
  /** One value an update, from 0 on. */
  readonly values: Float64Array;
}

const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;
const RIGHT = 8;

/** Whole powers of ten around what is above 0; one decade where there is nothing. */
export function decades(lines: readonly ChartLine[]): readonly [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const { values } of lines) {
    for (const value of values) {
      if (!(value > 0)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  if (most === 0) return [-1, 0];
  const low = Math.max(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) - 8);
  return [low, Math.max(low + 1, Math.ceil(Math.log10(most)))];
}

export function drawChart(pen: Pen, { width, height, theme }: Paper, lines: readonly ChartLine[]): void {
  const { ground, quiet, grid, on } = themes[theme];
  const [low, high] = decades(lines);
  const last = Math.max(10, ...lines.map(({ values }) => values.length - 1));
  const x = (update: number) => LEFT + (update / last) * (width - LEFT - RIGHT);
  const y = (power: number) => TOP + ((high - power) / (high - low)) * (height - TOP - BOTTOM);
  pen.globalAlpha = 1;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  pen.lineWidth = 1;
  pen.setLineDash([]);
  for (let power = low; power <= high; power++) {
    pen.strokeStyle = grid;
    pen.beginPath();
    pen.moveTo(LEFT, y(power));
    pen.lineTo(width - RIGHT, y(power));
    pen.stroke();
    pen.fillStyle = quiet;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    pen.fillText(power >= -2 && power <= 2 ? String(10 ** power) : `1e${power}`, LEFT - 6, y(power));
  }
  pen.textBaseline = "bottom";
  pen.textAlign = "left";
  pen.fillText("0", LEFT, height - 4);
  pen.textAlign = "right";
  pen.fillText(`${last} updates`, width - RIGHT, height - 4);
  pen.lineWidth = 2;
  for (const { colour, values } of lines) {
    pen.strokeStyle = on(colour);
    pen.beginPath();
    drawThinned(pen, values, x, (value) => y(Math.max(low, Math.log10(value))), width);
    pen.stroke();
  }
}

/** The first, the lowest, the highest and the last of each column of pixels. */
function drawThinned(
  pen: Pen,
  values: Float64Array,
  x: (update: number) => number,
  y: (value: number) => number,
  width: number,
): void {
  const size = Math.max(1, Math.ceil(values.length / width));
  let begun = false;
  for (let from = 0; from < values.length; from += size) {
    const part = values.subarray(from, from + size);
    const picked = part.length <= 2 ? part : [part[0], Math.min(...part), Math.max(...part), part[part.length - 1]];
    for (const value of picked) {
      if (!(value > 0)) continue;
      if (begun) pen.lineTo(x(from), y(value));
      else pen.moveTo(x(from), y(value));
      begun = true;
    }
  }
}
