/**
 * Asynchronous runs done again from the histories of their peers (`verify --history DIR --spec FILE`): the rows come out to
 * the last bit and are held against what the peers wrote down of theirs, and for shares of a sum nothing is counted twice
 * and nothing appears from nowhere.
 */

import { InputError, type RunSpec, stateHash } from "equitopo";
import { replayRun } from "equitopo/internal/run";
import { asyncHistory, type HistoryLine } from "equitopo/peer";
import type { Replay } from "equitopo/run";
import { contextOf } from "../../run/context.ts";

/** A run done again; `refused` says why its histories are not those of the run. */
interface Replayed extends Partial<NonNullable<Replay["sums"]>> {
  readonly label: string;
  readonly seed: number;
  readonly stateHash?: string;
  readonly refused?: string;
}

/** The asynchronous ones among the runs. */
export function replayRuns(
  runs: readonly RunSpec[],
  histories: readonly (readonly HistoryLine[])[],
  options: { readonly data?: string },
): Replayed[] {
  return runs.flatMap((run, k): Replayed[] => {
    if (run.mode !== "async") return [];
    const { label, seed } = run;
    try {
      const { x, sums } = replayRun(run, asyncHistory(histories, k), contextOf(options));
      // The hash of the final rows: that of the peers' result.
      return [{ label, seed, stateHash: stateHash(x), ...sums }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return [{ label, seed, refused: error.message }];
    }
  });
}

export function replayText(runs: readonly Replayed[]): string {
  const lines = runs.map(({ label, seed, refused, stateHash: hash = "", weights, held, uncounted, error }) => {
    const name = `${label}, seed ${seed}`;
    if (refused !== undefined) return `refused: ${name}: ${refused}\n`;
    const parts = `${held?.toFixed(6)} held, the rest in ${uncounted} shares that were sent and not counted`;
    const sums =
      weights === undefined
        ? ""
        : `; weights sum to ${weights.toFixed(9)} (${parts}), sums moved by ${error?.toExponential(1)}`;
    return `done again: ${name}: final rows ${hash.slice(0, 12)}${sums}\n`;
  });
  return lines.join("");
}
