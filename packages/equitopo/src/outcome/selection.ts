/**
 * Figures and panels that a report leaves out: curves that all look alike show no more than a table, and a panel whose axis
 * is a multiple of the first one's is the same picture. Their numbers are kept.
 */

import type { CurveFigure, Panel } from "./experiment.ts";

/** Curves nearer to each other than this share of their axis cannot be distinguished. */
const ALIKE = 0.03;

/** Why the figure is left out; undefined if it is shown. The `main` one is shown if it has any number. */
export function uselessBecause({ panels: [{ series, yLog, yLabel }] }: CurveFigure, main = false): string | undefined {
  const along = (value: number) => (yLog ? (value > 0 ? Math.log(value) : Number.NaN) : value);
  const curves = series.map(({ mean }) => mean.map(along));
  const [low, high] = extremes(curves.flat());
  if (!(low <= high)) return `No figure of ${yLabel}: no run has a number of it that could be drawn.`;
  const [first] = series;
  const alike = series.every(({ x }) => x.length === first.x.length && x.every((value, i) => value === first.x[i]));
  const comparable = !main && series.length > 1 && alike;
  if (!comparable) return undefined;
  if (low === high) return `No figure of ${yLabel}: it is the same in all runs, and all along.`;
  const gaps = curves[0].map((_, t) => {
    const [least, most] = extremes(curves.map((curve) => curve[t]));
    // If only some have a number, they differ.
    const gone = curves.filter((curve) => !Number.isFinite(curve[t])).length;
    return gone > 0 && gone < curves.length ? Number.POSITIVE_INFINITY : most - least;
  });
  if (extremes(gaps)[1] >= ALIKE * (high - low)) return undefined;
  return `No figure of ${yLabel}: all runs look alike in it, nowhere further apart than ${100 * ALIKE} % of its axis.`;
}

/** The panels that differ from the first one: costs that all runs pay alike per update show nothing new. */
export function distinctPanels([first, ...others]: readonly Panel[]): Panel[] {
  return [first, ...others.filter((panel) => !isSame(first, panel))];
}

function isSame(first: Panel, panel: Panel): boolean {
  const prices = panel.series.flatMap(({ x }, k) => {
    const updates = first.series[k].x;
    return x.flatMap((cost, i) => (updates[i] > 0 ? [cost / updates[i]] : []));
  });
  const [low, high] = extremes(prices);
  return prices.length > 0 && high - low <= 0.02 * high;
}

/** The least and the largest of the values that are numbers, minus infinity left aside. */
export function extremes(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (Number.isNaN(value) || value === Number.NEGATIVE_INFINITY) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
