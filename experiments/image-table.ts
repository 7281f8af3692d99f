/**
 * The paper's tables of test accuracy with different topologies (Appendix D.3): a network on a data set over 17 nodes, eight
 * topologies, one run of each for every seed. What MNIST and CIFAR-10 have in common: the protocols, the table with
 * paired differences over seeds, the figures; what must hold is said by each of them.
 *
 * In two protocols. as-run: log-softmax over the batch axis (where the authors' code had it), data dealt anew over the
 * nodes every epoch, each node's model tried on its seventeenth of the test set. corrected: softmax over the classes,
 * shares that stay, the averaged model tried on the whole test set.
 */

import type { RunResult, RunSpec, TopologySpec } from "equitopo";
import { fillsDecade } from "equitopo/picture";
import type { Figure, Panel, Results, Series, Table } from "./experiment.ts";
import type { LearningUnit } from "./unit.ts";

export const protocols = ["corrected", "as-run"] as const;
export type Protocol = (typeof protocols)[number];

export interface Row {
  readonly title: string;
  /** Percent, from the paper's table. */
  readonly paper: number;
  /** Its seed, where it has one, is the run's. */
  readonly topology: TopologySpec;
  readonly algorithm?: string;
  /** One of the paper's own graphs. */
  readonly equiTopo?: true;
  /** Which of the paper's figures it is in. */
  readonly group: "both" | "static" | "one-peer";
}

/** What was asked for: rows, seeds, and the last epochs that accuracies are means over. */
export interface ImageTable {
  readonly rows: readonly Row[];
  readonly seeds: readonly number[];
  readonly protocols: readonly Protocol[];
  readonly last: number;
  run(row: Row, protocol: Protocol, seed: number): Omit<RunSpec, "label" | "topology" | "seed">;
}

/** The eight rows, with the paper's figures for one of its two data sets. */
export function paperRows(n: number, m: number, paper: readonly number[]): readonly Row[] {
  const dynamic = { n, eta: 0.53 };
  const rows: readonly Omit<Row, "paper">[] = [
    { title: "Centralised SGD", topology: { name: "complete", n }, algorithm: "centralised", group: "both" },
    { title: "Ring", topology: { name: "ring", n }, group: "static" },
    { title: "Static Exp.", topology: { name: "static-exp", n }, group: "static" },
    { title: "O.-P. Exp.", topology: { name: "one-peer-exp", n }, group: "one-peer" },
    { title: "D-EquiStatic", topology: { name: "d-equistatic", n, m }, equiTopo: true, group: "static" },
    { title: "U-EquiStatic", topology: { name: "u-equistatic", n, m }, equiTopo: true, group: "static" },
    { title: "OD-EquiDyn", topology: { name: "od-equidyn", ...dynamic }, equiTopo: true, group: "one-peer" },
    { title: "OU-EquiDyn", topology: { name: "ou-equidyn", ...dynamic }, equiTopo: true, group: "one-peer" },
  ];
  return rows.map((row, k) => ({ ...row, paper: paper[k] }));
}

export function keyOf({ seeds }: ImageTable, row: Row, protocol: Protocol, seed: number): string {
  return `${protocol}: ${row.title}${seeds.length === 1 && seed === 1 ? "" : ` seed=${seed}`}`;
}

export function unitsOf(table: ImageTable): LearningUnit[] {
  return table.protocols.flatMap((protocol) =>
    table.seeds.flatMap((seed) =>
      table.rows.map((row): LearningUnit => {
        const key = keyOf(table, row, protocol, seed);
        const seeded = row.equiTopo === true ? { ...row.topology, seed } : row.topology;
        return {
          kind: "learning",
          key,
          run: { ...table.run(row, protocol, seed), label: key, topology: seeded, seed },
        };
      }),
    ),
  );
}

/** The results of a row, one a seed. */
export function resultsOf(table: ImageTable, results: Results, row: Row, protocol: Protocol): RunResult[] {
  return table.seeds.map((seed) => results.get(keyOf(table, row, protocol, seed)) as RunResult);
}

/** What an evaluation found, epoch by epoch. */
export const curve = (result: RunResult, metric: string): readonly number[] =>
  result.evaluations?.metrics[metric] ?? [];

export const atLast = (values: readonly number[]) => values[values.length - 1] ?? Number.NaN;

/** Percent: the mean over the last epochs. */
function lastMean({ last: epochs }: ImageTable, result: RunResult, metric: string): number {
  const last = curve(result, metric).slice(-epochs);
  return (100 * last.reduce((sum, value) => sum + value, 0)) / last.length;
}

const metricOf = (protocol: Protocol) => (protocol === "as-run" ? "shareAccuracy" : "averagedAccuracy");

/** What the protocol calls the test accuracy, in percent, for each seed. */
export function accuracies(table: ImageTable, results: Results, row: Row, protocol: Protocol): number[] {
  return resultsOf(table, results, row, protocol).map((one) => lastMean(table, one, metricOf(protocol)));
}

export interface Estimate {
  readonly mean: number;
  /** Of the mean, from the spread of the seeds; not a number for one seed. */
  readonly error: number;
}

export function estimateOf(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** The accuracy less that of centralised SGD, seed by seed; undefined where that was not run. */
export function besideCentralised(table: ImageTable, results: Results, row: Row, protocol: Protocol) {
  const central = table.rows.find(({ algorithm }) => algorithm === "centralised");
  if (central === undefined) return undefined;
  const beside = accuracies(table, results, central, protocol);
  return estimateOf(accuracies(table, results, row, protocol).map((value, k) => value - beside[k]));
}

export const show = ({ mean, error }: Estimate) =>
  Number.isNaN(error) ? mean.toFixed(2) : `${mean.toFixed(2)} ± ${error.toFixed(2)}`;

/** Of an accuracy in percent over 10,000 test images. */
const samplingError = (percent: number) => Math.sqrt((percent * (100 - percent)) / 10_000);

export function tableOf(table: ImageTable, results: Results, protocol: Protocol): Table {
  const round = (value: number) => Number(value.toFixed(2));
  const several = table.seeds.length > 1;
  return {
    name: protocol,
    title: `Test accuracy in percent, mean over the last ${table.last} epochs${several ? ` and ${table.seeds.length} seeds` : ""}: ${protocol}`,
    columns: [
      ...["topology", "paper", "here", "difference", "standard error"],
      ...(several ? ["less centralised, paired", "its standard error"] : []),
      ...["averaged model", "nodes, whole test set (last epoch)", "nodes, own share"],
      ...["train loss", "exact rate", "MB sent per node"],
    ],
    rows: table.rows.map((row) => {
      const all = resultsOf(table, results, row, protocol);
      const mean = (of: (result: RunResult) => number) => estimateOf(all.map(of)).mean;
      const here = estimateOf(accuracies(table, results, row, protocol));
      const paired = besideCentralised(table, results, row, protocol);
      return [
        row.title,
        row.paper,
        round(here.mean),
        round(here.mean - row.paper),
        round(several ? here.error : samplingError(here.mean)),
        ...(several ? [paired === undefined ? null : round(paired.mean), paired ? round(paired.error) : null] : []),
        round(mean((result) => lastMean(table, result, "averagedAccuracy"))),
        round(mean((result) => 100 * atLast(curve(result, "meanAccuracy")))),
        round(mean((result) => lastMean(table, result, "shareAccuracy"))),
        Number(mean((result) => atLast(curve(result, "trainLoss"))).toFixed(4)),
        Number(mean(({ rate }) => rate).toFixed(4)),
        round(mean(({ bytes }) => atLast(bytes)) / 1e6),
      ];
    }),
  };
}

/** Train loss and what is wrong of the test against epochs, means over seeds. */
export function figureOf(
  table: ImageTable,
  results: Results,
  protocol: Protocol,
  { name, title, group }: { readonly name: string; readonly title: string; readonly group?: "static" | "one-peer" },
): Figure {
  const rows = table.rows.filter((row) => group === undefined || row.group === "both" || row.group === group);
  const series = (metric: string, of = (value: number) => value): Series[] =>
    rows.map((row) => {
      const curves = resultsOf(table, results, row, protocol).map((result) => curve(result, metric).map(of));
      const mean = curves[0].map((_, epoch) => curves.reduce((sum, one) => sum + one[epoch], 0) / curves.length);
      const range = (pick: (...values: number[]) => number) => mean.map((_, e) => pick(...curves.map((one) => one[e])));
      return {
        ...{ label: row.title, x: mean.map((_, epoch) => epoch + 1), mean, topology: row.topology.name },
        ...(curves.length === 1 ? {} : { low: range(Math.min), high: range(Math.max) }),
      };
    });
  const panels = [
    { title: "train loss", yLabel: "mean loss", series: series("trainLoss") },
    {
      ...{ title: "test error", yLabel: "percent wrong" },
      series: series(metricOf(protocol), (fraction) => 100 - 100 * fraction),
    },
  ].map((panel): Panel => {
    return { ...panel, xLabel: "epochs", yLog: fillsDecade(panel.series.flatMap(({ mean }) => mean)) };
  });
  const caption =
    protocol === "as-run"
      ? "As the authors ran it. Right: 100 percent less the mean accuracy of the nodes' own models, each on its seventeenth of the test set."
      : "Corrected protocol. Right: 100 percent less the accuracy of the averaged model on the whole test set.";
  return { name, title, caption, panels };
}
