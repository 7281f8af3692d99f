/** The view "Rounds": who talks to whom, round by round, and how their values become one. */

import type { Picture } from "equitopo/picture";
import { useEffect } from "preact/hooks";
import { exportGossip } from "../export/gossip.ts";
import type { Page } from "../page.ts";
import { labelOf } from "../part/name.ts";
import { change, view } from "../store.ts";
import { isTrouble } from "../trouble.ts";
import { newDesk } from "../workers.ts";
import { RoundsControls } from "./controls.tsx";
import { drawNetwork } from "./draw.ts";
import { columnsOf, FactsPanel, NodePanel } from "./facts.tsx";
import { FaultPanel } from "./fault-panel.tsx";
import { turnNode } from "./faults.ts";
import { NetworkPicture } from "./network.tsx";
import { failure, moment, open, playing, scenes, seek, shownTopologies, t, toggle } from "./player.ts";
import { ProgressChart } from "./progress.tsx";
import { Transport } from "./transport.tsx";

function Panel() {
  useEffect(() => open(newDesk), []);
  const seen = moment.value?.seen ?? [];
  const columns = columnsOf(shownTopologies.value, seen);
  return (
    <div class="bench">
      <RoundsControls />
      <section class="stage" aria-label="The round">
        {failure.value === undefined ? null : <p class="trouble">{failure.value}</p>}
        <div class="pair">
          {shownTopologies.value.map((chosen, place) => (
            <NetworkPicture key={place} place={place} chosen={chosen} scene={scenes.value[place]} seen={seen[place]} />
          ))}
        </div>
        <p class="legend caption">
          below the mean <span class="scale" /> above it
        </p>
        <Transport />
        <p class="visually-hidden" aria-live="polite">
          {playing.value ? "" : `Round ${t.value} of ${view.value.rounds}`}
        </p>
        <ProgressChart />
      </section>
      <aside class="side" aria-label="Numbers">
        <FactsPanel columns={columns} />
        <NodePanel columns={columns} />
        <FaultPanel />
      </aside>
    </div>
  );
}

function pictures(): Picture[] {
  const { contrast } = view.peek();
  return shownTopologies.peek().flatMap((chosen, place): Picture[] => {
    const [scene, seen] = [scenes.peek()[place], moment.peek()?.seen[place]];
    if (scene === undefined || seen === undefined || isTrouble(scene) || isTrouble(seen)) return [];
    return [
      {
        name: `${chosen.name}-n${seen.n}-round${seen.t}`,
        title: `${labelOf(chosen)}, n = ${seen.n}, round ${seen.t}`,
        size: [800, 800],
        draw: (pen, paper) => drawNetwork(pen, paper, scene, seen, { phase: 0, contrast }),
      },
    ];
  });
}

export const roundsPage: Page = {
  id: "rounds",
  title: "Rounds",
  summary: "Who talks to whom, round by round, and how their values become one",
  Panel,
  keys: [
    { key: " ", says: "play or pause", act: toggle },
    { key: "ArrowRight", says: "one round on", act: () => seek(t.peek() + 1) },
    { key: "ArrowLeft", says: "one round back", act: () => seek(t.peek() - 1) },
    { key: "Home", says: "to the start", act: () => seek(0) },
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
      act: () => change({ kill: turnNode(view.peek().kill, view.peek().node ?? 0, t.peek()) }),
    },
  ],
  pictures,
  exported: exportGossip,
};
