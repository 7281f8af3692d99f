/** Gossip with several seeds: the mean error with its deviations, in words and as JSON. */

import { stateHash, type Topology } from "equitopo";
import { summaryOf } from "equitopo/outcome";
import type { Part } from "../../terminal/answer.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showBytes, showCount } from "../../terminal/numbers.ts";
import { numberCell, right, spreadLines, table, valueTable } from "../../terminal/table.ts";
import { type GossipRun, showError } from "./summary.ts";

export interface SeededGossip {
  readonly seed: number;
  readonly topology: Topology;
  readonly run: GossipRun;
}

/** The last error, the drift and the bytes of a run. */
const ofRun = ({ run: { record } }: SeededGossip) => ({
  error: record.errors[record.errors.length - 1],
  meanDrift: record.meanDrift,
  bytesPerNode: record.bytesPerNode,
});

function summaries(runs: readonly SeededGossip[]) {
  const seeds = runs.map(({ seed }) => seed);
  const over = (key: keyof ReturnType<typeof ofRun>) => ({ seeds, ...summaryOf(runs.map((one) => ofRun(one)[key])) });
  return { error: over("error"), meanDrift: over("meanDrift"), bytesPerNode: over("bytesPerNode") };
}

export function seedsJson(runs: readonly SeededGossip[]): object {
  const [{ topology, run }] = runs;
  const { d: dim, seed: _, ...options } = run.options;
  return {
    ...{ topology: topology.name, n: topology.n, dim, ...options, recorded: run.record.recorded },
    ...summaries(runs),
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
  const { error, bytesPerNode } = summaries(runs);
  const shown = (value: number) => numberCell(value, showError);
  const lines = [
    ["error", shown(error.mean), `after ${showCount(rounds)} rounds, mean of ${runs.length} seeds`],
    ...spreadLines("error", error, showError),
    ["bytes/node", numberCell(bytesPerNode.mean, showBytes), "mean, sent by the node that sent most"],
  ] as const;
  const rows = runs.map((one) => {
    const { error: last, meanDrift, bytesPerNode: bytes } = ofRun(one);
    return [String(one.seed), shown(last), shown(meanDrift), numberCell(bytes, showBytes)];
  });
  const titles = ["seed", "error", "mean drift", "bytes/node"].map(right);
  const title = `${topology.name}, n = ${showCount(topology.n)}, ${showCount(d)} numbers at each node`;
  return [`${wrapped(title)}\n`, valueTable(lines, title), "\n", table(titles, rows)];
}
