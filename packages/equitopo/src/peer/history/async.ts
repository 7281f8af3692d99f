/** From the lines of asynchronous peers (history.ts) to what their runs are done again from (run/async/replay.ts). */

import { InputError } from "../../input/input.ts";
import type { History, Step } from "../../run/async/history.ts";
import type { HistoryLine } from "./history.ts";

/**
 * The iterations of one run, of all peers, from the lines of each. A peer that was started again is refused: what it lost
 * is in no history. O(lines).
 *
 * @example
 * ```ts
 * import { asyncHistory } from "equitopo/peer";
 * const lines = [0, 1].map((rank) => [
 *   { kind: "peer", version: 1, rank, size: 2 } as const,
 *   { kind: "iterated", run: 0, round: 0, used: [] } as const,
 * ]);
 * asyncHistory(lines, 0).map((steps) => steps.length).join() // => "1,1"
 * ```
 */
export function asyncHistory(files: readonly (readonly HistoryLine[])[], run: number): History {
  const size = files[0]?.find((line) => line.kind === "peer")?.size ?? 0;
  const found = new Map<number, readonly Step[]>();
  for (const lines of files) {
    const [first, second] = lines.filter((line) => line.kind === "peer");
    if (first === undefined || second !== undefined || first.size !== size || found.has(first.rank)) {
      throw new InputError(
        "the history of a run that is done again is one program's for each peer, from its first line on",
        first === undefined ? "no first line" : `a second one of peer ${first.rank}, or of another run`,
        "give the histories of one run, in which no peer was started again",
      );
    }
    const steps = lines.flatMap((line) => (line.kind === "iterated" && line.run === run ? [stepOf(line)] : []));
    found.set(first.rank, steps);
  }
  const missing = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !found.has(rank));
  if (missing.length > 0) {
    throw new InputError(`the histories of all ${size} peers are needed`, `none of ${missing.join(", ")}`, "add them");
  }
  return Array.from({ length: size }, (_, rank) => found.get(rank) ?? []);
}

/** As it was written; what is not of that form is refused by the replay. */
function stepOf({ round, used, kept }: Step): Step {
  return { ...(round === undefined ? {} : { round }), used, ...(kept === undefined ? {} : { kept }) };
}
