/**
 * Which round a node exchanges as, from what others' vectors have told of theirs:
 *
 * - one that has been overtaken skips to the round that two others have done (the only other one, where there are two
 *   nodes), so that one alone, faster or lying, does not carry the others along;
 * - one that is ahead keeps its round: it has nothing of the others to average with, and whoever is heard and does not hear
 *   has the last word on what all agree on. It goes on computing, by itself, until some other one has done its last round. After
 *   some iterations in which it heard nothing new it takes itself for alone, and goes on.
 */

/** Iterations in which nothing new was heard before a node takes itself for alone. */
const patience = 64;

export class Pace {
  readonly #rounds: number;
  readonly #reached: Float64Array;
  #kept = 0;

  /** Of n nodes, over rounds 0 .. rounds - 1. */
  constructor(n: number, rounds: number) {
    this.#rounds = rounds;
    this.#reached = new Float64Array(n).fill(-1);
  }

  /** That node has exchanged as this round. O(1). */
  heard(from: number, round: number): void {
    if (round <= this.#reached[from]) return;
    this.#reached[from] = round;
    this.#kept = 0;
  }

  /**
   * The round after `last`; undefined where this node is ahead, and does an iteration by itself. `hears` says whether the
   * schedule has anybody send it something of round `last`: where it has not, silence tells nothing. Nobody is followed
   * beyond the round that is `believed`. O(n).
   */
  next(last: number, hears: boolean, believed: number = Number.POSITIVE_INFINITY): number | undefined {
    const [first] = this.#foremost();
    const round = Math.max(last + 1, Math.min(this.reached, believed, this.#rounds - 1));
    if (round <= first + (hears ? 1 : 2) || this.#kept >= patience) return round;
    this.#kept++;
    return undefined;
  }

  /** The round that two others (the only other one) have done; -1 before any. */
  get reached(): number {
    const [first, second] = this.#foremost();
    return this.#reached.length === 2 ? first : second;
  }

  #foremost(): [number, number] {
    let [first, second] = [-1, -1];
    for (const round of this.#reached) {
      if (round > first) [first, second] = [round, first];
      else if (round > second) second = round;
    }
    return [first, second];
  }
}
