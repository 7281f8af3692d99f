/** One topology's picture in the view: drawn, clicked, and said in words. */

import { nodeAt, type Paper, type Pen, showCount } from "equitopo/picture";
import { useCallback } from "preact/hooks";
import { Canvas } from "../part/canvas.tsx";
import { labelOf } from "../part/name.ts";
import { showNumber } from "../part/numbers.ts";
import { TopologyName } from "../part/topology.tsx";
import { change, view } from "../store.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, type Trouble } from "../trouble.ts";
import { drawNetwork } from "./draw.ts";
import type { Frame, Seen } from "./frame.ts";
import { phase } from "./player.ts";
import type { Scene } from "./work.ts";

/** Faster than this nothing is seen of messages in flight. */
const FLIGHTS_UP_TO = 8;

/** The round in one sentence. */
export function roundInWords({ symmetric }: Scene, { edges, idle, down, t }: Frame): string {
  const what = symmetric ? "exchanges" : "messages";
  const parts = [`round ${t}: ${showCount(edges.all)} ${what}`];
  if (edges.allLost > 0) parts.push(`${showCount(edges.allLost)} lost`);
  if (idle > 0) parts.push(`${showCount(idle)} idle`);
  if (down > 0) parts.push(`${showCount(down)} down`);
  return parts.join(", ");
}

/** What is left out of the picture where there is no room. */
function thinned({ edges }: Frame): string {
  const drawn = edges.lost.length;
  return drawn < edges.all ? `; ${showCount(drawn)} of ${showCount(edges.all)} shown` : "";
}

interface NetworkProps {
  readonly place: number;
  readonly chosen: Chosen;
  readonly scene: Scene | Trouble | undefined;
  readonly seen: Seen | undefined;
}

export function NetworkPicture({ place, chosen, scene, seen }: NetworkProps) {
  const { contrast, speed } = view.value;
  const inFlight = speed <= FLIGHTS_UP_TO ? phase.value : 0;
  const trouble = [scene, seen].find((part) => part !== undefined && isTrouble(part)) as Trouble | undefined;
  const ready =
    scene !== undefined && seen !== undefined && !isTrouble(scene) && !isTrouble(seen) && scene.n === seen.n;
  const draw = useCallback(
    (pen: Pen, paper: Paper) => {
      if (ready) drawNetwork(pen, paper, scene, seen, { phase: inFlight, contrast });
    },
    [scene, seen, inFlight, contrast, ready],
  );
  const words = ready ? roundInWords(scene, seen) : "";
  const share = ready && seen.firstError > 0 ? seen.error / seen.firstError : 0;
  return (
    <figure
      class="network"
      data-topology={chosen.name}
      data-t={ready ? seen.t : undefined}
      data-error={ready ? seen.error : undefined}
      data-drift={ready ? seen.drift : undefined}
      data-bytes={ready ? seen.bytes : undefined}
    >
      <h2>
        <TopologyName chosen={chosen} />
      </h2>
      {trouble === undefined ? (
        <Canvas
          id={`network-${place}`}
          draw={draw}
          ratio="1 / 1"
          label={`${labelOf(chosen)}, ${words}; disagreement ${showNumber(share)} of that at the start`}
          onPoint={(x, y, paper) => ready && change({ node: nodeAt(scene, x, y, paper) })}
        />
      ) : (
        <p class="trouble">{trouble.trouble}</p>
      )}
      <figcaption class="caption">
        {words}
        {ready ? thinned(seen) : ""}
      </figcaption>
    </figure>
  );
}
