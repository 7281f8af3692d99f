/** Results of runs with the numbers that a test wants. */

import type { RunResult } from "../../src/run/run.ts";
import type { RunSpec } from "../../src/run/spec.ts";

export interface Wanted {
  readonly label: string;
  readonly seed?: number;
  readonly topology?: string;
  /** By name; one value for each update from 0 on. */
  readonly metrics: Readonly<Record<string, readonly number[]>>;
  readonly bytesPerUpdate?: number;
  readonly accuracy?: readonly number[];
}

export function resultOf({
  label,
  seed = 0,
  topology = "ring",
  metrics,
  bytesPerUpdate = 80,
  accuracy,
}: Wanted): RunResult {
  const names = Object.keys(metrics);
  const updates = metrics[names[0]].map((_, t) => t);
  return {
    ...{ label, seed, topology, algorithm: "dsgd", rate: 0.9, degree: 2, metric: names[0], metrics, updates },
    bytes: updates.map((t) => t * bytesPerUpdate),
    messages: updates,
    seconds: updates.map((t) => t * bytesPerUpdate * 1e-8),
    stateHash: `${label}${seed}`,
    ...(accuracy === undefined ? {} : { evaluations: { updates, metrics: { averagedAccuracy: accuracy } } }),
  } as unknown as RunResult;
}

/** By label, as findings and figures take them. */
export function byLabel(...wanted: readonly Wanted[]): Map<string, RunResult[]> {
  const found = new Map<string, RunResult[]>();
  for (const one of wanted) found.set(one.label, [...(found.get(one.label) ?? []), resultOf(one)]);
  return found;
}

export const runOf = (label: string, seed: number, changes: Partial<RunSpec> = {}) =>
  ({
    ...{ label, seed, rounds: 2, topology: { name: "ring", n: 8 }, algorithm: { name: "dsgd", learningRate: 0.1 } },
    ...{ problem: { name: "least-squares", n: 8, seed }, every: 1, type: "float64" },
    ...changes,
  }) as RunSpec;
