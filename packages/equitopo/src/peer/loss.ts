/** Messages lost on purpose, as a function of (seed, sender, receiver, round): what `--drop` does to a real network. */

import { real } from "../input/input.ts";
import { block } from "../random/philox.ts";
import { streams } from "../random/stream.ts";

/** A rule that loses the given share of what `rank` sends; the kind tells votes from vectors. */
export function loss(
  share: number,
  seed: number,
  rank: number,
): (peer: number, round: number, kind?: number) => boolean {
  real("drop", share, { min: 0, max: 1, open: "max" }, 0.05);
  const words = new Uint32Array(4);
  return (peer, round, kind = 0) => {
    block(seed, streams.transport, round, (rank * 65536 + peer) * 4 + kind, words);
    return words[0] < share * 4294967296;
  };
}
