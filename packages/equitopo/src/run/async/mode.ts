/**
 * `mode: async` in a spec: rounds in which nobody waits.
 *
 * A node that has computed its gradient averages with the models that have arrived. Round T of the schedule says with which
 * nodes, which is a function of (seed, T) alone as always. Of each of them it takes the newest models that it has; models
 * older than `maxStale` rounds are not used, and their weight stays with the node. A node that two others have overtaken skips to
 * their round, so that a slow node does fewer iterations and delays nobody. inbox.ts has the formulas.
 *
 * Fewer iterations mean fewer gradients: the models settle where sum_i p_i grad f_i = 0, p_i being node i's share of all
 * iterations, and not where the mean gradient is 0. With `compensate` each gradient is multiplied by the number of rounds
 * that the node's recent iterations took. This removes the bias: slow nodes take fewer steps, but longer ones.
 *
 * Push-sum needs none of that. Its steps are g w_i here, so that the model z_i = u_i / w_i moves by g times its gradient
 * whatever w_i is. A node that sends less often holds more weight (w_i is proportional to the time between its exchanges), so
 * all nodes count alike.
 */

import { InputError, integer, oneOf } from "../../input/input.ts";
import type { Step } from "./history.ts";

/** The keys of a document. */
export interface ModeKeys {
  /** Default sync: every node waits for its partners of every round. */
  readonly mode?: "sync" | "async";
  /** Rounds after which models are too old to be averaged with; default 8. */
  readonly maxStale?: number;
  /** Whether a gradient counts for all the rounds since the one before; default false. */
  readonly compensate?: boolean;
}

/** The keys of an asynchronous run; a synchronous one has none. */
export interface AsyncMode {
  readonly mode: "async";
  readonly maxStale: number;
  readonly compensate?: true;
}

export const modeKeys = ["mode", "maxStale", "compensate"] as const;

/** In step, models are one round old when they are used; older ones were delayed. */
const usualStale = 8;

export function settleMode(keys: ModeKeys): AsyncMode | undefined {
  const mode = oneOf("mode", keys.mode ?? "sync", ["sync", "async"]);
  if (mode === "sync") {
    const given = (["maxStale", "compensate"] as const).find((key) => keys[key] !== undefined);
    if (given === undefined) return undefined;
    throw new InputError(`${given} is for asynchronous rounds`, "mode: sync", "add mode: async, or leave it out");
  }
  const { compensate = false } = keys;
  if (typeof compensate !== "boolean") {
    throw new InputError("compensate must be true or false", compensate, "write compensate: true");
  }
  return asyncMode({ mode, maxStale: integer("maxStale", keys.maxStale ?? usualStale, 1), compensate });
}

/** The mode of a run; undefined if it is synchronous. */
export function asyncMode(run: Omit<ModeKeys, "mode"> & { readonly mode?: "async" }): AsyncMode | undefined {
  const { mode, maxStale = usualStale, compensate } = run;
  return mode === undefined ? undefined : { mode, maxStale, ...(compensate === true ? { compensate } : {}) };
}

export interface AsyncSimulation extends Omit<AsyncMode, "mode"> {
  readonly type?: "float64" | "float32";
  /** Called for every exchange, in the order of the clock. */
  readonly onStep?: (rank: number, step: Step, seconds: number) => void;
}
