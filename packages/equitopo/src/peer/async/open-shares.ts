/**
 * Shares of a sum that a peer has sent and that their receivers have not acknowledged. When a receiver dies, these shares are
 * gone, too. They are not taken back: the receiver may have counted a share and passed on a part of it before its
 * acknowledgement was cut off, and the share would be in the sum twice. But they are few. A receiver acknowledges the rounds
 * that it has taken; once it owes acknowledgements of `most` shares it is sent no more, except one every `probe` rounds, in
 * case only its acknowledgements were dropped. So a peer that dies, or hangs for m rounds before that is known, takes from
 * each neighbour
 *
 *     at most  most + m / probe  shares,  whose weight `writeOff` answers,
 *
 * besides the weight that it holds itself. What is left is a weighted mean of the others' values.
 */

const [most, probe] = [16, 64];

export function openShares() {
  const open = new Map<number, { readonly round: number; readonly weight: number }[]>();
  const of = (peer: number) => open.get(peer) ?? [];
  return {
    sent(peer: number, round: number, weight: number): void {
      open.set(peer, [...of(peer), { round, weight }]);
    },

    /** That peer has counted the shares of all rounds up to this one. */
    taken(peer: number, upTo: number): void {
      open.set(
        peer,
        of(peer).filter(({ round }) => round > upTo),
      );
    },

    /** Whether that peer is sent nothing in that round. */
    isFull: (peer: number, round: number) => of(peer).length >= most && round - (of(peer).at(-1)?.round ?? 0) < probe,

    /** Forgets the shares that a peer which is gone has not acknowledged; answers with their weight. */
    writeOff(peer: number): number {
      const weight = of(peer).reduce((sum, one) => sum + one.weight, 0);
      open.delete(peer);
      return weight;
    },

    peers: (): readonly number[] => [...open.keys()],
  };
}
