/** Play, pause, step, scrub, speed. */

import { Range } from "../part/control.tsx";
import { showCount } from "../part/numbers.ts";
import { change, view } from "../store.ts";
import { playing, seek, t, toggle } from "./player.ts";

export function Transport() {
  const { rounds, speed } = view.value;
  return (
    <div class="transport">
      <div class="row">
        <button type="button" class="main" id="play" onClick={toggle}>
          {playing.value ? "❚❚ Pause" : "▶ Play"}
        </button>
        <button type="button" aria-label="To the start" onClick={() => seek(0)}>
          ⏮
        </button>
        <button type="button" aria-label="One round back" onClick={() => seek(t.value - 1)}>
          ◂
        </button>
        <button type="button" aria-label="One round on" onClick={() => seek(t.value + 1)}>
          ▸
        </button>
        <output class="clock" id="round" for="scrub">
          <var>t</var> = {showCount(t.value)} <span class="caption">of {showCount(rounds)}</span>
        </output>
      </div>
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
      <Range
        label="Speed"
        note="rounds a second"
        value={speed}
        min={0.25}
        max={60}
        log
        onChange={(value) => change({ speed: Number(value.toPrecision(2)) })}
      />
    </div>
  );
}
