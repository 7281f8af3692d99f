/** Which rows hear anybody in a round, where messages are lost and nodes are down. */

import type { Round } from "./round.ts";

/** Takes the mark off every node that hears nobody in this round. O(n). */
export function unmarkUnheard(round: Round, heard: Uint8Array): void {
  if (round.kind === "matching") for (let i = 0; i < round.n; i++) heard[i] &= Number(round.partner[i] !== i);
  else if (round.kind === "sparse") {
    for (let i = 0; i < round.n; i++) heard[i] &= Number(round.start[i + 1] > round.start[i]);
  }
}
