/**
 * Rounds as tables for the mixing kernel: for each slot of steps and each replica a stretch of `links`, (row, weight as
 * bits), in the order of additions that rounds define. A round that comes again (static graphs, means) is written once.
 */

import { forEachEdgeInto, type Round, selfWeight } from "equitopo/internal/round";

export function linksOf(replicas: number, slots: number) {
  const span = new Uint32Array(2 * replicas * slots);
  let links = new Uint32Array(1024);
  const weights = new Float32Array(1);
  const bits = new Uint32Array(weights.buffer);
  let used = 0;
  /** The slot in which a round was written, by the first of its replicas. */
  const known = new Map<number, Map<Round, number>>();

  function push(row: number, weight: number): void {
    if (2 * used === links.length) {
      const more = new Uint32Array(2 * links.length);
      more.set(links);
      links = more;
    }
    weights[0] = weight;
    links.set([row, bits[0]], 2 * used++);
  }

  return {
    span,

    links: () => links.subarray(0, 2 * used),

    clear(): void {
      used = 0;
      known.clear();
    },

    /** In this slot the replicas from `first` on mix by this round. */
    add(slot: number, first: number, round: Round): void {
      const written = known.get(first) ?? new Map<Round, number>();
      known.set(first, written);
      const before = written.get(round);
      const at = 2 * (slot * replicas + first);
      if (before !== undefined) {
        const from = 2 * (before * replicas + first);
        span.copyWithin(at, from, from + 2 * round.n);
        return;
      }
      written.set(round, slot);
      for (let i = 0; i < round.n; i++) {
        const start = used;
        // All nodes add a mean up in the same order, so that they agree to the last bit.
        if (round.kind === "mean") {
          if (round.keep > 0) push(first + i, round.keep);
          for (let j = 0; j < round.n; j++) push(first + j, (1 - round.keep) / round.n);
        } else {
          push(first + i, selfWeight(round, i));
          forEachEdgeInto(round, i, (j, _to, weight) => push(first + j, weight));
        }
        span.set([start, used - start], at + 2 * i);
      }
    },
  };
}

/** Links that a round of this kind has at most, for n nodes of so large a degree. */
export const mostLinks = (n: number, degree: number) => n * (degree + 2);
