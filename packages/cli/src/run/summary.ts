/** What runs ended with: result.json, and the table that a person is shown. */

import { createHash } from "node:crypto";
import type { RunResult, SpecDocument } from "equitopo";
import { differencesInWords, seedDifferences } from "equitopo/internal/outcome";
import { summaryOf } from "equitopo/outcome";
import { divergedAt } from "equitopo/run";
import { showBytes, showCount, showRate } from "../terminal/numbers.ts";
import { jsonText } from "../terminal/output.ts";
import {
  type Cell,
  type CellColumn,
  left,
  numberCell,
  right,
  summaryCell,
  type Table,
  tableOf,
} from "../terminal/table.ts";

/** What a run's seconds are: those of a latency model, or those that passed for real peers. */
const clockOf = (run: object) => ("real" in run && run.real !== undefined ? "measured" : "simulated");

const last = (list: readonly number[]) => list[list.length - 1];

/** The last of every metric, those that evaluations found among them. */
function finalMetrics(run: Pick<RunResult, "metrics" | "evaluations">): Record<string, number> {
  const all = { ...run.metrics, ...run.evaluations?.metrics };
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, last(values)]));
}

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
        // What real peers add: faults, and the peers that did not reach the end.
        real: run.real,
      }),
    ),
    ...overSeeds(results),
  };
}

function grouped(results: readonly RunResult[]): Map<string, RunResult[]> {
  const byLabel = new Map<string, RunResult[]>();
  for (const run of results) byLabel.set(run.label, [...(byLabel.get(run.label) ?? []), run]);
  return byLabel;
}

/** Of several seeds: each run's means and deviations, and which runs can be distinguished by their main metric. */
function overSeeds(results: readonly RunResult[]): object {
  const byLabel = grouped(results);
  if ([...byLabel.values()].every((runs) => runs.length === 1)) return {};
  const [differences, what] = seedDifferences(byLabel);
  return {
    overSeeds: [...byLabel].map(([label, runs]) => {
      const over = (of: (run: RunResult) => number) => ({
        seeds: runs.map(({ seed }) => seed),
        ...summaryOf(runs.map(of)),
      });
      const metrics = Object.keys(finalMetrics(runs[0]));
      return {
        label,
        degree: over(({ degree }) => degree),
        rate: over(({ rate }) => rate),
        metrics: Object.fromEntries(metrics.map((name) => [name, over((run) => finalMetrics(run)[name])])),
        bytesPerNode: over(({ bytes }) => last(bytes)),
        seconds: over(({ seconds }) => last(seconds)),
      };
    }),
    differencesOf: what,
    differences,
  };
}

export function seedsInWords(results: readonly RunResult[]): string[] {
  const byLabel = grouped(results);
  return differencesInWords(...seedDifferences(byLabel));
}

/** Beyond all numbers (null, where it comes from a file) is a dash: the run's row says when it diverged. */
function metricCell(value: number | null | undefined): Cell {
  if (value === undefined) return "";
  return value === null || !Number.isFinite(value) ? "-" : numberCell(value, (one) => one.toExponential(3));
}

export function resultText(document: SpecDocument, results: readonly RunResult[]): string {
  return jsonText(documentOf(document, results));
}

/** Means over seeds with their errors, a row for each label; undefined where every run has one seed. */
export function seedsTable(results: readonly RunResult[], title: string): Table | undefined {
  const groups = [...grouped(results)];
  if (groups.every(([, runs]) => runs.length === 1)) return undefined;
  const over = (of: (run: RunResult) => number, show: (value: number) => string) => {
    return ([, runs]: (typeof groups)[number]) => summaryCell(runs.length, summaryOf(runs.map(of)), show);
  };
  const metrics = Object.keys(finalMetrics(results[0]));
  return tableOf<(typeof groups)[number]>(
    [
      [left("run"), ([label]) => label],
      [right("seeds"), ([, runs]) => String(runs.length)],
      [right("exact rate"), over(({ rate }) => rate, showRate)],
      ...metrics.map((metric): CellColumn<(typeof groups)[number]> => {
        const final = (run: RunResult) => finalMetrics(run)[metric];
        return [right(metric), over(final, (value) => value.toExponential(3))];
      }),
      [right("bytes/node"), over(({ bytes }) => last(bytes), showBytes)],
    ],
    groups,
    `${title}: means over seeds`,
  );
}

export function summaryTable(results: readonly RunResult[], title: string): Table {
  // What leaves a machine, of the one that sends most.
  const hasGroups = results.some(({ between }) => between !== undefined);
  const lost = results.some((run) => divergedAt(run) !== undefined);
  const ended = (run: RunResult) => {
    const at = divergedAt(run);
    return at === undefined ? "" : `by update ${showCount(at)}`;
  };
  return tableOf<RunResult>(
    [
      [left("run"), ({ label }) => label],
      [right("seed"), ({ seed }) => String(seed)],
      lost && [left("diverged"), ended],
      [right("exact rate"), ({ rate }) => numberCell(rate, showRate)],
      ...Object.keys(finalMetrics(results[0])).map((metric): CellColumn<RunResult> => {
        return [right(metric), (run) => metricCell(finalMetrics(run)[metric])];
      }),
      [right("bytes/node"), ({ bytes }) => numberCell(last(bytes), showBytes)],
      hasGroups && [
        right("between machines"),
        ({ between }) => (between === undefined ? "" : numberCell(last(between), showBytes)),
      ],
      [
        right(`seconds,\n${clockOf(results[0])}`),
        ({ seconds }) => numberCell(last(seconds), (value) => value.toPrecision(3)),
      ],
      [left("state"), ({ stateHash }) => stateHash.slice(0, 12)],
    ],
    results,
    title,
  );
}
