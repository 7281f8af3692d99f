/** The view "Curves": how fast disagreement falls, against what is promised, for several topologies on the same data. */

import type { Paper, Pen, Picture } from "equitopo/picture";
import { useMemo } from "preact/hooks";
import { curvesSheet } from "../export/csv.ts";
import { exportGossip } from "../export/specs.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { drawChart, legendOf } from "../part/chart.ts";
import { Control, Controls, More } from "../part/control.tsx";
import { TopologyList } from "../part/topology.tsx";
import { useAnswer } from "../part/use-answer.ts";
import { dataFields } from "../rounds/controls.tsx";
import { change, view } from "../store.ts";
import { MOST_NODES } from "../view/fields.ts";
import { labelOf } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";
import { settingOf } from "../work/setting.ts";
import { isTrouble } from "../work/trouble.ts";
import { remarks } from "./remarks.ts";
import { chartOf } from "./series.ts";
import { type CurvesShown, CurvesTable, curvesInWords } from "./table.tsx";

function CurvesControls() {
  const { n, x } = view.value;
  return (
    <section class="controls" aria-label="Settings">
      <Control name="n" />
      <p class="note">
        Drag it from 10 to 10,000: OD-EquiDyn’s curve stays where it is, the ring’s flattens. Its rate <var>β</var> does
        not depend on <var>n</var>.
      </p>
      <TopologyList n={n} />
      <Controls names={["x", ...(x === "seconds" ? (["alpha", "beta"] as const) : []), "drop", "push"]} />
      <More>
        <Controls names={dataFields} />
      </More>
    </section>
  );
}

/** What is on the screen, for the export. */
let shown: CurvesShown = { topologies: [], curves: [], rates: [], rounds: 0 };

/** Without the page beside it a picture needs names for its curves. */
const drawnOf = (curves: CurvesShown, axis: View["x"], isAlone: boolean) => (pen: Pen, paper: Paper) => {
  const legend = isAlone ? legendOf(curves.topologies, paper.theme) : [];
  drawChart(pen, paper, { ...chartOf(curves, axis, paper.theme), legend });
};

function Panel() {
  const { topology: topologies, rounds, x, n, seed, drop, push, kill, cut } = view.value;
  const question = { topologies, setting: settingOf(view.value), rounds };
  // Two workers: a rate that takes a second must not hold up the curves.
  const measured = useAnswer("curves", question);
  const theory = useAnswer("rates", { topologies, n, seed, drop, push, kill, cut });
  const isNew = measured.news !== undefined;
  shown = {
    topologies: isNew ? topologies : (measured.answered?.topologies ?? []),
    curves: measured.news ?? measured.answer ?? [],
    rates: (theory.asking ? theory.news : theory.answer) ?? [],
    rounds,
  };
  const isDone = !measured.asking;
  const trouble = measured.trouble ?? theory.trouble;
  // Another function is another picture.
  const picture = useMemo(() => drawnOf(shown, x, false), [measured, theory, rounds, x]);
  return (
    <div class="bench">
      <CurvesControls />
      <section class="stage" aria-label="Curves">
        {trouble === undefined ? null : <p class="trouble">{trouble}</p>}
        <Canvas id="curves-chart" draw={picture} ratio="16 / 9" label={curvesInWords(shown)} />
        <p class="caption">
          Solid: measured. Dashed: the exact rate{drop > 0 ? " with these losses" : ""}, β<sup>t</sup>. Dotted: the
          paper’s bound{drop > 0 ? ", which knows no losses" : ""}. All on the same start.
        </p>
        {remarks(shown).map((remark) => (
          <p class="note" key={remark}>
            {remark}
          </p>
        ))}
        <CurvesTable shown={shown} isDone={isDone} />
        <p class="visually-hidden" aria-live="polite">
          {isDone ? curvesInWords(shown) : ""}
        </p>
      </section>
    </div>
  );
}

const sizes = [10, 30, 100, 300, 1000, 3000, MOST_NODES];
const nextSize = (n: number) => sizes.find((size) => size > n) ?? MOST_NODES;
const previousSize = (n: number) => sizes.findLast((size) => size < n) ?? 2;

export const curvesPage: Page = {
  id: "curves",
  title: "Curves",
  summary: "How fast disagreement falls: measured, the exact rate, and the bound",
  Panel,
  keys: [
    { key: "ArrowUp", says: "more nodes", act: () => change({ n: nextSize(view.peek().n) }) },
    { key: "ArrowDown", says: "fewer nodes", act: () => change({ n: previousSize(view.peek().n) }) },
    { key: "r", says: "against rounds", act: () => change({ x: "rounds" }) },
    { key: "b", says: "against bytes", act: () => change({ x: "bytes" }) },
    { key: "s", says: "against simulated seconds", act: () => change({ x: "seconds" }) },
  ],
  pictures(): readonly Picture[] {
    const { n, x } = view.peek();
    const title = `Disagreement against ${x}, n = ${n}`;
    return [{ name: `disagreement-n${n}`, title, size: [960, 540], draw: drawnOf(shown, x, true) }];
  },
  sheets() {
    const curves = shown.topologies.flatMap((chosen, place) => {
      const curve = shown.curves[place];
      if (curve === undefined || isTrouble(curve)) return [];
      const { errors: disagreement, bytes, seconds } = curve;
      const named = Object.entries({ disagreement, bytes, seconds });
      return named.map(([what, values]) => ({ label: `${labelOf(chosen)} ${what}`, values }));
    });
    return [curvesSheet(`disagreement-n${view.peek().n}`, "round", curves)];
  },
  exported: exportGossip,
};
