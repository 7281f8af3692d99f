/** From what was measured and what is promised to curves on paper: against rounds, bytes or simulated seconds. Pure. */

import { colourOf } from "../part/colour.ts";
import { labelOf } from "../part/name.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, type Trouble } from "../trouble.ts";
import type { View } from "../view.ts";
import type { Chart, Mark, Series } from "./chart.ts";
import { type KnownRate, promised, TOLERANCE } from "./promise.ts";
import type { Curve } from "./work.ts";

export interface ChartQuestion {
  readonly topologies: readonly Chosen[];
  readonly curves: readonly Curve[];
  readonly rates: readonly (KnownRate | Trouble | undefined)[];
  readonly rounds: number;
  readonly axis: View["x"];
  readonly theme: "light" | "dark";
}

const axisLabels = {
  rounds: "round t",
  bytes: "bytes sent by the busiest node",
  seconds: "simulated seconds",
};

/** Down to here curves are drawn: below a rounding error there is nothing to see. */
const LOWEST = 1e-10;

export function chartOf(question: ChartQuestion): Chart {
  const { topologies, curves, rates, axis, theme } = question;
  const series: Series[] = [];
  const marks: Mark[] = [];
  const along = (curve: Exclude<Curve, Trouble>) => (axis === "rounds" ? curve.errors.map((_, t) => t) : curve[axis]);
  for (const [place, chosen] of topologies.entries()) {
    const [curve, rate] = [curves[place], rates[place]];
    if (curve === undefined || isTrouble(curve)) continue;
    const { errors } = curve;
    const x = along(curve);
    const [label, colour] = [labelOf(chosen), colourOf(chosen.name, theme)];
    const share = errors.map((error) => error / (errors[0] || 1));
    series.push({ label, colour, x, y: share, style: "measured" });
    if (rate !== undefined && !isTrouble(rate)) {
      const { bound } = rate;
      series.push({ label, colour, x, y: errors.map((_, t) => promised(rate, t)), style: "rate" });
      if (bound !== null) series.push({ label, colour, x, y: errors.map((_, t) => bound ** t), style: "bound" });
    }
    const at = share.findIndex((error) => error <= TOLERANCE);
    if (at >= 0)
      marks.push({ x: x[at], y: TOLERANCE, label: `${label}: ${at} ${at === 1 ? "round" : "rounds"}`, colour });
  }
  return {
    series,
    marks,
    xLabel: axisLabels[axis],
    yLabel: "disagreement |x(t) - J x(t)|, of that at the start",
    xMost: axis === "rounds" ? question.rounds : furthest(question, along),
    yRange: [1, LOWEST],
    goal: TOLERANCE,
  };
}

/** Where the last of the curves ends or leaves the paper: bytes past that would squeeze the others to nothing. */
function furthest({ curves }: ChartQuestion, along: (curve: Exclude<Curve, Trouble>) => readonly number[]): number {
  const ends = curves.flatMap((curve) => {
    if (isTrouble(curve)) return [];
    const { errors } = curve;
    const below = errors.findIndex((error) => error <= LOWEST * errors[0]);
    return [along(curve)[below < 0 ? errors.length - 1 : below]];
  });
  return Math.max(...ends, 0) || 1;
}
