/**
 * The designer: n, the number of peers and a number of evaluations in, the best circulant found out, with its certificate.
 * The same for a seed and a number of evaluations on any number of threads: the chunks of the search are independent, and
 * of what they find the lowest rate counts, of equals the first chunk's. Where there are few supports, all are weighed.
 */

import { InputError, integer, nodes, onlyKeys } from "../input/input.ts";
import { type Design, designOn } from "./design.ts";
import { exhaust, isExhaustible } from "./exhaust.ts";
import { chunkSize, type Found, Search } from "./search.ts";
import type { Question } from "./support.ts";

export interface DesignOptions {
  readonly n: number;
  /** Peers that a node receives from, K. */
  readonly degree: number;
  /** Whether edges may go one way; true where left out. */
  readonly directed?: boolean;
  readonly seed?: number;
  /** Sets of shifts to consider; one chunk of the search where left out (seconds at n = 1000). */
  readonly evaluations?: number;
  /** Called now and then: true ends the search with the best so far. */
  readonly stop?: () => boolean;
  /** Called after every chunk with the best rate so far and the evaluations spent. */
  readonly onProgress?: (rate: number, evaluations: number) => void;
}

/** A piece of the search: chunk number c, of so many evaluations. */
export interface Chunk {
  readonly c: number;
  readonly evaluations: number;
}

export function question(options: { n: number; degree: number; directed?: boolean }): Question {
  const { degree, directed = true } = options;
  const n = nodes(options.n);
  integer("degree", degree, 1, n - 1);
  if (typeof directed !== "boolean") throw new InputError("directed must be true or false", directed, "leave it out");
  if (!directed && degree % 2 === 1 && n % 2 === 1) {
    const near = degree + 1 < n ? `${degree - 1} or ${degree + 1}` : `${degree - 1}`;
    const rule = `the degree of an undirected circulant of odd n = ${n} must be even`;
    throw new InputError(rule, degree, `try degree = ${near}`);
  }
  return { n, degree, directed };
}

export function chunksOf(asked: Question, evaluations: number): Chunk[] {
  return cutUp(evaluations, chunkSize(asked));
}

/** So many evaluations in chunks of one size. */
export function cutUp(evaluations: number, size: number): Chunk[] {
  const count = Math.max(1, Math.ceil(evaluations / size));
  return Array.from({ length: count }, (_, c) => ({ c, evaluations: Math.min(size, evaluations - c * size) }));
}

/** Whether that many evaluations go as far as weighing every class, in a few seconds at most. */
export function exhaustible(asked: Question, evaluations: number): boolean {
  return isExhaustible(asked, Math.min(evaluations, 20_000));
}

/** The better of two finds, the first being of the earlier chunk. */
export function betterOf<F extends Pick<Found, "rate">>(earlier: F | undefined, later: F): F {
  return earlier !== undefined && earlier.rate <= later.rate ? earlier : later;
}

/**
 * The best static circulant found for n nodes with `degree` peers each: shifts, weights, exact rate, what bounds it and
 * the certificate. Iterated local search, about n / 10^8 seconds for all swaps of one shift.
 *
 * @example
 * ```ts
 * import { designTopology } from "equitopo";
 * const { rate, certificate } = designTopology({ n: 13, degree: 3 });
 * rate.toFixed(6) // => "0.433013"
 * certificate.proved // => true
 * Math.abs(rate - certificate.supportBound) < 1e-9 // => true
 * ```
 */
export function designTopology(options: DesignOptions): Design {
  onlyKeys("designTopology", options, ["n", "degree", "directed", "seed", "evaluations", "stop", "onProgress"]);
  const { seed = 0, stop, onProgress } = options;
  const asked = question(options);
  integer("seed", seed, 0);
  const evaluations = integer("evaluations", options.evaluations ?? chunkSize(asked), 1);
  if (exhaustible(asked, evaluations)) {
    const found = exhaust(asked);
    onProgress?.(found.rate, found.evaluations);
    return designOn(asked, found.shifts, true);
  }
  const { shifts } = searchChunks(new Search(asked), chunksOf(asked, evaluations), seed, { stop, onProgress });
  return designOn(asked, shifts);
}

/** The best of all chunks, or of those before `stop` said so. */
export function searchChunks(
  search: Pick<Search, "chunk">,
  chunks: readonly Chunk[],
  seed: number,
  { stop, onProgress }: { [K in "stop" | "onProgress"]?: DesignOptions[K] | undefined },
): Found {
  let best: Found | undefined;
  let spent = 0;
  for (const { c, evaluations } of chunks) {
    const found = search.chunk(seed, c, evaluations, stop);
    best = betterOf(best, found);
    spent += found.evaluations;
    onProgress?.(best.rate, spent);
    if (stop?.()) break;
  }
  return best as Found;
}
