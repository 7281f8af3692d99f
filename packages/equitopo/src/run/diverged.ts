/**
 * Whether a run diverged: a value that was a number is none any more, or the main metric of its problem ends far above its
 * start although it is one that falls in a good run.
 */

import { problems } from "../problem/registry.ts";
import type { Curves, Recorded } from "./record.ts";

/** A metric that falls ends at more than so many times its start only where a run is on its way out. */
const FAR = 10;

/** What is asked of a run; without `metric`, the main one, its values are only asked whether they are numbers. */
type Ended = Pick<Recorded, "updates" | "metrics" | "evaluations"> & { readonly metric?: string };

/**
 * The number of updates by which a run had diverged, because the step was too large for the problem: a recorded value was
 * infinite or not a number after it had been one, or the main metric of the problem, one that falls in a good run (`falls` in
 * its family), ended above ten times its first value, and stayed there from this update on. Undefined if neither is so.
 * O(values recorded).
 *
 * @example
 * ```ts
 * import { expandSpec, runSpec } from "equitopo";
 * import { divergedAt } from "equitopo/run";
 * const result = (learningRate: number) =>
 *   runSpec(expandSpec({
 *     topologies: [{ name: "ring", n: 5 }],
 *     algorithms: [{ name: "dsgd", learningRate }],
 *     problem: { name: "least-squares" },
 *     rounds: 200,
 *   })[0]);
 * divergedAt(result(1e-3)) // => undefined
 * divergedAt(result(1000))! < 200 // => true
 * ```
 */
export const divergedAt = (run: Ended): number | undefined => beyondNumbersAt(run) ?? farAboveAt(run);

/** The first update at which a value that was a number is none. */
export function beyondNumbersAt({ updates, metrics, evaluations }: Ended): number | undefined {
  // A value that was never a number (a loss before the first update, an accuracy that was not evaluated) has not diverged.
  const diverges = (values: readonly number[], k: number) =>
    isBeyond(values[k]) && values.slice(0, k).some((value) => !isBeyond(value));
  const first = (at: readonly number[], lists: Curves) =>
    at.find((_, k) => Object.values(lists).some((values) => diverges(values, k)));
  const found = [first(updates, metrics), evaluations && first(evaluations.updates, evaluations.metrics)];
  const known = found.filter((update) => update !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** JSON has no infinity: a value from a file is null instead. */
const isBeyond = (value: number | null | undefined) => value !== undefined && !Number.isFinite(value);

/** The first of the updates at which the main metric was, and then stayed, above ten times its first number. */
function farAboveAt({ updates, metrics, metric }: Ended): number | undefined {
  if (metric === undefined || !falls(metric)) return undefined;
  const values = metrics[metric] ?? [];
  const start = values.find((value) => !isBeyond(value)) ?? 0;
  const within = values.findLastIndex((value) => !(value > FAR * start));
  return start > 0 && within < values.length - 1 ? updates[within + 1] : undefined;
}

/** A name says nothing by itself: the families that have it as their main metric do, all of them. */
function falls(metric: string): boolean {
  const families = problems.filter((family) => family.metric === metric);
  return families.length > 0 && families.every((family) => family.falls === true);
}
