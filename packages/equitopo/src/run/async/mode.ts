/**
 * `mode: async` in a spec: rounds in which nobody waits.
 *
 * A node that has computed averages with what is there. Round T of the schedule says with whom, as ever a function of
 * (seed, T) alone, and of each of these it takes the newest models that it has; those older than `maxStale` rounds are not
 * used, and their weight stays at home. A node that two others have overtaken skips to their round, so that a slow one
 * does fewer iterations and holds up nobody. inbox.ts has the formulas.
 *
 * Fewer iterations are fewer gradients: the models settle where sum_i p_i grad f_i = 0, p_i being node i's share of all
 * iterations, and not where the mean gradient is 0. With `compensate` a gradient counts for as many rounds as a node's
 * iteration takes of late, which takes this bias away and makes the slow nodes' steps as much longer as they are fewer.
 *
 * Push-sum needs none of that. Its steps are g w_i here, so that the model z_i = u_i / w_i moves by g times its gradient
 * whatever w_i is; and who sends less often holds the more weight, w_i in proportion to the time between its exchanges, so
 * that all count alike.
 */

import type { Algorithm } from "../../algorithm/algorithm.ts";
import { algorithms } from "../../algorithm/registry.ts";
import { InputError, integer, oneOf } from "../../input/input.ts";

/** What a document says of it. */
export interface ModeKeys {
  /** Default sync: everybody waits for its partners of every round. */
  readonly mode?: "sync" | "async";
  /** Rounds after which models are too old to be averaged with; default 8. */
  readonly maxStale?: number;
  /** Whether a gradient counts for all the rounds since the one before; default false. */
  readonly compensate?: boolean;
}

/** What a run keeps of it: nothing where it is synchronous. */
export interface AsyncMode {
  readonly mode: "async";
  readonly maxStale: number;
  readonly compensate?: true;
}

export const modeKeys = ["mode", "maxStale", "compensate"] as const;

/** In step, models are one round old when they are used: older ones come of delays. */
const usualStale = 8;

/** What else a document may say, and is not for asynchronous rounds. */
interface Beside {
  readonly evaluate?: number | string;
  readonly faults?: object;
  readonly robust?: unknown;
  readonly hierarchy?: unknown;
}

/** The keys, checked. */
export function settleMode(keys: ModeKeys & Beside): AsyncMode | undefined {
  const mode = oneOf("mode", keys.mode ?? "sync", ["sync", "async"]);
  if (mode === "sync") {
    const given = (["maxStale", "compensate"] as const).find((key) => keys[key] !== undefined);
    if (given === undefined) return undefined;
    throw new InputError(`${given} is for asynchronous rounds`, "mode: sync", "add mode: async, or leave it out");
  }
  const faults = Object.keys(keys.faults ?? {}).filter((fault) => fault !== "drop");
  const beside = [...faults, ...(["robust", "hierarchy"] as const).filter((key) => keys[key] !== undefined)];
  if (beside.length > 0) {
    throw new InputError(`${beside[0]} is for synchronous rounds`, "mode: async", "leave out one of them");
  }
  const { evaluate = "at the end", compensate = false } = keys;
  if (evaluate !== "at the end") {
    throw new InputError(
      "an evaluation is a meeting of all, which asynchronous rounds have at the end only",
      evaluate,
      'write evaluate: "at the end", or leave it out',
    );
  }
  if (typeof compensate !== "boolean") {
    throw new InputError("compensate must be true or false", compensate, "write compensate: true");
  }
  const maxStale = integer("maxStale", keys.maxStale ?? usualStale, 1);
  return { mode, maxStale, ...(compensate ? { compensate } : {}) };
}

/** The mode of a run, where it is asynchronous. */
export function asyncMode(run: { readonly mode?: "async" } & Partial<Omit<AsyncMode, "mode">>): AsyncMode | undefined {
  const { mode, maxStale = usualStale, compensate } = run;
  return mode === undefined ? undefined : { mode, maxStale, ...(compensate === true ? { compensate } : {}) };
}

/** Refuses algorithms whose exchanges need everybody's vectors of one round. */
export function requireAsync(
  { name, async }: Pick<Algorithm, "name" | "async">,
  { compensate }: Pick<ModeKeys, "compensate"> = {},
): "models" | "shares" {
  if (async === "shares" && compensate) {
    throw new InputError(`${name} counts all nodes alike by its weights already`, "compensate: true", "leave it out");
  }
  if (async !== undefined) return async;
  const fitting = algorithms.filter((member) => member.async !== undefined).map((member) => member.name);
  throw new InputError(
    `${name} needs everybody's vectors of one round, which asynchronous rounds do not give`,
    name,
    `these go without: ${fitting.join(", ")}; or leave out mode: async`,
  );
}
