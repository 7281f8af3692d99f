/** The rounds that are shown and their frames. */

import { computed } from "@preact/signals";
import { newDesk } from "../desk.ts";
import { player } from "../part/player.ts";
import { view } from "../store.ts";
import { settingOf } from "../work/setting.ts";

/** Side by side: as many as one can look at. */
const MOST_SHOWN = 2;

export const shownTopologies = computed(() => view.value.topology.slice(0, MOST_SHOWN));

const desk = newDesk();

function question() {
  const { node, layout } = view.value;
  return { topologies: shownTopologies.value, setting: settingOf(view.value), node, layout };
}

export const rounds = player({
  ...{ place: "t", speed: "speed" },
  last: () => view.value.rounds,
  // Less than two: a slow frame is not made up for by a jump.
  strides: () => [1, 1.99],
  setting: question,
  async ask(t) {
    const seen = await desk.ask("frame", { ...question(), t });
    return seen && { t, seen };
  },
  close: desk.close,
});
