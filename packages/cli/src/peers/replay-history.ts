/**
 * Asynchronous runs done again from the histories of their peers (`verify --history DIR --spec FILE`): the rows come out to
 * the last bit, and for shares of a sum nothing is counted twice and nothing appears from nowhere.
 */

import { type RunSpec, stateHash } from "equitopo";
import { asyncHistory, type HistoryLine } from "equitopo/peer";
import { replayRun } from "equitopo/run";
import { contextOf } from "../run/context.ts";

export interface ReplayedRun {
  readonly label: string;
  readonly seed: number;
  /** Of the final rows: that of the peers' result. */
  readonly stateHash: string;
  /** Of push-sum's weights, those on their way included: the number of peers. */
  readonly weights?: number;
  /** The most by which any sum has changed, relative to its size. */
  readonly error?: number;
}

/** The asynchronous ones among the runs; throws where a history is not one of its run. */
export function replayRuns(
  runs: readonly RunSpec[],
  histories: readonly (readonly HistoryLine[])[],
  options: { readonly data?: string },
): ReplayedRun[] {
  return runs.flatMap((run, k) => {
    if (run.mode !== "async") return [];
    const { x, sums } = replayRun(run, asyncHistory(histories, k), contextOf(options));
    return [{ label: run.label, seed: run.seed, stateHash: stateHash(x), ...sums }];
  });
}

export function replayText(runs: readonly ReplayedRun[]): string {
  const lines = runs.map(({ label, seed, stateHash: hash, weights, error }) => {
    const sums =
      weights === undefined ? "" : `; weights sum to ${weights.toFixed(9)}, sums moved by ${error?.toExponential(1)}`;
    return `done again: ${label}, seed ${seed}: final rows ${hash.slice(0, 12)}${sums}\n`;
  });
  return lines.join("");
}
