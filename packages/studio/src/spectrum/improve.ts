/**
 * The library's designer beside the page: the search in chunks, told after each of them, so that it can be ended and what
 * it has found so far stands.
 */

import { predictedRounds } from "equitopo";
import {
  betterOf,
  chunkSize,
  type Design,
  designOn,
  exhaust,
  exhaustible,
  type Found,
  question,
  Search,
} from "equitopo/design";
import { designedStatic } from "equitopo/topology";
import { TOLERANCE } from "./eigen.ts";

export interface ImproveQuestion {
  readonly n: number;
  readonly degree: number;
  readonly directed: boolean;
  readonly seed: number;
}

export interface Improvement extends Design {
  /** Rounds until 1e-6 of the disagreement is left. */
  readonly rounds: number;
}

export interface ImproveNews {
  /** Of all, done. */
  readonly share: number;
  readonly best: Improvement;
}

/** Sets of shifts in a chunk at most, some tenths of a second, and how many chunks are searched. */
const CHUNK = 400_000;
const CHUNKS = 12;

export function* improve(asked: ImproveQuestion): Generator<ImproveNews | undefined, Improvement> {
  const { n, degree, directed, seed } = asked;
  const sought = question({ n, degree, directed });
  const evaluations = Math.min(CHUNK, chunkSize(sought));
  if (exhaustible(sought, CHUNKS * evaluations)) return improved(designOn(sought, exhaust(sought).shifts, true));
  const search = new Search(sought);
  let best: Found | undefined;
  let design: Design | undefined;
  for (let c = 0; c < CHUNKS; c++) {
    const found = betterOf(best, search.chunk(seed, c, evaluations));
    if (found !== best) design = designOn(sought, found.shifts);
    best = found;
    yield { share: (c + 1) / CHUNKS, best: improved(design as Design) };
  }
  return improved(design as Design);
}

function improved(design: Design): Improvement {
  const { n, self, shifts, weights } = design;
  return { ...design, rounds: predictedRounds(designedStatic({ n, self, shifts, weights }), TOLERANCE) };
}
