/** Gossip with several seeds: the mean error with its deviations, in words and as JSON. */

import { stateHash, type Topology } from "equitopo";
import { summaryOf } from "equitopo/outcome";
import type { Part } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount } from "../../terminal/numbers.ts";
import { type Cell, numberCell, right, table, valueTable } from "../../terminal/table.ts";
import { type GossipRun, showError } from "./summary.ts";

export interface SeededGossip {
  readonly seed: number;
  readonly topology: Topology;
  readonly run: GossipRun;
}

const last = (list: readonly number[]) => list[list.length - 1];

/** What is summarised of a run. */
const columns = {
  error: ({ record }: GossipRun) => last(record.errors),
  meanDrift: ({ record }: GossipRun) => record.meanDrift,
  bytesPerNode: ({ record }: GossipRun) => record.bytesPerNode,
};

const over = (runs: readonly SeededGossip[], of: (run: GossipRun) => number) => ({
  seeds: runs.map(({ seed }) => seed),
  ...summaryOf(runs.map(({ run }) => of(run))),
});

export function seedsJson(runs: readonly SeededGossip[]): object {
  const [{ topology, run }] = runs;
  const { d: dim, seed: _, ...options } = run.options;
  const summaries = Object.entries(columns).map(([name, of]) => [name, over(runs, of)]);
  return {
    ...{ topology: topology.name, n: topology.n, dim, ...options, recorded: run.record.recorded },
    ...Object.fromEntries(summaries),
    errors: run.record.errors.map((_, k) => summaryOf(runs.map((one) => one.run.record.errors[k]))),
    runs: runs.map(({ seed, run: { record } }) => {
      const { x, recorded: _r, ...measured } = record;
      return { seed, ...measured, stateHash: stateHash(x) };
    }),
  };
}

export function seedsInWords(runs: readonly SeededGossip[]): Part[] {
  const [{ topology, run }] = runs;
  const { d, rounds } = run.options;
  const { mean, sd, se } = over(runs, columns.error);
  const shown = (value: number | null): Cell => (value === null ? "-" : numberCell(value, showError));
  const bytes = over(runs, columns.bytesPerNode).mean;
  const lines: [string, Cell, string][] = [
    ["error", shown(mean), `after ${showCount(rounds)} rounds, mean of ${runs.length} seeds`],
    ["sd", shown(sd), "standard deviation of a seed's error"],
    ["se", shown(se), "standard error of the mean"],
    ["bytes/node", numberCell(bytes, showBytes), "mean, sent by the node that sent most"],
  ];
  const rows = runs.map(({ seed, run: { record } }) => [
    String(seed),
    numberCell(last(record.errors), showError),
    numberCell(record.meanDrift, showError),
    numberCell(record.bytesPerNode, showBytes),
  ]);
  const titles = ["seed", "error", "mean drift", "bytes/node"].map(right);
  const title = `${topology.name}, n = ${showCount(topology.n)}, ${showCount(d)} numbers at each node`;
  return [`${wrapped(title)}\n`, valueTable(lines, title), "\n", table(titles, rows)];
}
