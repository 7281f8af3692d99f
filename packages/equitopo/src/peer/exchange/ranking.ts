/**
 * Peers in the order of their claims, the highest first, kept as claims go up: a list through two arrays, and the place that a
 * majority of all reaches down to. A claim costs one step for each higher one: O(1) where peers are in step.
 */

export type Ranking = ReturnType<typeof rankingOf>;

/** Of the peers that claim anything, given their claims; `mark` is the place that is kept in view, from 1. */
export function rankingOf(claimed: Float64Array, mark: number) {
  const size = claimed.length;
  // Number `size` closes the ring: the first is below it, the last above it.
  const above = new Int32Array(size + 1).fill(-1);
  const below = new Int32Array(size + 1).fill(-1);
  /** Whether a peer is one of the first `mark`, or of all where there are fewer; how many these are, and the last of them. */
  const upper = new Uint8Array(size + 1);
  let [uppers, lowest] = [0, size];
  let count = 0;
  above[size] = size;
  below[size] = size;

  function remove(peer: number): void {
    if (below[peer] < 0) return;
    count--;
    above[below[peer]] = above[peer];
    below[above[peer]] = below[peer];
    below[peer] = -1;
    if (upper[peer] === 0) return;
    upper[peer] = 0;
    uppers--;
    if (peer === lowest) lowest = above[peer];
    if (below[lowest] !== size) take(below[lowest]);
  }

  function take(peer: number): void {
    upper[peer] = 1;
    uppers++;
    lowest = peer;
  }

  return {
    remove,

    /** Puts a peer where its claim belongs, above those that claim the same; takes it out of its place before. */
    place(peer: number): void {
      remove(peer);
      count++;
      let next = below[size];
      while (next !== size && claimed[next] > claimed[peer]) next = below[next];
      const last = above[next];
      above[peer] = last;
      below[peer] = next;
      below[last] = peer;
      above[next] = peer;
      if (next === size || upper[next] === 0) {
        if (uppers < mark) take(peer);
        return;
      }
      upper[peer] = 1;
      if (uppers < mark) uppers++;
      else {
        upper[lowest] = 0;
        lowest = above[lowest];
      }
    },

    /** How many claim anything. */
    get count(): number {
      return count;
    },

    /** The claim at the marked place; -1 where fewer claim anything. */
    get marked(): number {
      return uppers < mark ? -1 : claimed[lowest];
    },

    /** The peer below another, or the first one; -1 after the last. O(1). */
    next(peer = size): number {
      return below[peer] === size ? -1 : below[peer];
    },
  };
}
