/**
 * The library's designer beside the page: it searches in chunks and reports after each of them, so that the search can be
 * ended and keeps the best that it has found.
 */

import { predictedRounds } from "equitopo";
import {
  betterOf,
  chunkSize,
  type Design,
  designOn,
  exhaust,
  exhaustible,
  question,
  Search,
} from "equitopo/internal/design";
import { designedStatic } from "equitopo/topology";
import { TOLERANCE } from "./rates.ts";

export interface ImproveQuestion {
  readonly n: number;
  readonly degree: number;
  readonly directed: boolean;
  readonly seed: number;
}

export type Improvement = ReturnType<typeof improved>;

/** The most sets of shifts in a chunk (some tenths of a second), and how many chunks are searched. */
const CHUNK = 400_000;
const CHUNKS = 12;

/** Its news: the share of the search that is done, and the best so far. */
export function* improve(asked: ImproveQuestion): Generator<{ share: number; best: Improvement }, Improvement> {
  const { n, degree, directed, seed } = asked;
  const sought = question({ n, degree, directed });
  const evaluations = Math.min(CHUNK, chunkSize(sought));
  if (exhaustible(sought, CHUNKS * evaluations)) return improved(designOn(sought, exhaust(sought).shifts, true));
  const search = new Search(sought);
  let best = search.chunk(seed, 0, evaluations);
  for (let c = 1; c < CHUNKS; c++) {
    yield { share: c / CHUNKS, best: improved(designOn(sought, best.shifts)) };
    best = betterOf(best, search.chunk(seed, c, evaluations));
  }
  return improved(designOn(sought, best.shifts));
}

/** With the rounds until 1e-6 of the disagreement is left. */
function improved(design: Design) {
  const { n, self, shifts, weights } = design;
  return { ...design, rounds: predictedRounds(designedStatic({ n, self, shifts, weights }), TOLERANCE) };
}
