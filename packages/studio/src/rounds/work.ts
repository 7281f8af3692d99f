/** The worker's part of the view: what topologies look like, and frames of their rounds. */

import { circleLayout, type Layout, layoutOf } from "equitopo/picture";
import type { Setting } from "../setting.ts";
import { Tracks } from "../simulate.ts";
import type { Chosen } from "../topology-field.ts";
import { isTrouble, orTrouble, type Trouble } from "../trouble.ts";
import { MOST_TOPOLOGIES } from "../view.ts";
import type { FrameQuestion, Seen } from "./frame.ts";
import { frameOf } from "./frame-of.ts";

export interface SceneQuestion {
  readonly topologies: readonly Chosen[];
  readonly setting: Setting;
  readonly layout: "own" | "circle";
}

/** What does not change from round to round. */
export interface Scene {
  readonly n: number;
  readonly layout: Layout;
  readonly directed: boolean;
  readonly symmetric: boolean;
  readonly degree: number;
  readonly kind: string;
}

// One worker goes through the same rounds again and again: what was reached is kept.
const tracks = new Tracks(2 * MOST_TOPOLOGIES);

export function* scene(question: SceneQuestion): Generator<undefined, (Scene | Trouble)[]> {
  const { topologies, setting, layout } = question;
  const scenes: (Scene | Trouble)[] = [];
  for (const chosen of topologies) {
    scenes.push(
      orTrouble(() => {
        const { topology } = tracks.of(chosen, setting);
        const { n, directed, symmetric, maxDegree: degree, kind } = topology;
        const own = layout === "own" ? layoutOf(topology) : circleLayout(n);
        return { n, layout: own, directed, symmetric, degree, kind };
      }),
    );
    yield;
  }
  return scenes;
}

export function* frame({ topologies, setting, t, node }: FrameQuestion): Generator<undefined, Seen[]> {
  const seen: Seen[] = [];
  for (const chosen of topologies) {
    const track = orTrouble(() => tracks.of(chosen, setting));
    if (isTrouble(track)) {
      seen.push(track);
      continue;
    }
    yield* track.seek(t);
    seen.push(frameOf(track, setting.d, node));
  }
  return seen;
}
