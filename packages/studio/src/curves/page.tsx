/** The view "Curves": how fast disagreement falls, against what is promised, for several topologies on the same data. */

import type { Paper, Pen, Picture } from "equitopo/picture";
import { useCallback, useEffect } from "preact/hooks";
import { exportGossip } from "../export/gossip.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { Range, Segments } from "../part/control.tsx";
import { TopologyList } from "../part/topology.tsx";
import { DataControls, LossControls, SizeControl } from "../rounds/controls.tsx";
import { change, view } from "../store.ts";
import { MOST_NODES, MOST_TOPOLOGIES } from "../view.ts";
import { newDesk } from "../workers.ts";
import { drawChart } from "./chart.ts";
import { chartOf } from "./series.ts";
import { failure, isDone, measured, open, rates } from "./state.ts";
import { CurvesTable, curvesInWords } from "./table.tsx";

function Controls() {
  const { topology, n, x, alpha, beta } = view.value;
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <SizeControl />
      <p class="note">
        Drag it from 10 to 10,000: EquiDyn’s curve stays where it is, the ring’s flattens. Its rate <var>β</var> does
        not depend on <var>n</var>.
      </p>
      <TopologyList value={topology} n={n} most={MOST_TOPOLOGIES} onChange={(chosen) => change({ topology: chosen })} />
      <Segments
        label="Against"
        note="a ring’s node sends two messages a round, a one-peer graph’s sends one"
        value={x}
        options={[
          { value: "rounds", label: "rounds" },
          { value: "bytes", label: "bytes" },
          { value: "seconds", label: "seconds" },
        ]}
        onChange={(value) => change({ x: value })}
      />
      {x !== "seconds" ? null : (
        <>
          <Range
            label="Latency"
            note="seconds that each message takes, however short"
            value={alpha}
            min={1e-6}
            max={1}
            log
            onChange={(value) => change({ alpha: Number(value.toPrecision(2)) })}
          />
          <Range
            label="A byte takes"
            note="seconds; 8e-9 is a network of 1 Gbit/s"
            value={beta}
            min={1e-11}
            max={1e-4}
            log
            onChange={(value) => change({ beta: Number(value.toPrecision(2)) })}
          />
        </>
      )}
      <LossControls />
      <details>
        <summary>More</summary>
        <div class="controls">
          <DataControls />
        </div>
      </details>
    </form>
  );
}

function chartNow(theme: "light" | "dark") {
  const { rounds, x } = view.value;
  return chartOf({ ...measured.value, rates: rates.value, rounds, axis: x, theme });
}

function Panel() {
  useEffect(() => open(newDesk), []);
  const { topologies, curves } = measured.value;
  const { rounds, x } = view.value;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => drawChart(pen, paper, chartNow(paper.theme)),
    // Another function is another picture.
    [topologies, curves, rates.value, rounds, x],
  );
  return (
    <div class="bench two">
      <Controls />
      <section class="stage" aria-label="Curves">
        {failure.value === undefined ? null : <p class="trouble">{failure.value}</p>}
        <Canvas id="curves-chart" draw={draw} ratio="16 / 9" label={curvesInWords(topologies, curves)} />
        <p class="caption">
          Solid: measured. Dashed: the exact rate, β<sup>t</sup>. Dotted: the paper’s bound. All on the same start.
        </p>
        <CurvesTable topologies={topologies} curves={curves} rates={rates.value} isDone={isDone.value} />
        <p class="visually-hidden" aria-live="polite">
          {isDone.value ? curvesInWords(topologies, curves) : ""}
        </p>
      </section>
    </div>
  );
}

function pictures(): Picture[] {
  const { n } = view.peek();
  return [
    {
      name: `disagreement-n${n}`,
      title: `Disagreement against ${view.peek().x}, n = ${n}`,
      size: [960, 540],
      draw: (pen, paper) => drawChart(pen, paper, chartNow(paper.theme)),
    },
  ];
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
  pictures,
  exported: exportGossip,
};
