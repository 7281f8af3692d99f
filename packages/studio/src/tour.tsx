/** Three steps for those who have never seen gossip; each sets the page up so that what it says can be seen behind it. */

import { useSignal } from "@preact/signals";
import { Dialog } from "./part/dialog.tsx";
import { change } from "./store.ts";
import type { Change } from "./view.ts";

interface Step {
  readonly title: string;
  readonly text: string;
  readonly shows: Change;
}

const calmNetwork: Change = { kill: [], cut: [], drop: 0, push: false, node: undefined, seed: 0, d: 1 };

const steps: readonly Step[] = [
  {
    title: "Nobody is in charge",
    text: "Every dot is a computer with a number of its own; the colour is that number. They want the mean of all, and there is no server to add them up. So each one averages with a neighbour, again and again: that is gossip. On a ring, news travels one place a round.",
    shows: {
      ...calmNetwork,
      view: "rounds",
      topology: [{ name: "ring" }],
      n: 32,
      start: "split",
      rounds: 60,
      t: undefined,
    },
  },
  {
    title: "Whom to ask makes the difference",
    text: "Beside the ring: in every round all nodes send to the one that is s places further on, and s is drawn anew each time. One message a node and round, fewer than the ring's two, and yet all of them agree after some twenty rounds.",
    shows: {
      ...calmNetwork,
      ...{ view: "rounds", topology: [{ name: "od-equidyn" }, { name: "ring" }] },
      ...{ n: 64, start: "split", rounds: 60, t: undefined },
    },
  },
  {
    title: "And the size does not matter",
    text: "The curves show how far the nodes are from agreeing. Drag n from 10 to 10,000: the ring's curve flattens, since news has ever further to go. The other one stays where it is. That is what the paper proves, and the dashed line is its bound.",
    shows: {
      ...calmNetwork,
      view: "curves",
      topology: [{ name: "od-equidyn" }, { name: "ring" }],
      start: "normal",
      rounds: 60,
    },
  },
];

export function Tour({ onClose }: { onClose(): void }) {
  const place = useSignal(-1);
  const go = (to: number) => {
    place.value = to;
    change(steps[to].shows);
  };
  if (place.value < 0) go(0);
  const { title, text } = steps[place.value];
  const last = place.value === steps.length - 1;
  return (
    <Dialog title={`${place.value + 1} of ${steps.length}: ${title}`} onClose={onClose}>
      <p>{text}</p>
      <p class="row">
        <button type="button" disabled={place.value === 0} onClick={() => go(place.value - 1)}>
          Back
        </button>
        <button type="button" class="main" onClick={() => (last ? onClose() : go(place.value + 1))}>
          {last ? "Try it yourself" : "Next"}
        </button>
      </p>
    </Dialog>
  );
}
