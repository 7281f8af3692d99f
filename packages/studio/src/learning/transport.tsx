/** Play, pause, steps and pace. */

import { useId } from "preact/hooks";
import { Icon } from "../part/icon.tsx";
import { change, view } from "../store.ts";
import { frame, playing, reached, step, toggle } from "./player.ts";

/** Updates a second, each twice the one before. */
const DOUBLINGS = 8;

function Pace() {
  const id = useId();
  const { pace } = view.value;
  return (
    <span class="small-field speed">
      <label for={id}>Pace</label>
      <input
        id={id}
        type="range"
        min={0}
        max={DOUBLINGS}
        step={0.5}
        value={Math.log2(pace)}
        aria-valuetext={`${pace} updates a second`}
        onInput={({ currentTarget }) => change({ pace: Math.min(240, Math.round(2 ** currentTarget.valueAsNumber)) })}
      />
      <span class="caption">{pace} updates/s</span>
    </span>
  );
}

export function Transport() {
  return (
    <div class="transport panel">
      <div class="row">
        <button type="button" class="main" id="play" onClick={toggle}>
          <Icon name={playing.value ? "pause" : "play"} />
          {playing.value ? "Pause" : "Play"}
        </button>
        <button type="button" aria-label="To the start" onClick={() => step(-Number.MAX_SAFE_INTEGER)}>
          <Icon name="start" />
        </button>
        <button type="button" aria-label="One update back" onClick={() => step(-1)}>
          <Icon name="back" />
        </button>
        <button type="button" aria-label="One update on" onClick={() => step(1)}>
          <Icon name="on" />
        </button>
        <button type="button" aria-label="+100 updates" onClick={() => step(100)}>
          +100
        </button>
        <output class="clock" id="update" aria-live={playing.value ? "off" : "polite"}>
          update <var>k</var> = <b>{frame.value?.update ?? 0}</b>
          {reached.value === undefined ? null : <span class="caption"> (training: {reached.value})</span>}
        </output>
        <Pace />
      </div>
    </div>
  );
}
