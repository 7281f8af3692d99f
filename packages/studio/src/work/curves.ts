/** The worker's part of the view: disagreement round by round, all topologies at the same pace, reported as it is computed. */

import type { Chosen } from "../view/topology-field.ts";
import type { Setting } from "./setting.ts";
import { type History, Track } from "./track.ts";
import { isTrouble, orTrouble, type Trouble } from "./trouble.ts";

/** One topology's curve so far, or why there is none. */
export type Curve = (History & { readonly messages: number }) | Trouble;

/** How many numbers are mixed between two reports: some ten milliseconds. */
const REPORT_EVERY = 4e5;

type CurvesQuestion = { topologies: readonly Chosen[]; setting: Setting; rounds: number };

export function* curves(question: CurvesQuestion): Generator<readonly Curve[] | undefined, readonly Curve[]> {
  const { topologies, setting, rounds } = question;
  const tracks = topologies.map((chosen) => orTrouble(() => new Track(chosen, setting)));
  yield;
  const soFar = (): Curve[] =>
    tracks.map((track) => (isTrouble(track) ? track : { ...track.history, messages: track.topology.maxDegree }));
  const every = Math.max(1, Math.floor(REPORT_EVERY / (setting.n * setting.d * topologies.length)));
  for (let t = 1; t <= rounds; t++) {
    for (const track of tracks) if (!isTrouble(track)) yield* track.seek(t);
    if (t % every === 0) yield soFar();
  }
  return soFar();
}
