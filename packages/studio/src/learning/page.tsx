/** The view "Learning": decentralised training on points one can see, several topologies on the same data. */

import { type Paper, type Pen, type Picture, showBytes } from "equitopo/picture";
import { useCallback, useEffect } from "preact/hooks";
import { type Chart, drawChart } from "../curves/chart.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { colourOf } from "../part/colour.ts";
import { labelOf } from "../part/name.ts";
import { TopologyName } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble } from "../trouble.ts";
import type { View } from "../view.ts";
import { LearningControls } from "./controls.tsx";
import type { LearningFrame, Learnt } from "./frame.ts";
import { Learners } from "./learners.tsx";
import { drawPlane, leaningsOf, ownerAt } from "./plane.ts";
import { frame, start, step, toggle, trouble } from "./player.ts";
import { documentOf, taskOf } from "./task.ts";
import { Transport } from "./transport.tsx";
import { showDistance, showShare } from "./words.ts";

function Panel() {
  useEffect(start, []);
  const now = frame.value;
  return (
    <div class="bench">
      <LearningControls />
      <section class="stage" aria-label="Trainings">
        {trouble.value === undefined ? null : <p class="trouble">{trouble.value}</p>}
        {now === undefined ? (
          <p class="empty">The points are being drawn …</p>
        ) : (
          <>
            <Transport />
            <div class="trainings">
              {view.value.topology.map((chosen, place) => (
                <Trained key={labelOf(chosen)} chosen={chosen} frame={now} place={place} />
              ))}
            </div>
            <p class="caption">
              Thin lines: where each node's own model changes its mind, in the colour of the class that the node holds
              most of. Strong line and shades:{" "}
              {view.value.learner === undefined ? "the mean of all models" : `node ${view.value.learner}'s model`}.
              Lines that lie together are nodes that agree.
            </p>
            <Learners frame={now} />
          </>
        )}
      </section>
      <aside class="side" aria-label="What it comes to">
        {now === undefined ? null : <Disagreement frame={now} />}
      </aside>
    </div>
  );
}

function Trained({ chosen, frame: now, place }: { chosen: Chosen; frame: LearningFrame; place: number }) {
  const learnt = now.learnt[place];
  const { learner } = view.value;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (learnt !== undefined && !isTrouble(learnt)) drawPlane(pen, paper, pictureOf(now, learnt, learner));
    },
    [now, learnt, learner],
  );
  // A topology that was just added has nothing to show before the worker answers.
  if (learnt === undefined) return <p class="empty">{labelOf(chosen)} …</p>;
  if (isTrouble(learnt)) {
    return (
      <figure class="trained">
        <figcaption>
          <TopologyName chosen={chosen} />
        </figcaption>
        <p class="trouble">{learnt.trouble}</p>
      </figure>
    );
  }
  const name = labelOf(chosen);
  return (
    <figure class="trained" data-topology={chosen.name}>
      <figcaption>
        <TopologyName chosen={chosen} />
      </figcaption>
      <Canvas
        ratio="1 / 1"
        draw={draw}
        label={`${name} after ${now.update} updates: the averaged model gives ${showShare(learnt.averagedAccuracy)} of test points their class, the worst node ${showShare(learnt.worstAccuracy)}; disagreement ${showDistance(learnt.disagreement[now.update])}`}
        onPoint={(x, y, paper) => change({ learner: ownerAt(now.scene, x, y, paper) })}
      />
      <dl class="facts">
        <dt>mean of the models, right</dt>
        <dd data-fact="averaged">{showShare(learnt.averagedAccuracy)}</dd>
        <dt>nodes' own: mean, worst</dt>
        <dd data-fact="own">
          {showShare(learnt.meanAccuracy)}, {showShare(learnt.worstAccuracy)}
        </dd>
        {learner === undefined || learner >= learnt.accuracies.length ? null : (
          <>
            <dt>node {learner}'s own</dt>
            <dd data-fact="learner">{showShare(learnt.accuracies[learner])}</dd>
            <dt>its distance from the mean</dt>
            <dd data-fact="distance">{showDistance(learnt.distances[learner])}</dd>
          </>
        )}
        <dt>disagreement</dt>
        <dd data-fact="disagreement">{showDistance(learnt.disagreement[now.update])}</dd>
        <dt>sent by the busiest node</dt>
        <dd data-fact="bytes">{showBytes(learnt.bytes)}</dd>
      </dl>
    </figure>
  );
}

const pictureOf = (now: LearningFrame, learnt: Learnt, learner: number | undefined) => ({
  ...{ scene: now.scene, learnt, learner },
  leanings: leaningsOf(now.scene, learnt.lines.length),
});

const linesOf = (now: LearningFrame, chosen: readonly Chosen[]) =>
  chosen.flatMap((one, place) => {
    const learnt = now.learnt[place];
    return learnt === undefined || isTrouble(learnt) ? [] : [{ chosen: one, learnt }];
  });

function Disagreement({ frame: now }: { frame: LearningFrame }) {
  const shown = linesOf(now, view.value.topology);
  const draw = (pen: Pen, paper: Paper) => drawChart(pen, paper, chartOf(now, view.peek().topology, paper.theme));
  const words = shown.map(({ chosen, learnt }) => `${chosen.name} ${showDistance(learnt.disagreement[now.update])}`);
  return (
    <section class="panel">
      <h2>Disagreement of models</h2>
      <Canvas ratio="16 / 10" draw={draw} label={`Disagreement against updates: ${words.join(", ")} now`} />
      <p class="note">
        The root mean square distance of the nodes' models from their mean, after every update. Gradients pull models
        apart, rounds of W pull them together.
      </p>
    </section>
  );
}

function chartOf(now: LearningFrame, chosen: readonly Chosen[], theme: Paper["theme"]): Chart {
  const lines = linesOf(now, chosen);
  const values = lines.flatMap(({ learnt }) => Array.from(learnt.disagreement)).filter((value) => value > 0);
  const powers = values.length === 0 ? [-1, 0] : [Math.min(...values), Math.max(...values)].map(Math.log10);
  const low = Math.floor(powers[0]);
  return {
    series: lines.map(({ chosen: one, learnt }) => ({
      ...{ label: labelOf(one), colour: colourOf(one.name, theme), style: "measured" },
      x: learnt.disagreement.map((_, update) => update).slice(1),
      y: learnt.disagreement.slice(1),
    })),
    ...{ marks: [], xLabel: "updates", yLabel: "disagreement", xMost: Math.max(10, now.update) },
    yRange: [10 ** Math.max(low + 1, Math.ceil(powers[1])), 10 ** low],
  };
}

export const learningPage: Page = {
  id: "learning",
  title: "Learning",
  summary:
    "Every node learns from its own points and averages models with its partners: see whether they come to agree, and on what.",
  Panel,
  keys: [
    { key: " ", says: "play or pause", act: toggle },
    { key: "ArrowRight", says: "one update further", act: () => step(1) },
    { key: "ArrowLeft", says: "one update back", act: () => step(-1) },
    { key: "0", says: "back to the start", act: () => step(-Number.MAX_SAFE_INTEGER) },
    { key: "m", says: "the mean of all models, no single node", act: () => change({ learner: undefined }) },
  ],
  pictures(): readonly Picture[] {
    const now = frame.value;
    if (now === undefined) return [];
    const { topology, learner } = view.value;
    const planes = linesOf(now, topology).map(({ chosen, learnt }) => ({
      name: `learning-${chosen.name}`,
      title: `${labelOf(chosen)} after ${now.update} updates`,
      size: [640, 640] as const,
      draw: (pen: Pen, paper: Paper) => drawPlane(pen, paper, pictureOf(now, learnt, learner)),
    }));
    const chart = {
      name: "disagreement",
      title: "Disagreement of models against updates",
      size: [640, 400] as const,
      draw: (pen: Pen, paper: Paper) => drawChart(pen, paper, chartOf(now, topology, paper.theme)),
    };
    return [...planes, chart];
  },
  exported(given: View) {
    return {
      document: documentOf(taskOf(given), given.topology, frame.value?.update ?? given.update ?? 200),
      commands: [],
      says: "The same trainings, as many updates as the page shows: the last line of metrics has its numbers.",
    };
  },
};
