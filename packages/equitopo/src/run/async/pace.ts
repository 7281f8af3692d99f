/**
 * Which round a node exchanges as, judged by the rounds of the vectors that it has heard:
 *
 * - a node that has been overtaken skips to the round that two others have done (with two nodes: the other one), so that a
 *   single node, fast or lying, cannot carry the others along;
 * - a node that is ahead keeps its round. It has nothing to average with, and a node that is heard but hears nobody would
 *   decide alone what all agree on. It computes by itself until some other node has done its last round. After many
 *   iterations in which it heard nothing new it assumes that it is alone, and goes on.
 */

/** Iterations without news after which a node assumes that it is alone. */
const patience = 64;

export type Pace = ReturnType<typeof paceOf>;

/** Of n nodes, over rounds 0 .. rounds - 1. */
export function paceOf(n: number, rounds: number) {
  const done = new Float64Array(n).fill(-1);
  let kept = 0;

  function foremost(): [number, number] {
    let [first, second] = [-1, -1];
    for (const round of done) {
      if (round > first) [first, second] = [round, first];
      else if (round > second) second = round;
    }
    return [first, second];
  }

  const pace = {
    /** That node has exchanged as this round. O(1). */
    heard(from: number, round: number): void {
      if (round <= done[from]) return;
      done[from] = round;
      kept = 0;
    },

    /**
     * The round after `last`; undefined if this node is ahead and does an iteration by itself. `hears` says whether the schedule
     * has any node send vectors of round `last` to this one: if not, silence means nothing. No node is followed beyond the round
     * that is `believed`. O(n).
     */
    next(last: number, hears: boolean, believed: number = Number.POSITIVE_INFINITY): number | undefined {
      const [first] = foremost();
      const round = Math.max(last + 1, Math.min(pace.reached, believed, rounds - 1));
      if (round <= first + (hears ? 1 : 2) || kept >= patience) return round;
      kept++;
      return undefined;
    },

    /** The round that two others (with two nodes: the other one) have done; -1 before any. */
    get reached(): number {
      return foremost()[n === 2 ? 0 : 1];
    },
  };
  return pace;
}
