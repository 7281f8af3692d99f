/** Disagreement so far, under the pictures: what one sees there as colours, here as curves. */

import type { Paper, Pen } from "equitopo/picture";
import { useMemo } from "preact/hooks";
import { type Chart, drawChart } from "../curves/chart.ts";
import { Canvas } from "../part/canvas.tsx";
import { colourOf } from "../part/colour.ts";
import { labelOf } from "../part/name.ts";
import { view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble } from "../trouble.ts";
import { type Moment, moment, shownTopologies } from "./player.ts";

function chartOf(topologies: readonly Chosen[], { t, seen }: Moment, rounds: number, theme: "light" | "dark"): Chart {
  const series = seen.flatMap((one, place) => {
    if (isTrouble(one) || topologies[place] === undefined) return [];
    const share = one.errors.map((error) => error / (one.firstError || 1));
    const [label, colour] = [labelOf(topologies[place]), colourOf(topologies[place].name, theme)];
    return [{ label, colour, x: share.map((_, round) => round), y: share, style: "measured" as const }];
  });
  return {
    series,
    marks: [],
    xLabel: "round t",
    yLabel: "disagreement, of that at the start",
    xMost: rounds,
    yRange: [1, 1e-8],
    cursor: t,
  };
}

export function ProgressChart() {
  const { rounds } = view.value;
  const [shown, topologies] = [moment.value, shownTopologies.value];
  const draw = useMemo(
    () => (pen: Pen, paper: Paper) => {
      if (shown !== undefined) drawChart(pen, paper, chartOf(topologies, shown, rounds, paper.theme));
    },
    [shown, topologies, rounds],
  );
  return <Canvas id="progress" draw={draw} ratio="16 / 5" label="Disagreement against rounds, logarithmic" />;
}
