/** From the lines of asynchronous peers (history.ts) to what their runs are done again from (run/async/replay.ts). */

import { defined, InputError } from "../../input/input.ts";
import type { History, Step, WrittenRow } from "../../run/async/history.ts";
import type { HistoryLine } from "./history.ts";

/**
 * The iterations of one run, of all peers, from the lines of each, in order: those of a program that was started again follow
 * those of the one before. The rows at both ends go with the first and the last of them. O(lines).
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
    const [first, ...others] = lines.filter((line) => line.kind === "peer");
    const same = others.every(({ rank }) => rank === first.rank) && first?.size === size;
    if (first === undefined || !same || found.has(first.rank)) {
      throw new InputError(
        "the history of a run that is done again is a file for each peer, from its first line on",
        first === undefined ? "no first line" : `a second one of peer ${first.rank}, or of another run`,
        "give the histories of one run, each in a file of its own",
      );
    }
    found.set(first.rank, stepsOf(lines, run));
  }
  const missing = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !found.has(rank));
  if (missing.length > 0) {
    throw new InputError(`the histories of all ${size} peers are needed`, `none of ${missing.join(", ")}`, "add them");
  }
  return Array.from({ length: size }, (_, rank) => found.get(rank) ?? []);
}

/** The steps of one peer; what is not of their form is refused by the replay. */
function stepsOf(lines: readonly HistoryLine[], run: number): Step[] {
  const steps: Step[] = [];
  let start: WrittenRow | undefined;
  let alive = false;
  for (const line of lines) {
    if (line.kind === "peer") [start, alive] = [undefined, false];
    if (line.kind === "row" && line.run === run && line.updates === 0) start = line;
    if (line.kind === "row" && line.run === run && line.updates > 0 && alive) {
      steps[steps.length - 1] = { ...(steps.at(-1) as Step), after: line };
    }
    if (line.kind === "end" && alive && steps.at(-1)?.hash !== undefined && steps.at(-1)?.after === undefined) {
      throw new InputError("a peer that came to the end has written its last row", "none", "give the whole history");
    }
    if (line.kind !== "iterated" || line.run !== run) continue;
    const { kind, run: _, begins, ...step } = line;
    // Where it began anew it has written its first row, too.
    const first =
      begins?.iterations === 0 && start?.hash === begins.hash ? { ...begins, ...defined({ x: start.x }) } : begins;
    steps.push({ ...step, ...defined({ begins: first }) });
    alive = true;
  }
  return steps;
}
