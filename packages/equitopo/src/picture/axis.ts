/** Axes around a box: lines, ticks whose labels never touch, and titles. */

import { showBytes } from "./numbers.ts";
import type { Theme } from "./palette.ts";
import type { Scale, Tick } from "./scale.ts";
import type { Box, PlotSpec } from "./series.ts";
import { figureText, line, pixel, text, textWidth } from "./text.ts";

export const tickSize = 12;
export const labelSize = 13;

export function axes(spec: PlotSpec, x: Scale, y: Scale, box: Box, outer: Box, theme: Theme): string {
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const parts: string[] = [];
  const drawTicks = ({ ticks, map }: Scale, from: number, to: number, draw: (tick: Tick, at: number) => string[]) => {
    for (const tick of ticks) {
      const at = from + map(tick.value);
      if (at >= from - 0.01 && at <= to + 0.01) parts.push(...draw(tick, at));
    }
  };
  const lengthOf = ({ label }: Tick) => (label === undefined ? 3 : 5);
  drawTicks(x, box.x, right, (tick, at) => [
    tick.label === undefined ? "" : line(at, box.y, at, bottom, theme.grid),
    line(at, bottom, at, bottom + lengthOf(tick), theme.ink),
    tickLabel(tick, at, bottom + 19, "middle", theme),
  ]);
  drawTicks(y, box.y, bottom, (tick, at) => [
    tick.label === undefined ? "" : line(box.x, at, right, at, theme.grid),
    line(box.x - lengthOf(tick), at, box.x, at, theme.ink),
    tickLabel(tick, box.x - 9, at + 4, "end", theme),
  ]);
  const [turnX, turnY] = [pixel(outer.x + 18), pixel(box.y + box.height / 2)];
  parts.push(text(spec.xLabel, box.x + box.width / 2, bottom + 40, labelSize, theme.ink, "", "middle"));
  parts.push(
    `<text transform="translate(${turnX} ${turnY}) rotate(-90)" font-size="${labelSize}" fill="${theme.ink}" text-anchor="middle">${figureText(spec.yLabel)}</text>`,
  );
  return parts.join("");
}

/** 20 kB, not 2.00e4. */
export function inBytes({ value, label }: Tick): Tick {
  if (label === undefined) return { value };
  const shown = showBytes(value).replace(/(\.\d*?)0+ /, "$1 ");
  return { value, label: value === 0 ? "0" : shown.replace(". ", " ") };
}

/** The ticks without labels that would touch the one before; labels are `height` pixels high, or side by side. */
export function apart(ticks: readonly Tick[], map: Scale["map"], height?: number): Tick[] {
  let taken = Number.NEGATIVE_INFINITY;
  return [...ticks]
    .sort((a, b) => map(a.value) - map(b.value))
    .map((tick) => {
      const half = (height ?? tickWidth(tick) + 8) / 2;
      if (tick.label === undefined) return tick;
      if (map(tick.value) - half < taken) return { value: tick.value };
      taken = map(tick.value) + half;
      return tick;
    });
}

export function tickWidth({ label = "", power = "" }: Tick): number {
  return textWidth(label, tickSize) + textWidth(power, 9);
}

export function tickLabel({ label, power }: Tick, x: number, y: number, anchor: string, theme: Theme): string {
  if (label === undefined) return "";
  const raised = power === undefined ? "" : `<tspan dy="-5" font-size="9">${power}</tspan>`;
  return `<text x="${pixel(x)}" y="${pixel(y)}" font-size="${tickSize}" fill="${theme.ink}" text-anchor="${anchor}">${label}${raised}</text>`;
}
