/** One topology's picture in the view: drawn, clicked, and said in words. */

import { nodeAt, type Paper, type Pen, showCount } from "equitopo/internal/picture";
import { useCallback } from "preact/hooks";
import { Canvas } from "../part/canvas.tsx";
import { showNumber } from "../part/numbers.ts";
import { TopologyName } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import { type Chosen, labelOf } from "../view/topology-field.ts";
import type { Frame } from "../work/frame.ts";
import { isTrouble, type Trouble } from "../work/trouble.ts";
import { drawNetwork } from "./draw.ts";
import { rounds } from "./player.ts";

/** Faster than this nothing is seen of messages in flight. */
const FLIGHTS_UP_TO = 8;

function roundInWords({ symmetric, edges, idle, down, t }: Frame): string {
  const of = (count: number, what: string) => (count > 0 ? `, ${showCount(count)} ${what}` : "");
  const all = `round ${t}: ${showCount(edges.all)} ${symmetric ? "exchanges" : "messages"}`;
  return `${all}${of(edges.allDropped, "dropped")}${of(idle, "idle")}${of(down, "down")}`;
}

/** What is left out of the picture where there is no room. */
function thinned({ edges }: Frame): string {
  const drawn = edges.dropped.length;
  return drawn < edges.all ? `; ${showCount(drawn)} of ${showCount(edges.all)} shown` : "";
}

type NetworkProps = { place: number; chosen: Chosen; seen: Frame | Trouble | undefined };

export function NetworkPicture({ place, chosen, seen }: NetworkProps) {
  const { contrast, speed } = view.value;
  const inFlight = speed <= FLIGHTS_UP_TO ? rounds.phase.value : 0;
  const frame = seen === undefined || isTrouble(seen) ? undefined : seen;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (frame !== undefined) drawNetwork(pen, paper, frame, { phase: inFlight, contrast });
    },
    [frame, inFlight, contrast],
  );
  const words = frame === undefined ? "" : roundInWords(frame);
  const share = frame !== undefined && frame.firstError > 0 ? frame.error / frame.firstError : 0;
  return (
    <figure
      class="network"
      data-topology={chosen.name}
      data-t={frame?.t}
      data-error={frame?.error}
      data-drift={frame?.drift}
    >
      <h2>
        <TopologyName chosen={chosen} />
      </h2>
      {seen === undefined || !isTrouble(seen) ? (
        <Canvas
          id={`network-${place}`}
          draw={draw}
          ratio="1 / 1"
          label={`${labelOf(chosen)}, ${words}; disagreement ${showNumber(share)} of that at the start`}
          onPoint={(x, y, paper) => seen && change({ node: nodeAt(seen, x, y, paper) })}
        />
      ) : (
        <p class="trouble">{seen.trouble}</p>
      )}
      <figcaption class="caption">
        {words}
        {frame && thinned(frame)}
      </figcaption>
    </figure>
  );
}
