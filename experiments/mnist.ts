/**
 * Table "test accuracy with different topologies" and Figure "MNIST" (Appendix D.3): the two-layer CNN on MNIST over 17
 * nodes, local batch 64, momentum 0.5, 20 epochs, the learning rate 0.01 x 17 that the authors' code makes of 0.01;
 * accuracy is the mean over the last three epochs. D-/U-EquiStatic with M = 4, OD-/OU-EquiDyn with all 16 basis indices
 * and eta = 0.53.
 *
 * In two protocols. as-run: log-softmax over the batch axis, data dealt anew over the nodes every epoch, each node's
 * model tried on its seventeenth of the test set. corrected: softmax over the classes, shares that stay.
 */

import type { RunResult, TopologySpec } from "equitopo";
import type { Check, Experiment, Figure, Panel, Results, Scale, Series, Table } from "./experiment.ts";
import type { LearningUnit } from "./unit.ts";

const n = 17;
const seed = 1;
const protocols = ["corrected", "as-run"] as const;
type Protocol = (typeof protocols)[number];

interface Row {
  readonly title: string;
  /** Percent, from the paper's table. */
  readonly paper: number;
  readonly topology: TopologySpec;
  readonly algorithm?: string;
  /** One of the paper's own graphs. */
  readonly equiTopo?: true;
  readonly quick?: true;
}

const rows: readonly Row[] = [
  {
    title: "Centralised SGD",
    paper: 98.34,
    topology: { name: "complete", n },
    algorithm: "centralised",
    quick: true,
  },
  { title: "Ring", paper: 98.32, topology: { name: "ring", n } },
  { title: "Static Exp.", paper: 98.31, topology: { name: "static-exp", n } },
  { title: "O.-P. Exp.", paper: 98.17, topology: { name: "one-peer-exp", n } },
  { title: "D-EquiStatic", paper: 98.29, topology: { name: "d-equistatic", n, m: 4, seed }, equiTopo: true },
  { title: "U-EquiStatic", paper: 98.26, topology: { name: "u-equistatic", n, m: 4, seed }, equiTopo: true },
  {
    title: "OD-EquiDyn",
    paper: 98.39,
    topology: { name: "od-equidyn", n, eta: 0.53, seed },
    equiTopo: true,
    quick: true,
  },
  { title: "OU-EquiDyn", paper: 98.12, topology: { name: "ou-equidyn", n, eta: 0.53, seed }, equiTopo: true },
];

const LAST = 3;

const rowsOf = (scale: Scale) => rows.filter((row) => scale === "full" || row.quick);
const keyOf = (row: Row, protocol: Protocol) => `${protocol}: ${row.title}`;

const [batch, tenth] = [64, { images: 6000, tests: 2000 }];

function unitOf(row: Row, protocol: Protocol, scale: Scale): LearningUnit {
  const images = scale === "full" ? 60_000 : tenth.images;
  const epoch = Math.ceil(Math.ceil(images / n) / batch);
  return {
    kind: "learning",
    key: keyOf(row, protocol),
    run: {
      label: keyOf(row, protocol),
      topology: row.topology,
      algorithm: { name: row.algorithm ?? "dmsgd", momentum: 0.5, learningRate: 0.17 },
      problem: {
        ...{ name: "classification", n, data: "mnist", model: { name: "mnist-cnn", dropout: 0.5 }, batch, seed },
        softmax: protocol === "as-run" ? "batch" : "classes",
        split: protocol === "as-run" ? "dealt" : "iid",
        // All models on all test images cost as much as an epoch: only at the end.
        try: "share",
        ...(scale === "full" ? {} : tenth),
      },
      ...{ rounds: (scale === "full" ? 20 : 2) * epoch, seed, every: epoch, evaluate: epoch, type: "float32" },
    },
  };
}

/** What an evaluation found, epoch by epoch. */
function curve(result: RunResult, metric: string): readonly number[] {
  return result.evaluations?.metrics[metric] ?? [];
}

const atLast = (values: readonly number[]) => values[values.length - 1] ?? Number.NaN;

/** Percent: the mean over the last epochs. */
function lastMean(result: RunResult, metric: string): number {
  const last = curve(result, metric).slice(-LAST);
  return (100 * last.reduce((sum, value) => sum + value, 0)) / last.length;
}

const averaged = (result: RunResult) => lastMean(result, "averagedAccuracy");
const share = (result: RunResult) => lastMean(result, "shareAccuracy");
/** Percent after the last epoch: the nodes' models are all tried on all images only there. */
const nodes = (result: RunResult) => 100 * atLast(curve(result, "meanAccuracy"));

/** What the protocol calls the test accuracy. */
const accuracyOf = (protocol: Protocol) => (protocol === "as-run" ? share : averaged);

/** Of an accuracy in percent over 10,000 test images. */
const standardError = (percent: number) => Math.sqrt((percent * (100 - percent)) / 10_000);

export const mnist: Experiment = {
  name: "mnist",
  title: "MNIST on 17 nodes",
  paper: "Section 6, deep learning; Appendix D.3, MNIST",
  shows: "EquiTopo graphs reach the train loss and the test accuracy of centralised SGD.",
  needs: "mnist",
  parameters: (scale) => ({
    network: "two convolutions, two dense layers, 21,840 parameters, dropout 0.5",
    n: "17",
    "local batch": "64",
    momentum: "0.5, local",
    "learning rate": "0.17 = 0.01 x 17, constant",
    epochs: scale === "full" ? "20" : "2",
    images: scale === "full" ? "60,000" : "the first 6,000, tests on 2,000",
    seed: String(seed),
    protocols: "corrected, as-run",
  }),
  units: (scale) => protocols.flatMap((protocol) => rowsOf(scale).map((row) => unitOf(row, protocol, scale))),
  outcome: (results, scale) => ({
    figures: protocols.map((protocol) => figureOf(results, protocol, scale)),
    tables: protocols.map((protocol) => tableOf(results, protocol, scale)),
    checks: scale === "full" ? protocols.flatMap((p) => fullChecks(results, p)) : quickChecks(results),
    notes,
  }),
};

const notes = [
  "as-run is what the authors' code did: the log-softmax runs over the batch axis by mistake, the data is dealt anew over the nodes in every epoch, and the accuracy is the mean over nodes of each node's own model on its seventeenth of the test set. corrected takes the softmax over the classes and lets the shares stay; its accuracy is that of the averaged model on the whole test set.",
  "One seed. The standard error is that of an accuracy measured on 10,000 images; it does not hold the spread between seeds, nor the error of the paper's own figures, which are not given.",
];

const resultOf = (results: Results, row: Row, protocol: Protocol) => results.get(keyOf(row, protocol)) as RunResult;

function tableOf(results: Results, protocol: Protocol, scale: Scale): Table {
  const round = (value: number) => Number(value.toFixed(2));
  return {
    name: protocol,
    title: `Test accuracy in percent, mean over the last ${LAST} epochs: ${protocol}`,
    columns: [
      "topology",
      "paper",
      "here",
      "difference",
      "standard error",
      "averaged model",
      "nodes, whole test set (last epoch)",
      "nodes, own share",
      "train loss",
      "exact rate",
      "MB sent per node",
    ],
    rows: rowsOf(scale).map((row) => {
      const result = resultOf(results, row, protocol);
      const here = accuracyOf(protocol)(result);
      return [
        row.title,
        row.paper,
        round(here),
        round(here - row.paper),
        round(standardError(here)),
        round(averaged(result)),
        round(nodes(result)),
        round(share(result)),
        Number(atLast(curve(result, "trainLoss")).toFixed(4)),
        Number(result.rate.toFixed(4)),
        round(atLast(result.bytes) / 1e6),
      ];
    }),
  };
}

function figureOf(results: Results, protocol: Protocol, scale: Scale): Figure {
  const series = (metric: string, of = (value: number) => value): Series[] =>
    rowsOf(scale).map((row) => {
      const mean = curve(resultOf(results, row, protocol), metric).map(of);
      return { label: row.title, x: mean.map((_, epoch) => epoch + 1), mean, topology: row.topology.name };
    });
  const accuracy = protocol === "as-run" ? "shareAccuracy" : "averagedAccuracy";
  const panels: Panel[] = [
    { title: "train loss", yLabel: "mean loss", yLog: true, series: series("trainLoss") },
    {
      title: "test error",
      yLabel: "percent wrong",
      yLog: true,
      series: series(accuracy, (fraction) => 100 - 100 * fraction),
    },
  ].map((panel) => ({ ...panel, xLabel: "epochs" }));
  return {
    name: `mnist-${protocol}`,
    title: `MNIST on 17 nodes: ${protocol}`,
    caption:
      protocol === "as-run"
        ? "As the authors ran it. Right: 100 percent less the mean accuracy of the nodes' own models, each on its seventeenth of the test set."
        : "Corrected protocol. Right: 100 percent less the accuracy of the averaged model on the whole test set.",
    panels,
  };
}

function fullChecks(results: Results, protocol: Protocol): Check[] {
  const accuracy = (row: Row) => accuracyOf(protocol)(resultOf(results, row, protocol));
  if (protocol === "as-run") {
    return rows.map((row) => {
      const difference = accuracy(row) - row.paper;
      return {
        name: `as-run: ${row.title} has the paper's accuracy`,
        expected: `${row.paper} ± 0.3`,
        measured: accuracy(row).toFixed(2),
        pass: Math.abs(difference) <= 0.3,
      };
    });
  }
  const central = accuracy(rows[0]);
  return [
    ...rows.map((row) => ({
      name: `corrected: ${row.title} has at least the paper's accuracy`,
      expected: `at least ${row.paper}`,
      measured: accuracy(row).toFixed(2),
      pass: accuracy(row) >= row.paper,
    })),
    ...rows
      .filter((row) => row.equiTopo)
      .map((row) => ({
        name: `corrected: ${row.title} is as good as centralised SGD`,
        expected: `within 0.15 of ${central.toFixed(2)}`,
        measured: accuracy(row).toFixed(2),
        pass: Math.abs(accuracy(row) - central) <= 0.15,
      })),
  ];
}

/** Two epochs of a tenth of the images: that it learns at all. */
function quickChecks(results: Results): Check[] {
  return rowsOf("quick").map((row) => {
    const losses = curve(resultOf(results, row, "corrected"), "trainLoss");
    const [first, last] = [losses[0], atLast(losses)];
    return {
      name: `corrected: the train loss of ${row.title} falls`,
      expected: `below ${first.toFixed(3)}`,
      measured: last.toFixed(3),
      pass: last < first,
    };
  });
}
