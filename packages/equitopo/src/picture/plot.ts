/** One pair of axes with its curves: a thin frame, ticks, bands over repeats, mean lines, dashed theory, end labels. */

import type { Look, Marker, Theme } from "./palette.ts";
import { type Range, rangeOf, type Scale, scale, type Tick } from "./scale.ts";
import { escapeText, figureText, pixel, textWidth } from "./text.ts";
import { type Point, stretches, thin } from "./thin.ts";

export interface Series {
  readonly label: string;
  /** Fixes the colour where the label does not name a topology. */
  readonly topology?: string;
  readonly x: readonly number[];
  readonly mean: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  /** Theory: no markers, a dashed line. */
  readonly dashed?: boolean;
  readonly color?: string;
  /** A thicker line and a bold label among many. */
  readonly strong?: boolean;
}

export interface PlotSpec {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xLog?: boolean;
  readonly yLog?: boolean;
  readonly series: readonly Series[];
  /** Fixed ends of an axis; what lies outside is cut at the frame. By default all values, theory included, fit. */
  readonly xRange?: Range;
  readonly yRange?: Range;
  /**
   * Labels right of the frame also for curves that leave it through its floor: they stand below those that reach the
   * right side, the last to leave first.
   */
  readonly labelsAside?: boolean;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const lineHeight = 18;
const [tickSize, labelSize] = [12, 13];

function ranges(spec: PlotSpec): { x: Range; y: Range } | undefined {
  const { xLog = false, yLog = false, series } = spec;
  const x =
    spec.xRange ??
    rangeOf(
      series.flatMap((one) => one.x),
      xLog,
      series.some((one) => few(one)) ? 0.03 : 0,
    );
  const means = rangeOf(
    series.flatMap((one) => one.mean),
    yLog,
    0,
  );
  if (x === undefined || means === undefined) return undefined;
  // A band's foot may lie decades below its mean; it shall not stretch a logarithmic axis.
  const least = yLog ? means[0] / 10 : Number.NEGATIVE_INFINITY;
  const bands = series.flatMap((one) => [...(one.low ?? []).map((low) => Math.max(low, least)), ...(one.high ?? [])]);
  const y = spec.yRange ?? rangeOf([...series.flatMap((one) => one.mean), ...bands], yLog, 0.04);
  return y && { x, y };
}

/** Whether each curve's last point lies on the frame's right side, with room there for all the labels. */
export function endsAtFrame(spec: PlotSpec, width: number, height: number): boolean {
  const found = ranges(spec);
  if (found === undefined || spec.series.length * lineHeight > height * 0.7) return false;
  const x = scale(found.x, [0, 1], spec.xLog ?? false, 2).map;
  const y = scale(found.y, [0, 1], spec.yLog ?? false, 2).map;
  return spec.series.every((one) => {
    const last = one.x.length - 1;
    const room = textWidth(one.label, tickSize, one.strong) < width * 0.32;
    return room && Math.abs(x(one.x[last]) - 1) < 0.04 && y(one.mean[last]) >= 0 && y(one.mean[last]) <= 1;
  });
}

/** The plot inside `outer`, axis labels included. */
export function plot(spec: PlotSpec, looks: readonly Look[], outer: Box, theme: Theme, direct: boolean): string {
  const { series, xLog = false, yLog = false } = spec;
  const found = ranges(spec);
  const empty = (log: boolean): Range => (log ? [0.1, 1] : [0, 1]);
  const range = found ?? { x: empty(xLog), y: empty(yLog) };
  const labels = direct ? Math.max(...series.map((one) => textWidth(one.label, tickSize, one.strong))) + 38 : 18;
  const ySpan = outer.height - 62;
  const yTicks = scale(range.y, [ySpan, 0], yLog, Math.max(2, Math.floor(ySpan / 31))).ticks;
  const left = 34 + Math.max(...yTicks.map(tickWidth), 8);
  const box = { x: outer.x + left, y: outer.y + 8, width: outer.width - left - labels, height: ySpan };
  const y = { ...scale(range.y, [ySpan, 0], yLog, 2), ticks: yTicks };
  const widest = Math.max(...scale(range.x, [0, 1], xLog, 6).ticks.map(tickWidth), 20);
  const x = scale(range.x, [0, box.width], xLog, Math.max(2, Math.floor(box.width / (widest + 26))));
  const drawn = series.map((one, i) => curve(one, looks[i], i, series.length, x, y, box, theme));
  const inside = `<svg x="${pixel(box.x)}" y="${pixel(box.y)}" width="${pixel(box.width)}" height="${pixel(box.height)}">${drawn.map((parts) => parts.band).join("")}${drawn.map((parts) => parts.line).join("")}</svg>`;
  const none = found ? "" : words("no finite values", box.x + box.width / 2, box.y + box.height / 2, theme.quiet);
  const ends = direct ? endLabels(series, looks, x, y, box, theme) : "";
  return `<g class="plot">${axes(spec, x, y, box, outer, theme)}${inside}${none}<rect class="frame" x="${pixel(box.x)}" y="${pixel(box.y)}" width="${pixel(box.width)}" height="${pixel(box.height)}" fill="none" stroke="${theme.ink}" stroke-width="0.8"/>${ends}</g>`;
}

function axes(spec: PlotSpec, x: Scale, y: Scale, box: Box, outer: Box, theme: Theme): string {
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const parts: string[] = [];
  const rule = (x1: number, y1: number, x2: number, y2: number, colour: string) =>
    parts.push(
      `<path d="M${pixel(x1)} ${pixel(y1)}L${pixel(x2)} ${pixel(y2)}" stroke="${colour}" stroke-width="0.8" fill="none"/>`,
    );
  for (const tick of x.ticks) {
    const at = box.x + x.map(tick.value);
    if (!(at >= box.x - 0.01 && at <= right + 0.01)) continue;
    if (tick.label !== undefined) rule(at, box.y, at, bottom, theme.grid);
    rule(at, bottom, at, bottom + (tick.label === undefined ? 3 : 5), theme.ink);
    parts.push(tickLabel(tick, at, bottom + 19, "middle", theme));
  }
  for (const tick of y.ticks) {
    const at = box.y + y.map(tick.value);
    if (!(at >= box.y - 0.01 && at <= bottom + 0.01)) continue;
    if (tick.label !== undefined) rule(box.x, at, right, at, theme.grid);
    rule(box.x - (tick.label === undefined ? 3 : 5), at, box.x, at, theme.ink);
    parts.push(tickLabel(tick, box.x - 9, at + 4, "end", theme));
  }
  const [turnX, turnY] = [pixel(outer.x + 18), pixel(box.y + box.height / 2)];
  parts.push(words(spec.xLabel, box.x + box.width / 2, bottom + 40, theme.ink));
  parts.push(
    `<text transform="translate(${turnX} ${turnY}) rotate(-90)" font-size="${labelSize}" fill="${theme.ink}" text-anchor="middle">${figureText(spec.yLabel)}</text>`,
  );
  return parts.join("");
}

function words(text: string, x: number, y: number, fill: string): string {
  return `<text x="${pixel(x)}" y="${pixel(y)}" font-size="${labelSize}" fill="${fill}" text-anchor="middle">${figureText(text)}</text>`;
}

function tickWidth({ label = "", power = "" }: Tick): number {
  return textWidth(label, tickSize) + textWidth(power, 9);
}

export function tickLabel({ label, power }: Tick, x: number, y: number, anchor: string, theme: Theme): string {
  if (label === undefined) return "";
  const raised = power === undefined ? "" : `<tspan dy="-5" font-size="9">${power}</tspan>`;
  return `<text x="${pixel(x)}" y="${pixel(y)}" font-size="${tickSize}" fill="${theme.ink}" text-anchor="${anchor}">${label}${raised}</text>`;
}

const few = (one: Series) => !one.dashed && one.x.length <= 24;

function curve(one: Series, look: Look, index: number, of: number, x: Scale, y: Scale, box: Box, theme: Theme) {
  const colour = escapeText(theme.on(look.colour));
  const name = escapeText(one.label);
  // A little below the frame, where the clip hides the end of the fall.
  const map = { x: x.map, y: y.map, floor: box.height + 4 };
  const whole = stretches(one.x, one.mean, map);
  const lines = whole.map((points) => path(thin(points))).join("");
  const dash = one.dashed ? ` stroke-dasharray="6 4"` : "";
  const width = one.dashed ? 1.4 : one.strong ? 2.8 : 1.8;
  const line = `<path class="mean" d="${lines}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"${dash}/>`;
  const marks =
    one.dashed || look.marker === undefined ? "" : markersAlong(one, whole.flat(), index, of, box.width, look.marker);
  const dots =
    marks && `<path class="marks" d="${marks}" fill="${colour}" stroke="${theme.ground}" stroke-width="0.7"/>`;
  return {
    band: band(one, map, colour, name),
    line: lines && `<g class="series" data-series="${name}">${line}${dots}</g>`,
  };
}

function band(one: Series, map: Parameters<typeof stretches>[2], colour: string, name: string): string {
  if (one.low === undefined || one.high === undefined) return "";
  // Where the foot has no place on the axis (zero spread to zero), the band reaches down to the floor.
  const feet = one.low.map((low) => (Number.isNaN(map.y(low)) && !Number.isNaN(low) ? map.floor : map.y(low)));
  const tops = one.high.map(map.y);
  const both = feet.map((foot, i) => (Number.isNaN(tops[i]) ? Number.NaN : foot));
  const upper = stretches(
    one.x,
    tops.map((top, i) => (Number.isNaN(both[i]) ? Number.NaN : top)),
    { ...map, y: same },
  );
  const lower = stretches(one.x, both, { ...map, y: same });
  const d = upper.map((points, i) => `${path([...thin(points), ...thin(lower[i]).reverse()])}Z`).join("");
  return d && `<path class="band series" data-series="${name}" d="${d}" fill="${colour}" fill-opacity="0.18"/>`;
}

const same = (pixels: number) => pixels;

function path(points: readonly Point[]): string {
  // A lone point still shows: a round cap is not drawn for a line of no length everywhere, a hair of it is.
  if (points.length === 1) return `M${pixel(points[0].x)} ${pixel(points[0].y)}h0.01`;
  return points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${pixel(x)} ${pixel(y)}`).join("");
}

/** Markers on every point of a short series, else about eight along the frame, each series a little further on. */
function markersAlong(one: Series, points: Point[], index: number, of: number, width: number, marker: Marker): string {
  if (few(one)) return points.map((point) => shape(marker, point, 3.6)).join("");
  const gap = width / 8;
  let next = gap * (0.25 + (0.75 * index) / of);
  let found = "";
  for (const point of points) {
    if (point.x < next) continue;
    found += shape(marker, point, 3.6);
    next += gap * (1 + Math.floor((point.x - next) / gap));
  }
  return found;
}

function shape(marker: Marker, { x, y }: Point, r: number): string {
  const polygon = (...corners: [number, number][]) =>
    `${corners.map(([dx, dy], i) => `${i === 0 ? "M" : "L"}${pixel(x + dx * r)} ${pixel(y + dy * r)}`).join("")}Z`;
  switch (marker) {
    case "circle":
      return `M${pixel(x - r)} ${pixel(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case "square":
      return polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
    case "triangle":
      return polygon([0, -1.2], [1.1, 0.8], [-1.1, 0.8]);
    case "down":
      return polygon([0, 1.2], [1.1, -0.8], [-1.1, -0.8]);
    case "diamond":
      return polygon([0, -1.3], [1.1, 0], [0, 1.3], [-1.1, 0]);
    case "cross": {
      const [a, b] = [0.4, 1.1];
      const half: [number, number][] = [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a]]; // biome-ignore format: a plus
      return polygon(...half, ...half.map(([dx, dy]): [number, number] => [-dx, -dy]));
    }
  }
}

/** A piece of a series' line from (x1, y1) to (x2, y2), as legends and end labels show it. */
export function sample(one: Series, look: Look, x1: number, x2: number, y1: number, y2: number, theme: Theme): string {
  const colour = escapeText(theme.on(look.colour));
  const dash = one.dashed ? ` stroke-dasharray="6 4"` : "";
  const middle = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
  const mark =
    one.dashed || look.marker === undefined ? "" : `<path d="${shape(look.marker, middle, 3.6)}" fill="${colour}"/>`;
  return `<path d="M${pixel(x1)} ${pixel(y1)}L${pixel(x2)} ${pixel(y2)}" stroke="${colour}" stroke-width="${one.strong ? 2.8 : 1.8}"${dash} fill="none"/>${mark}`;
}

/**
 * Labels right of the frame at the curves' ends, pushed apart where they would touch, each with a leader. A curve that
 * has left through the floor has no end there to lead to: a sample of its line stands before its label.
 */
function endLabels(
  series: readonly Series[],
  looks: readonly Look[],
  x: Scale,
  y: Scale,
  box: Box,
  theme: Theme,
): string {
  const ends = series.map((one, i) => {
    const last = y.map(one.mean[one.mean.length - 1]);
    if (last <= box.height + 0.5) return { one, look: looks[i], end: Math.max(0, last), left: undefined };
    const gone = one.mean.findIndex((value) => !(y.map(value) <= box.height + 0.5));
    return { one, look: looks[i], end: box.height, left: x.map(one.x[gone]) || 0 };
  });
  ends.sort((a, b) => a.end - b.end || (b.left ?? 0) - (a.left ?? 0));
  const at = ends.map(({ end }) => end);
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i], at[i - 1] + lineHeight - 2);
  at[at.length - 1] = Math.min(at[at.length - 1], box.height);
  for (let i = at.length - 2; i >= 0; i--) at[i] = Math.min(at[i], at[i + 1] - lineHeight + 2);
  const right = box.x + box.width;
  return ends
    .map(({ one, look, end, left }, i) => {
      const [from, height] = left === undefined ? [right, end] : [right + 5, at[i]];
      const leader = sample(one, look, from, right + 24, box.y + height, box.y + at[i], theme);
      const bold = one.strong ? ` font-weight="bold"` : "";
      const label = `<text x="${pixel(right + 29)}" y="${pixel(box.y + at[i] + 4)}" font-size="${tickSize}" fill="${theme.ink}"${bold}>${figureText(one.label)}</text>`;
      return `<g class="key" data-series="${escapeText(one.label)}">${leader}${label}</g>`;
    })
    .join("");
}
