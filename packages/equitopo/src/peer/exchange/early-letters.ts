/** Letters of rounds that this peer has not reached yet, in bounded memory: so many bytes and so many letters per peer. */

import type { Letter } from "./lane.ts";

/** Early letters of one peer, however small. */
const limit = 4096;

const bytesOf = (letters: readonly Letter[]) => letters.reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 0);

/** `bytes` is the most that is held of one peer, and there is always room for one letter. */
export function earlyLetters(bytes: number) {
  const held = new Map<number, { letters: Letter[]; bytes: number }>();
  return {
    /** False where there is no room. */
    hold(peer: number, letter: Letter): boolean {
      const own = held.get(peer) ?? { letters: [], bytes: 0 };
      if (own.bytes > bytes || own.letters.length >= limit) return false;
      own.letters.push(letter);
      own.bytes += bytesOf([letter]);
      held.set(peer, own);
      return true;
    },

    /** Takes out what was sent for rounds up to this one. O(peers that something is held of). */
    take(round: number): (readonly [peer: number, Letter])[] {
      const ready: (readonly [number, Letter])[] = [];
      for (const [peer, own] of held) {
        const later: Letter[] = [];
        for (const letter of own.letters) {
          if (letter.round > round) later.push(letter);
          else ready.push([peer, letter]);
        }
        if (later.length === 0) held.delete(peer);
        else if (later.length < own.letters.length) held.set(peer, { letters: later, bytes: bytesOf(later) });
      }
      return ready;
    },

    /** Whether a peer has sent something for later rounds. */
    has: (peer: number): boolean => held.has(peer),

    /** Those that something is held of. */
    peers: (): readonly number[] => [...held.keys()],
  };
}
