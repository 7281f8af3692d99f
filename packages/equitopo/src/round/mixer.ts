/**
 * Who applies rounds to rows. A mixer owns the memory of the rows, so that a faster one can keep them where its kernels
 * reach; algorithms ask it for rows and hand them over to be mixed.
 */

import { applyRound } from "./apply.ts";
import { type Distance, squaredDistance } from "./distance.ts";
import type { Round, Rows } from "./round.ts";

export interface Mixer {
  readonly n: number;
  /** n zeroed rows of `width` numbers. */
  rows(width: number): Rows;
  /**
   * W x. The caller gives x up and uses the answer instead, which may or may not be the same memory.
   * Where a distance is asked for, it is measured on the way.
   */
  mix(round: Round, x: Rows, distance?: Distance): Rows;
}

/** A mixer that answers later, because its memory is elsewhere (a GPU): for runs that may wait (simulateAsync). */
export interface AsyncMixer {
  readonly later: true;
  readonly n: number;
  /** n zeroed rows of `width` numbers. */
  rows(width: number): Rows;
  /** W x. The caller gives x up and uses the answer instead. */
  mix(round: Round, x: Rows): Promise<Rows>;
}

/** The plain mixer: one spare buffer a width, the reference engine. */
export function plainMixer(n: number, type: "float64" | "float32" = "float64"): Mixer {
  const spare = new Map<number, Rows>();
  const rows = (width: number) => (type === "float64" ? new Float64Array(n * width) : new Float32Array(n * width));
  return {
    n,
    rows,
    mix(round, x, distance) {
      const y = spare.get(x.length) ?? rows(x.length / n);
      spare.set(x.length, x);
      applyRound(round, x, y);
      if (distance !== undefined) distance.square = squaredDistance(y, distance.mean);
      return y;
    },
  };
}
