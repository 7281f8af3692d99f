/**
 * Three steps for those who have never seen gossip; each sets the page up so that it shows what the step says. A card in a
 * corner, not a dialog: the page behind it is its subject, and can be used.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { rounds } from "./rounds/player.ts";
import { calm, change, view } from "./store.ts";
import type { Change } from "./view/view.ts";

interface Step {
  readonly title: string;
  readonly text: string;
  readonly shows: Change;
}

const ring = { name: "ring" };
const both = [{ name: "od-equidyn" }, ring];
const calmNetwork: Change = {
  ...{ view: "rounds", topology: both, n: 32, start: "sorted", rounds: 60, seed: 4, d: 1, speed: 2 },
  ...{ kill: [], cut: [], drop: 0, push: false, node: undefined },
};

export const steps: readonly Step[] = [
  {
    title: "Nobody is in charge",
    text: "Every dot is a computer with a number of its own; the colour is that number. They want the mean of all, and there is no server to add them up. So each averages with its neighbours, again and again: that is gossip. On a ring news travels one place a round, and the two halves stay apart for long.",
    shows: { ...calmNetwork, topology: [ring] },
  },
  {
    title: "Whom to ask makes the difference",
    text: "OD-EquiDyn, beside the ring: in every round each node sends to the one s places further on, and s is drawn anew each time. That is one message for each node and round, half of the ring’s, and yet all of them agree soon.",
    shows: calmNetwork,
  },
  {
    title: "And the size does not matter",
    text: "The curves show how far the nodes are from agreeing. Drag n from 10 to 10,000: the ring’s curve flattens, since news has further and further to go. That of OD-EquiDyn stays where it is. That is what the paper proves, and the dotted line is its bound.",
    shows: { ...calmNetwork, view: "curves", n: 10 },
  },
];

function show({ shows }: Step): void {
  rounds.seek(0);
  change(shows);
  // A view that opens plays by itself; one that is open already is started here.
  if (shows.view === "rounds" && !calm) rounds.play();
}

export function Tour({ onClose }: { onClose(): void }) {
  const place = useSignal(0);
  /** What the person was looking at: whoever leaves gets it back. */
  const own = useRef(view.peek());
  const leave = () => {
    change(own.current);
    onClose();
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text } = steps[place.value];
  const isLast = place.value === steps.length - 1;
  useEffect(() => {
    show(steps[place.value]);
    heading.current?.focus();
  }, [place.value]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Where a dialog is open over the page, Escape closes that.
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) leave();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [onClose]);
  return (
    <aside class="panel card" aria-label="Tour">
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
        <button type="button" onClick={leave}>
          Back to my view
        </button>
      </p>
    </aside>
  );
}
