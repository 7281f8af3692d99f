/**
 * Colours of values: violet below the mean, lime above it, pale at it, on a light and on a dark ground. None of them is a
 * topology's, whose colours say which curve is whose.
 */

import { mix, themes, topologyColour } from "equitopo/internal/picture";

/** How many shades there are; nodes of one shade are drawn at once. */
export const SHADES = 41;

const stops = ["#6f5ce0", "#b0a6ee", "#dcd7cf", "#c3dc6e", "#93c01f"];

const shades = Array.from({ length: SHADES }, (_, k) => {
  const at = (k / (SHADES - 1)) * (stops.length - 1);
  const from = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[from], stops[from + 1], at - from);
});

/** The shade of a value that is `deviation` away from the mean; from `spread` on, the outermost one. */
export function shadeOf(deviation: number, spread: number): number {
  const share = spread > 0 ? Math.max(-1, Math.min(1, deviation / spread)) : 0;
  return Math.round(((share + 1) / 2) * (SHADES - 1));
}

export const shadeColour = (shade: number): string => shades[shade];

/** A topology's own colour, the same in every figure. */
export function colourOf(name: string, theme: "light" | "dark"): string {
  return themes[theme].on(topologyColour(name) ?? themes[theme].ink);
}
