/**
 * How far a long computation is. What takes long (building a large graph, iterating for a rate, summing a large spectrum)
 * says so through `worked`, and whoever started it hears it through `watched`. Both run on one thread and nothing waits in
 * between, so the listener is known by the call that it is made in: no function on the way needs a parameter for it, and no
 * number depends on whether anybody listens.
 */

/** Told of operations done since it was told last. */
export type Watch = (operations: number) => void;

let listener: Watch | undefined;

/**
 * What `compute` returns; while it runs, `watch` is told of the operations it makes. What `watch` throws stops the work.
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
  const before = listener;
  listener = watch;
  try {
    return compute();
  } finally {
    listener = before;
  }
}

/** Tells whoever watches. Cheap, but not free: to be called every thousand operations or so. */
export function worked(operations: number): void {
  listener?.(operations);
}
