/** What runs ended with: result.json, and the table that a person is shown. */

import { createHash } from "node:crypto";
import type { RunResult, SpecDocument } from "equitopo";
import { divergedAt } from "equitopo/run";
import { showBytes, showCount, showRate } from "../numbers.ts";
import { jsonText } from "../output.ts";
import { table } from "../table.ts";

/** Whose seconds a run's are: a latency model's, or those that passed for real peers. */
const clockOf = (run: object) => ("real" in run && run.real !== undefined ? "measured" : "simulated");

const last = (list: readonly number[]) => list[list.length - 1];

/** The last of every metric, those that evaluations found among them. */
function finalMetrics(
  run: Pick<RunResult, "metrics"> & { readonly evaluations?: RunResult["evaluations"] | undefined },
): Record<string, number> {
  const all = { ...run.metrics, ...run.evaluations?.metrics };
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, last(values)]));
}

/** Of result.json. */
export const resultVersion = 2;

/** What result.json holds. */
function documentOf(document: SpecDocument, results: readonly RunResult[]): object {
  const hashes = results.map((run) => run.stateHash);
  return {
    version: resultVersion,
    title: document.title,
    // Of a single run its own hash; of several, the hash of their hashes.
    stateHash: hashes.length === 1 ? hashes[0] : createHash("sha256").update(hashes.join("\n")).digest("hex"),
    runs: (results as readonly (RunResult & { readonly real?: object })[]).map(
      ({ label, seed, topology, algorithm, rate, periodRate, degree, ...run }) => ({
        label,
        topology,
        algorithm,
        seed,
        rate,
        periodRate,
        degree,
        updates: last(run.updates),
        diverged: divergedAt(run),
        metrics: finalMetrics(run),
        bytesPerNode: last(run.bytes),
        bytesBetween: run.between && last(run.between),
        messagesPerNode: last(run.messages),
        seconds: last(run.seconds),
        clock: clockOf(run),
        liars: run.liars,
        stateHash: run.stateHash,
        device: run.device,
        // What real peers add: faults, and who did not reach the end.
        real: run.real,
      }),
    ),
  };
}

/** Beyond all numbers (null, where it comes from a file) is a dash: the run's row says when it diverged. */
function showMetric(value: number | null | undefined): string {
  if (value === undefined) return "";
  return value === null || !Number.isFinite(value) ? "-" : value.toExponential(3);
}

/** result.json as text. */
export function resultText(document: SpecDocument, results: readonly RunResult[]): string {
  return jsonText(documentOf(document, results));
}

/** The table of finished runs for a person. */
export function summaryText(results: readonly RunResult[]): string {
  const left = (title: string) => ({ title, align: "left" }) as const;
  const right = (title: string) => ({ title, align: "right" }) as const;
  const found = results.map(finalMetrics);
  const metrics = Object.keys(found[0]);
  // What leaves a machine, of the one that sends most.
  const grouped = results.some(({ between }) => between !== undefined);
  const ends = results.map(divergedAt);
  const lost = ends.some((at) => at !== undefined);
  const columns = [
    left("run"),
    right("seed"),
    ...(lost ? [left("diverged")] : []),
    right("exact rate"),
    ...metrics.map(right),
    right("bytes/node"),
    ...(grouped ? [right("between machines")] : []),
    right(`seconds,\n${clockOf(results[0])}`),
    left("state"),
  ];
  const rows = results.map((run, k) => [
    run.label,
    String(run.seed),
    ...(lost ? [ends[k] === undefined ? "" : `by update ${showCount(ends[k])}`] : []),
    showRate(run.rate),
    ...metrics.map((metric) => showMetric(found[k][metric])),
    showBytes(last(run.bytes)),
    ...(grouped ? [run.between === undefined ? "" : showBytes(last(run.between))] : []),
    last(run.seconds).toPrecision(3),
    run.stateHash.slice(0, 12),
  ]);
  return table(columns, rows);
}
