/**
 * Shares of a sum that a peer has sent and that their receivers have not acknowledged. When a receiver dies they are gone with
 * it: they are not taken back, because nobody can know whether it had counted one and passed on a part before its word of that
 * was cut off, so that the same share would be in the sum twice. But they are few. A receiver acknowledges the rounds that it
 * has taken; one that owes word of `most` shares is sent no more, except one every `probe` rounds, in case it was its word that
 * was dropped. So a peer that dies, or hangs for m rounds of its neighbours before that is known, takes from each
 *
 *     at most  most + m / probe  shares,  of the weight that `weightOf` knows,
 *
 * besides the weight that it holds itself. What is left is a weighted mean of all the others' values.
 */

const [most, probe] = [16, 64];

export function openShares() {
  const open = new Map<number, { readonly round: number; readonly weight: number }[]>();
  const of = (peer: number) => open.get(peer) ?? [];
  return {
    sent(peer: number, round: number, weight: number): void {
      open.set(peer, [...of(peer), { round, weight }]);
    },

    /** That peer has taken all that came to it of the rounds up to this one. */
    taken(peer: number, upTo: number): void {
      open.set(
        peer,
        of(peer).filter(({ round }) => round > upTo),
      );
    },

    /** Whether it is sent nothing in that round. */
    isFull: (peer: number, round: number) => of(peer).length >= most && round - (of(peer).at(-1)?.round ?? 0) < probe,

    /** Forgets what a peer owes that is gone; answers with its weight. */
    writeOff(peer: number): number {
      const weight = of(peer).reduce((sum, one) => sum + one.weight, 0);
      open.delete(peer);
      return weight;
    },

    peers: (): readonly number[] => [...open.keys()],
  };
}
