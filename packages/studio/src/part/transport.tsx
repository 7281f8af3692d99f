/** Play, pause, steps and speed of a view that moves. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { change, view } from "../store.ts";
import { fields } from "../view/fields.ts";
import { Icon } from "./icon.tsx";
import type { Player } from "./player.ts";

/** How often the slowest speed is doubled at the slider's other end: equal distances are equal factors. */
const DOUBLINGS = 8;

function Speed({ name }: { readonly name: "speed" | "pace" }) {
  const id = useId();
  const { label, note, min = 1, max = 1, whole } = fields[name].look ?? { label: "" };
  const value = view.value[name];
  return (
    <span class="row speed">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={DOUBLINGS}
        step={0.5}
        value={Math.log2(value / min)}
        aria-valuetext={`${value} ${note} a second`}
        onInput={({ currentTarget }) => {
          const faster = min * 2 ** currentTarget.valueAsNumber;
          change({ [name]: Math.min(max, whole ? Math.round(faster) : Number(faster.toPrecision(2))) });
        }}
      />
      <span class="caption">
        {value} {note}/s
      </span>
    </span>
  );
}

interface TransportProps {
  readonly player: Player<unknown>;
  /** What one step is: "round". */
  readonly unit: string;
  /** Shows the current place. */
  readonly clock: ComponentChildren;
  readonly above?: ComponentChildren;
  /** How many units a larger step has. */
  readonly further?: number;
}

export function Transport({ player, unit, clock, above, further }: TransportProps) {
  const { playing, toggle, step, speed } = player;
  const steps = [
    { label: "To the start", sign: <Icon name="start" />, by: Number.NEGATIVE_INFINITY },
    { label: `One ${unit} back`, sign: <Icon name="back" />, by: -1 },
    { label: `One ${unit} on`, sign: <Icon name="on" />, by: 1 },
    ...(further === undefined ? [] : [{ label: `+${further} ${unit}s`, sign: `+${further}`, by: further }]),
  ];
  return (
    <div class="transport panel">
      {above}
      <div class="row">
        <button type="button" class="main" id="play" onClick={toggle}>
          <Icon name={playing.value ? "pause" : "play"} />
          {playing.value ? "Pause" : "Play"}
        </button>
        {steps.map(({ label, sign, by }) => (
          <button key={label} type="button" aria-label={label} onClick={() => step(by)}>
            {sign}
          </button>
        ))}
        {clock}
        <Speed name={speed} />
      </div>
    </div>
  );
}
