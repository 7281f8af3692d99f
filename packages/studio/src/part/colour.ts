/** Colours of values: blue below the mean, orange above it, and what agrees is pale gold on either ground. */

import { mix, themes, topologyColour } from "equitopo/picture";

/** As many shades are told apart; nodes of one shade are drawn at once. */
export const SHADES = 41;

const stops = ["#0072b2", "#56b4e9", "#f7dc8c", "#e69f00", "#d55e00"];

const shades = Array.from({ length: SHADES }, (_, k) => {
  const at = (k / (SHADES - 1)) * (stops.length - 1);
  const from = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[from], stops[from + 1], at - from);
});

/** Which shade a value has that lies `deviation` from the mean where `spread` is far away. */
export function shadeOf(deviation: number, spread: number): number {
  const share = spread > 0 ? Math.max(-1, Math.min(1, deviation / spread)) : 0;
  return Math.round(((share + 1) / 2) * (SHADES - 1));
}

export const shadeColour = (shade: number): string => shades[shade];

/** A topology's own colour, the same in every figure. */
export function colourOf(name: string, theme: "light" | "dark"): string {
  return themes[theme].on(topologyColour(name) ?? themes[theme].ink);
}
