/**
 * Which round it is, as one node knows it: the one that two others have done (the only other one, where there are two
 * nodes), as far as their vectors have told. One alone does not carry the others along, so a single node that is faster
 * than all others, or says so, runs ahead by itself.
 */

export class Pace {
  readonly #reached: Float64Array;

  constructor(n: number) {
    this.#reached = new Float64Array(n).fill(-1);
  }

  /** That node has exchanged as this round. O(1). */
  heard(from: number, round: number): void {
    if (round > this.#reached[from]) this.#reached[from] = round;
  }

  /** The round that two others have done; -1 before any. O(n). */
  get reached(): number {
    let [first, second] = [-1, -1];
    for (const round of this.#reached) {
      if (round > first) [first, second] = [round, first];
      else if (round > second) second = round;
    }
    return this.#reached.length === 2 ? first : second;
  }

  /** The round that iteration t exchanges as: its own, or that of the others where they are ahead; never the end's. */
  round(t: number, rounds: number): number {
    return Math.max(t, Math.min(rounds - 1, this.reached));
  }
}
