/** From what was measured and what is promised to curves on paper: against rounds, bytes or simulated seconds. Pure. */

import type { Chart, Mark, Series } from "../part/chart.ts";
import { colourOf } from "../part/colour.ts";
import { labelOf } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";
import type { Curve } from "../work/curves.ts";
import { promised, TOLERANCE } from "../work/rates.ts";
import { isTrouble, type Trouble } from "../work/trouble.ts";
import type { CurvesShown } from "./table.tsx";

const axisLabels = {
  rounds: "round t",
  bytes: "bytes sent by the busiest node",
  seconds: "simulated seconds",
};

/** Down to here curves are drawn: below a rounding error there is nothing to see. */
const LOWEST = 1e-10;

export function chartOf(shown: CurvesShown, axis: View["x"], theme: "light" | "dark"): Chart {
  const { topologies, curves, rates, rounds } = shown;
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
    series.push({ colour, x, y: share, style: "measured" });
    if (rate !== undefined && !isTrouble(rate)) {
      const { bound } = rate;
      series.push({ colour, x, y: errors.map((_, t) => promised(rate, t)), style: "rate" });
      if (bound !== null) series.push({ colour, x, y: errors.map((_, t) => bound ** t), style: "bound" });
    }
    const at = share.findIndex((error) => error <= TOLERANCE);
    if (at < 0) continue;
    marks.push({ x: x[at], y: TOLERANCE, label: `${label}: ${at} ${at === 1 ? "round" : "rounds"}`, colour });
  }
  return {
    series,
    marks,
    xLabel: axisLabels[axis],
    yLabel: "disagreement |x(t) - J x(t)|, of that at the start",
    xMost: axis === "rounds" ? rounds : furthest(curves, along),
    yRange: [1, LOWEST],
    goal: TOLERANCE,
  };
}

/** Where the last of the curves ends or leaves the paper: bytes past that would squeeze the others to nothing. */
function furthest(curves: readonly Curve[], along: (curve: Exclude<Curve, Trouble>) => readonly number[]): number {
  const ends = curves.flatMap((curve) => {
    if (isTrouble(curve)) return [];
    const { errors } = curve;
    const below = errors.findIndex((error) => error <= LOWEST * errors[0]);
    return [along(curve)[below < 0 ? errors.length - 1 : below]];
  });
  return Math.max(...ends, 0) || 1;
}
