/** Play, pause, step, scrub, speed. */

import { showCount } from "equitopo/picture";
import { useId } from "preact/hooks";
import { Icon } from "../part/icon.tsx";
import { change, view } from "../store.ts";
import { playing, seek, t, toggle } from "./player.ts";

/** Rounds a second, each twice the one before: equal ways on the slider are equal factors. */
const [SLOWEST, DOUBLINGS] = [0.25, 8];

function Speed() {
  const id = useId();
  const { speed } = view.value;
  return (
    <span class="small-field speed">
      <label for={id}>Speed</label>
      <input
        id={id}
        type="range"
        min={0}
        max={DOUBLINGS}
        step={0.5}
        value={Math.log2(speed / SLOWEST)}
        aria-valuetext={`${speed} rounds a second`}
        onInput={({ currentTarget }) => {
          const faster = SLOWEST * 2 ** currentTarget.valueAsNumber;
          change({ speed: Math.min(60, Number(faster.toPrecision(2))) });
        }}
      />
      <span class="caption">{speed} rounds/s</span>
    </span>
  );
}

export function Transport() {
  const { rounds } = view.value;
  return (
    <div class="transport panel">
      <input
        id="scrub"
        type="range"
        aria-label="Round t"
        min={0}
        max={rounds}
        step={1}
        value={t.value}
        onInput={({ currentTarget }) => seek(currentTarget.valueAsNumber)}
      />
      <div class="row">
        <button type="button" class="main" id="play" onClick={toggle}>
          <Icon name={playing.value ? "pause" : "play"} />
          {playing.value ? "Pause" : "Play"}
        </button>
        <button type="button" aria-label="To the start" onClick={() => seek(0)}>
          <Icon name="start" />
        </button>
        <button type="button" aria-label="One round back" onClick={() => seek(t.value - 1)}>
          <Icon name="back" />
        </button>
        <button type="button" aria-label="One round on" onClick={() => seek(t.value + 1)}>
          <Icon name="on" />
        </button>
        <output class="clock" id="round" for="scrub">
          round <var>t</var> = {showCount(t.value)} <span class="caption">of {showCount(rounds)}</span>
        </output>
        <Speed />
      </div>
    </div>
  );
}
