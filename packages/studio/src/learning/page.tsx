/** The view "Learning": decentralised training on points one can see, several topologies on the same data. */

import { algorithms } from "equitopo";
import { type Paper, type Pen, type Picture, showBytes } from "equitopo/internal/picture";
import { useCallback, useEffect } from "preact/hooks";
import { curvesSheet } from "../export/csv.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { type Chart, drawChart, legendOf } from "../part/chart.ts";
import { colourOf } from "../part/colour.ts";
import { Control, Controls, More, Toggle } from "../part/control.tsx";
import { Facts } from "../part/facts.tsx";
import { showNumber, showShare } from "../part/numbers.ts";
import { TopologyList, TopologyName } from "../part/topology.tsx";
import { Transport } from "../part/transport.tsx";
import { change, view } from "../store.ts";
import { type Chosen, labelOf } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";
import type { LearningFrame, Learnt } from "../work/learning/frame.ts";
import { documentOf, taskOf } from "../work/learning/task.ts";
import { isTrouble } from "../work/trouble.ts";
import { Nodes } from "./nodes.tsx";
import { drawPlane, leaningsOf, ownerAt } from "./plane.ts";
import { gpuTrouble, updates as player, reached } from "./player.ts";
import { difference } from "./words.ts";

function LearningControls() {
  const { algorithm, learningN, device } = view.value;
  const { summary, update } = algorithms.get(algorithm);
  const trouble = gpuTrouble();
  return (
    <section class="controls" aria-label="What is learnt">
      <TopologyList n={learningN} />
      <Control name="learningN" onChange={(n: number) => change({ learningN: n, learningNode: undefined })} />
      <Control
        name="algorithm"
        note={
          <>
            {summary}: <span class="formula">{update}</span>
          </>
        }
      />
      <Controls names={["gamma", "split", "data"]} />
      <Toggle
        label="Compute on the GPU"
        note={trouble ?? "through WebGPU, in float32: the same numbers to rounding"}
        value={device === "gpu" && trouble === undefined}
        disabled={trouble !== undefined}
        onChange={(value) => change({ device: value ? "gpu" : "cpu" })}
      />
      <More>
        <Controls names={["noise", "model", "batch"]} />
        <Control name="drop" note="the share of messages that never arrive" />
      </More>
    </section>
  );
}

function Panel() {
  useEffect(player.open, []);
  const { playing, trouble } = player;
  const now = player.frame.value;
  return (
    <div class="bench">
      <LearningControls />
      <section class="stage" aria-label="Trainings">
        {trouble.value === undefined ? null : <p class="trouble">{trouble.value}</p>}
        {now === undefined ? (
          <p class="empty">The points are being drawn …</p>
        ) : (
          <>
            <Transport
              player={player}
              unit="update"
              further={100}
              clock={
                <output class="clock" id="update" aria-live={playing.value ? "off" : "polite"}>
                  update <var>k</var> = <b>{now.update}</b>
                  {reached.value === undefined ? null : <span class="caption"> (training: {reached.value})</span>}
                </output>
              }
            />
            {difference(named(now), now.update) === undefined ? null : (
              <p class="why" id="difference">
                {difference(named(now), now.update)}
              </p>
            )}
            <div class="pair">
              {view.value.topology.map((chosen, place) => (
                <Trained key={labelOf(chosen)} chosen={chosen} frame={now} place={place} />
              ))}
            </div>
            <p class="caption">
              Thin lines: where each node's own model changes its mind, in the colour of the class that the node holds
              most of. Strong line and shades:{" "}
              {view.value.learningNode === undefined
                ? "the mean of all models"
                : `node ${view.value.learningNode}'s model`}
              . Lines that lie together are nodes that agree.
            </p>
            <Nodes frame={now} />
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
  const { learningNode: node } = view.value;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (learnt !== undefined && !isTrouble(learnt)) drawPlane(pen, paper, pictureOf(now, learnt, node));
    },
    [now, learnt, node],
  );
  // A topology that was just added has nothing to show before the worker answers.
  const name = labelOf(chosen);
  if (learnt === undefined) return <p class="empty">{name} …</p>;
  const caption = (
    <figcaption>
      <TopologyName chosen={chosen} />
    </figcaption>
  );
  if (isTrouble(learnt)) {
    return (
      <figure class="trained">
        {caption}
        <p class="trouble">{learnt.trouble}</p>
      </figure>
    );
  }
  const disagreement = showNumber(learnt.disagreement[now.update]);
  const own = node !== undefined && node < learnt.accuracies.length;
  const averaged = showShare(learnt.averagedAccuracy);
  const worst = showShare(learnt.worstAccuracy);
  return (
    <figure class="trained" data-topology={chosen.name}>
      {caption}
      <Canvas
        ratio="1 / 1"
        draw={draw}
        label={`${name} after ${now.update} updates: the averaged model gives ${averaged} of test points their class, the worst node ${worst}; disagreement ${disagreement}`}
        onPoint={(x, y, paper) => change({ learningNode: ownerAt(now.scene, x, y, paper) })}
      />
      <Facts
        facts={[
          ["mean of the models, right", averaged, { "data-fact": "averaged" }],
          ["nodes' own: mean, worst", `${showShare(learnt.meanAccuracy)}, ${worst}`, { "data-fact": "own" }],
          own && [`node ${node}'s own`, showShare(learnt.accuracies[node]), { "data-fact": "node" }],
          own && ["its distance from the mean", showNumber(learnt.distances[node]), { "data-fact": "distance" }],
          ["disagreement", disagreement, { "data-fact": "disagreement" }],
          ["sent by the busiest node", showBytes(learnt.bytes), { "data-fact": "bytes" }],
        ]}
      />
    </figure>
  );
}

const pictureOf = (now: LearningFrame, learnt: Learnt, node: number | undefined) => ({
  ...{ scene: now.scene, learnt, node },
  leanings: leaningsOf(now.scene, learnt.lines.length),
});

const linesOf = (now: LearningFrame, chosen: readonly Chosen[]) =>
  chosen.flatMap((one, place) => {
    const learnt = now.learnt[place];
    return learnt === undefined || isTrouble(learnt) ? [] : [{ chosen: one, learnt }];
  });

const named = (now: LearningFrame) =>
  linesOf(now, view.value.topology).map(({ chosen, learnt }) => ({ label: labelOf(chosen), learnt }));

function Disagreement({ frame: now }: { frame: LearningFrame }) {
  const shown = linesOf(now, view.value.topology);
  const draw = (pen: Pen, paper: Paper) => drawChart(pen, paper, chartOf(now, view.peek(), paper.theme));
  const words = shown.map(({ chosen, learnt }) => `${labelOf(chosen)} ${showNumber(learnt.disagreement[now.update])}`);
  return (
    <section class="panel">
      <h2>Disagreement of models</h2>
      <Control name="learningX" />
      <Canvas
        ratio="16 / 10"
        draw={draw}
        label={`Disagreement against ${view.value.learningX}: ${words.join(", ")} now`}
      />
      <p class="note">
        The root mean square distance of the nodes' models from their mean, after every update. Gradients pull models
        apart, rounds of W pull them together.
      </p>
    </section>
  );
}

type Drawn = Pick<View, "topology" | "learningX">;

function chartOf(now: LearningFrame, { topology, learningX }: Drawn, theme: Paper["theme"]): Chart {
  const lines = linesOf(now, topology);
  const isBytes = learningX === "bytes";
  const values = lines.flatMap(({ learnt }) => Array.from(learnt.disagreement)).filter((value) => value > 0);
  const powers = values.length === 0 ? [-1, 0] : [Math.min(...values), Math.max(...values)].map(Math.log10);
  const low = Math.floor(powers[0]);
  return {
    series: lines.map(({ chosen: one, learnt: { disagreement: y, bytesBy } }) => ({
      ...{ colour: colourOf(one.name, theme), style: "measured" },
      ...{ x: (isBytes ? bytesBy : y.map((_, update) => update)).slice(1), y: y.slice(1) },
    })),
    ...{ xLabel: isBytes ? "bytes sent by the busiest node" : "updates", yLabel: "disagreement" },
    xMost: isBytes ? Math.max(1, ...lines.map(({ learnt }) => learnt.bytes)) : Math.max(10, now.update),
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
    { key: " ", says: "play or pause", act: player.toggle },
    { key: "ArrowRight", says: "one update further", act: () => player.step(1) },
    { key: "ArrowLeft", says: "one update back", act: () => player.step(-1) },
    { key: "0", says: "back to the start", act: () => player.seek(0) },
    { key: "m", says: "the mean of all models, no single node", act: () => change({ learningNode: undefined }) },
  ],
  pictures(): readonly Picture[] {
    const now = player.frame.value;
    if (now === undefined) return [];
    const { topology, learningNode: node } = view.value;
    const planes = linesOf(now, topology).map(
      ({ chosen, learnt }): Picture => ({
        ...{ name: `learning-${chosen.name}`, title: `${labelOf(chosen)} after ${now.update} updates` },
        ...{ size: [640, 640], draw: (pen, paper) => drawPlane(pen, paper, pictureOf(now, learnt, node)) },
      }),
    );
    const chart: Picture = {
      ...{ name: "disagreement", title: `Disagreement of models against ${view.value.learningX}`, size: [640, 400] },
      draw: (pen, paper) =>
        drawChart(pen, paper, {
          ...chartOf(now, view.value, paper.theme),
          legend: legendOf(topology, paper.theme),
        }),
    };
    return [...planes, chart];
  },
  sheets() {
    const now = player.frame.value;
    if (now === undefined) return [];
    const curves = named(now).flatMap(({ label, learnt }) => [
      { label: `${label} disagreement`, values: learnt.disagreement },
      { label: `${label} bytes`, values: learnt.bytesBy },
    ]);
    return [curvesSheet("disagreement-of-models", "update", curves)];
  },
  exported(given: View) {
    return {
      document: documentOf(taskOf(given), given.topology, player.frame.value?.update ?? given.update ?? 200),
      commands: [],
      says: "The same trainings, as many updates as the page shows: the last line of metrics has its numbers.",
    };
  },
};
