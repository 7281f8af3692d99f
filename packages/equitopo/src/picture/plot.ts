/** One pair of axes with its curves: a thin frame, ticks, bands over repeats, mean lines, dashed theory, end labels. */

import { apart, axes, inBytes, labelSize, tickSize, tickWidth } from "./axis.ts";
import { curve, few, sample } from "./curve.ts";
import type { Look, Theme } from "./palette.ts";
import { type Range, rangeOf, type Scale, scale } from "./scale.ts";
import type { Box, PlotSpec, Series } from "./series.ts";
import { escapeText, line, pixel, text, textWidth } from "./text.ts";

export const lineHeight = 18;

/** The ranges of the axes; undefined if nothing can be drawn. */
export function ranges(spec: PlotSpec): { x: Range; y: Range } | undefined {
  const { xLog = false, yLog = false, series } = spec;
  const [allX, allMeans] = [series.flatMap((one) => one.x), series.flatMap((one) => one.mean)];
  const x = spec.xRange ?? rangeOf(allX, xLog, series.every((one) => one.dashed || few(one)) ? 0.03 : 0);
  const means = rangeOf(allMeans, yLog, 0);
  if (x === undefined || means === undefined) return undefined;
  // The foot of a band may be decades below its mean, and must not stretch a logarithmic axis.
  const least = yLog ? means[0] / 10 : Number.NEGATIVE_INFINITY;
  const bands = series.flatMap((one) => [...(one.low ?? []).map((low) => Math.max(low, least)), ...(one.high ?? [])]);
  const y = spec.yRange ?? rangeOf([...allMeans, ...bands], yLog, 0.04);
  return y && { x, y };
}

/** Whether each curve ends at the right side of the frame, and all labels have room there. */
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
  const ySpan = outer.height - 62;
  const yTicks = scale(range.y, [ySpan, 0], yLog, Math.max(2, Math.floor(ySpan / 31))).ticks;
  const left = 34 + Math.max(...yTicks.map(tickWidth), 8);
  // Where x counts something (rounds, epochs, peers), ticks are at whole numbers only.
  const whole = series.every((one) => one.x.every(Number.isInteger));
  const xTicks = (count: number, map?: Scale["map"]) => {
    const found = scale(range.x, [0, 1], xLog, count, whole).ticks.map((tick) => (spec.xBytes ? inBytes(tick) : tick));
    return map === undefined ? found : apart(found, map);
  };
  const widest = Math.max(...xTicks(6).map(tickWidth), 20);
  const labels = direct
    ? Math.max(...series.map((one) => textWidth(one.label, tickSize, one.strong))) + 44
    : Math.max(18, widest / 2);
  const box = { x: outer.x + left, y: outer.y + 8, width: outer.width - left - labels, height: ySpan };
  const yMap = scale(range.y, [ySpan, 0], yLog, 2).map;
  const y = { map: yMap, ticks: apart(yTicks, yMap, 14) };
  const { map } = scale(range.x, [0, box.width], xLog, 2);
  const x = { map, ticks: xTicks(Math.max(2, Math.floor(box.width / (widest + 26))), map) };
  const drawn = series.map((one, i) => curve(one, looks[i], i, series.length, x, y, box, theme));
  const place = `x="${pixel(box.x)}" y="${pixel(box.y)}" width="${pixel(box.width)}" height="${pixel(box.height)}"`;
  const inside = `<svg class="curves" ${place}>${drawn.map((parts) => parts.band).join("")}${drawn.map((parts) => parts.line).join("")}</svg>`;
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const none = found ? "" : text("no finite values", ...middle, labelSize, theme.quiet, "", "middle");
  const ends = direct ? endLabels(series, looks, x, y, box, theme) : "";
  return `<g class="plot">${axes(spec, x, y, box, outer, theme)}${inside}${none}<rect class="frame" ${place} fill="none" stroke="${theme.ink}" stroke-width="0.8"/>${ends}</g>`;
}

/**
 * Labels right of the frame at the curves' ends, moved apart if they would touch, each with a leader. A curve that left
 * through the floor has no end there: a sample of its line is drawn before its label.
 */
function endLabels(series: readonly Series[], looks: readonly Look[], x: Scale, y: Scale, box: Box, theme: Theme) {
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
      // A thin line leads from the curve's end to its label; a sample is drawn level with the label.
      const colour = escapeText(theme.on(look.colour));
      const level = box.y + at[i];
      const hair = left === undefined ? line(right, box.y + end, right + 10, level, colour) : "";
      const drawn = sample(one, look, right + 10, right + 30, level, theme);
      const label = text(one.label, right + 35, level + 4, tickSize, theme.ink, one.strong ? "bold" : "");
      return `<g class="key" data-series="${escapeText(one.label)}">${hair}${drawn}${label}</g>`;
    })
    .join("");
}
