/** Play, pause, steps and speed of a view that moves. */

import type { ComponentChildren } from "preact";
import { Control } from "./control.tsx";
import { Icon } from "./icon.tsx";
import type { Player } from "./player.ts";

interface TransportProps {
  readonly player: Player<unknown>;
  /** What one step is: "round". */
  readonly unit: string;
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
        <Control name={speed} />
      </div>
    </div>
  );
}
