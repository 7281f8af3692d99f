/**
 * Three steps for those who have never seen gossip; each sets the page up so that what it says can be seen beside it. A card
 * in a corner, not a dialog: the page behind it is what it is about, and can be used.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { play, seek } from "./rounds/player.ts";
import { calm, change } from "./store.ts";
import type { Change } from "./view.ts";

interface Step {
  readonly title: string;
  readonly text: string;
  readonly shows: Change;
}

const calmNetwork: Change = { kill: [], cut: [], drop: 0, push: false, node: undefined, seed: 4, d: 1, speed: 2 };

const steps: readonly Step[] = [
  {
    title: "Nobody is in charge",
    text: "Every dot is a computer with a number of its own; the colour is that number. They want the mean of all, and there is no server to add them up. So each averages with its neighbours, again and again: that is gossip. On a ring news travels one place a round, and the two halves stay apart for long.",
    shows: { ...calmNetwork, view: "rounds", topology: [{ name: "ring" }], n: 32, start: "sorted", rounds: 60 },
  },
  {
    title: "Whom to ask makes the difference",
    text: "Left of the ring: in every round each node sends to the one s places further on, and s is drawn anew each time. One message a node and round, half of the ring’s, and yet all of them agree soon.",
    shows: {
      ...calmNetwork,
      ...{ view: "rounds", topology: [{ name: "od-equidyn" }, { name: "ring" }], n: 32, start: "sorted", rounds: 60 },
    },
  },
  {
    title: "And the size does not matter",
    text: "The curves show how far the nodes are from agreeing. Drag n from 10 to 10,000: the ring’s curve flattens, since news has ever further to go. The other one stays where it is. That is what the paper proves, and the dotted line is its bound.",
    shows: {
      ...calmNetwork,
      ...{ view: "curves", topology: [{ name: "od-equidyn" }, { name: "ring" }], n: 10, start: "sorted", rounds: 60 },
    },
  },
];

function show({ shows }: Step): void {
  seek(0);
  change(shows);
  // The view that comes up plays by itself; the one that is up already is told to.
  if (shows.view === "rounds" && !calm) play();
}

export function Tour({ onClose }: { onClose(): void }) {
  const place = useSignal(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text } = steps[place.value];
  const isLast = place.value === steps.length - 1;
  useEffect(() => {
    show(steps[place.value]);
    heading.current?.focus();
  }, [place.value]);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      // One that closes a dialog over the page is the dialog's.
      if (event.key === "Escape" && document.querySelector("dialog") === null) onClose();
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [onClose]);
  return (
    <aside class="card" aria-label="Tour">
      <p class="caption">
        {place.value + 1} of {steps.length}
      </p>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      <p class="row">
        <button type="button" class="main" onClick={() => (isLast ? onClose() : place.value++)}>
          {isLast ? "Try it yourself" : "Next"}
        </button>
        {place.value === 0 ? null : (
          <button type="button" onClick={() => place.value--}>
            Back
          </button>
        )}
        {isLast ? null : (
          <button type="button" onClick={onClose}>
            Leave
          </button>
        )}
      </p>
    </aside>
  );
}
