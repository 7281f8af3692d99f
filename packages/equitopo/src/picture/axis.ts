/** Axes around a box: rules, ticks whose labels never touch, and what is drawn along them. */

import { showBytes } from "./numbers.ts";
import type { Theme } from "./palette.ts";
import type { Scale, Tick } from "./scale.ts";
import type { Box, PlotSpec, Series } from "./series.ts";
import { figureText, pixel, textWidth } from "./text.ts";

export const tickSize = 12;
const labelSize = 13;

export function axes(spec: PlotSpec, x: Scale, y: Scale, box: Box, outer: Box, theme: Theme): string {
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

export function words(text: string, x: number, y: number, fill: string): string {
  return `<text x="${pixel(x)}" y="${pixel(y)}" font-size="${labelSize}" fill="${fill}" text-anchor="middle">${figureText(text)}</text>`;
}

/** 20 kB, not 2.00e4. */
export function inBytes({ value, label }: Tick): Tick {
  if (label === undefined) return { value };
  return {
    value,
    label:
      value === 0
        ? "0"
        : showBytes(value)
            .replace(/(\.\d*?)0+ /, "$1 ")
            .replace(". ", " "),
  };
}

/** Rounds, epochs, peers: there is nothing between them for a tick to stand at. */
export function wholeNumbers(series: readonly Series[]): boolean {
  return series.every(({ x }) => x.every(Number.isInteger));
}

/** The ticks, without the labels that would touch the one before; they are `height` pixels high, or stand side by side. */
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
