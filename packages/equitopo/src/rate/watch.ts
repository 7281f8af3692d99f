/**
 * The progress of a long computation. Code that takes long (building a large graph, iterating for a rate, summing a large
 * spectrum) calls `worked`, and its caller listens through `watched`. Both run on one thread without waiting, so that one
 * variable holds the listener: no function between the two needs a parameter for it, and no result depends on it.
 */

/** Called with the number of operations since the last call. */
export type Watch = (operations: number) => void;

/** Operations that are as long as keeping one edge of a list. */
export const PER_LISTED_EDGE = 150;
/** The same of drawing one. */
export const PER_DRAWN_EDGE = 50;
/** Vector operations on every node in a step of the iteration, beside those of the product. */
export const PER_STEP = 10;

/** So many operations are collected before the listener is called: code may report each edge. */
const COLLECTED = 100_000;

let listener: Watch | undefined;
let collected = 0;

/**
 * What `compute` returns; while it runs, `watch` is called with the operations it makes. If `watch` throws, the work stops.
 *
 * @example
 * ```ts
 * import { grid } from "equitopo";
 * import { watched } from "equitopo/rate";
 * let operations = 0;
 * watched((more) => { operations += more; }, () => grid({ n: 100 }).rate());
 * operations > 1000 // => true
 * ```
 */
export function watched<T>(watch: Watch, compute: () => T): T {
  tell();
  const before = listener;
  listener = watch;
  try {
    const result = compute();
    tell();
    return result;
  } finally {
    collected = 0;
    listener = before;
  }
}

/** Counts operations for the listener. O(1), a few nanoseconds. */
export function worked(operations: number): void {
  collected += operations;
  if (collected >= COLLECTED) tell();
}

function tell(): void {
  const operations = collected;
  collected = 0;
  if (operations > 0) listener?.(operations);
}
