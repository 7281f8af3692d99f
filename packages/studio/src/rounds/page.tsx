/** The view "Rounds": who talks to whom, round by round, and how their values become one. */

import { type Paper, type Pen, type Picture, showCount } from "equitopo/internal/picture";
import { useCallback, useEffect } from "preact/hooks";
import { curvesSheet } from "../export/csv.ts";
import { exportGossip } from "../export/specs.ts";
import type { Page } from "../page.ts";
import { Canvas } from "../part/canvas.tsx";
import { drawChart } from "../part/chart.ts";
import { colourOf } from "../part/colour.ts";
import { Transport } from "../part/transport.tsx";
import { change, view } from "../store.ts";
import { labelOf } from "../view/topology-field.ts";
import { isTrouble } from "../work/trouble.ts";
import { RoundsControls } from "./controls.tsx";
import { drawNetwork } from "./draw.ts";
import { columnsOf, FactsPanel, NodePanel } from "./facts.tsx";
import { FaultPanel } from "./fault-panel.tsx";
import { turn } from "./faults.ts";
import { NetworkPicture } from "./network.tsx";
import { rounds as player, shownTopologies } from "./player.ts";

function Panel() {
  useEffect(player.open, []);
  const { rounds } = view.value;
  const { frame, playing, trouble, at, seek } = player;
  const seen = frame.value?.seen ?? [];
  const columns = columnsOf(seen);
  return (
    <div class="bench">
      <RoundsControls />
      <section class="stage" aria-label="The round">
        {trouble.value === undefined ? null : <p class="trouble">{trouble.value}</p>}
        <div class="pair">
          {shownTopologies.value.map((chosen, place) => (
            <NetworkPicture key={place} place={place} chosen={chosen} seen={seen[place]} />
          ))}
        </div>
        <p class="row tight legend caption">
          below the mean <span class="scale" /> above it
        </p>
        <Transport
          player={player}
          unit="round"
          above={
            <input
              id="scrub"
              type="range"
              aria-label="Round t"
              min={0}
              max={rounds}
              step={1}
              value={at.value}
              onInput={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
            />
          }
          clock={
            <output class="clock" id="round" for="scrub">
              round <var>t</var> = {showCount(at.value)} <span class="caption">of {showCount(rounds)}</span>
            </output>
          }
        />
        <p class="visually-hidden" aria-live="polite">
          {playing.value ? "" : `Round ${at.value} of ${rounds}`}
        </p>
      </section>
      <aside class="side" aria-label="Numbers">
        <ProgressChart />
        <FactsPanel columns={columns} />
        <FaultPanel />
        <NodePanel columns={columns} />
      </aside>
    </div>
  );
}

/** Disagreement so far, under the pictures: what one sees there as colours, here as curves. */
function ProgressChart() {
  const { rounds } = view.value;
  const shown = player.frame.value;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (shown === undefined) return;
      const series = columnsOf(shown.seen).map(({ chosen, frame: { errors, firstError } }) => ({
        ...{ colour: colourOf(chosen.name, paper.theme), style: "measured" as const },
        ...{ x: errors.map((_, round) => round), y: errors.map((error) => error / (firstError || 1)) },
      }));
      drawChart(pen, paper, {
        ...{ series, xLabel: "round t", yLabel: "disagreement, of that at the start" },
        ...{ xMost: rounds, yRange: [1, 1e-8], cursor: shown.t },
      });
    },
    [shown, rounds],
  );
  return <Canvas id="progress" draw={draw} ratio="4 / 3" label="Disagreement against rounds, logarithmic" />;
}

function pictures(): Picture[] {
  const { contrast } = view.peek();
  return shownTopologies.peek().flatMap((chosen, place): Picture[] => {
    const seen = player.frame.peek()?.seen[place];
    if (seen === undefined || isTrouble(seen)) return [];
    const name = `${chosen.name}-n${seen.n}-round${seen.t}`;
    const title = `${labelOf(chosen)}, n = ${seen.n}, round ${seen.t}`;
    const draw = (pen: Pen, paper: Paper) => drawNetwork(pen, paper, seen, { phase: 0, contrast });
    return [{ name, title, size: [800, 800], draw }];
  });
}

export const roundsPage: Page = {
  id: "rounds",
  title: "Rounds",
  summary: "Who talks to whom, round by round, and how their values become one",
  Panel,
  keys: [
    { key: " ", says: "play or pause", act: player.toggle },
    { key: "ArrowRight", says: "one round on", act: () => player.step(1) },
    { key: "ArrowLeft", says: "one round back", act: () => player.step(-1) },
    { key: "Home", says: "to the start", act: () => player.seek(0) },
    { key: "f", says: "faster", act: () => change({ speed: Math.min(60, 2 * view.peek().speed) }) },
    { key: "s", says: "slower", act: () => change({ speed: Math.max(0.25, view.peek().speed / 2) }) },
    {
      key: "n",
      says: "look at the next node",
      act: () => change({ node: ((view.peek().node ?? -1) + 1) % view.peek().n }),
    },
    {
      key: "k",
      says: "kill or revive the node that is looked at",
      act: () => change({ kill: turn(view.peek().kill, { node: view.peek().node ?? 0, from: player.at.peek() }) }),
    },
  ],
  pictures,
  sheets() {
    const columns = columnsOf(player.frame.peek()?.seen ?? []);
    const curves = columns.map(({ chosen, frame }) => ({ label: labelOf(chosen), values: frame.errors }));
    return [curvesSheet(`disagreement-n${view.peek().n}`, "round", curves)];
  },
  exported: exportGossip,
};
