/**
 * The paper's tables of test accuracy with different topologies (Appendix D.3): a network on a data set over 17 nodes, eight
 * topologies, one run of each for every seed. Here is what MNIST and CIFAR-10 have in common: the protocols, the runs, the table with
 * paired differences over seeds, the figures. images.ts has, as data, what differs and what must hold.
 *
 * There are two protocols. as-run: log-softmax over the batch axis (if the authors' code had it), data dealt anew over the
 * nodes every epoch, each node's model tried on its seventeenth of the test set. corrected: softmax over the classes,
 * shares that stay, the averaged model tried on the whole test set.
 */

import { InputError, type RunResult, type RunSpec, type TopologySpec } from "equitopo";
import type { Check, Figure, LearningUnit, Panel, Scale, Series, Table } from "equitopo/internal/outcome";
import { bandOf, mean, type Summary, summaryOf } from "equitopo/internal/outcome";
import { fillsDecade, showCount } from "equitopo/internal/picture";
import type { Against } from "./against.ts";
import type { Choices, Study } from "./study.ts";

const protocols = ["corrected", "as-run"] as const;
type Protocol = (typeof protocols)[number];

/** The study of a data set: what differs from the other one. */
export interface ImageStudy {
  readonly name: "mnist" | "cifar10";
  readonly title: string;
  /** The paper's accuracies by row, in percent. */
  readonly paper: readonly number[];
  /** Of D-/U-EquiStatic. */
  readonly m: number;
  readonly images: number;
  /** Data used at quick scale. */
  readonly some: { readonly images: number; readonly tests: number };
  readonly batch: number;
  readonly epochs: number;
  /** Accuracies are means over so many last epochs. */
  readonly last: number;
  /** One figure for each. */
  readonly groups: readonly ("static" | "one-peer" | undefined)[];
  readonly model: unknown;
  readonly weightDecay?: number;
  /** Whether the authors' code took the softmax over the batch axis. */
  readonly batchSoftmax?: true;
  readonly momentum: number;
  learningRate(protocol: Protocol, epochs: number | undefined): unknown;
  /** A description of the network, and parameters that are not given elsewhere. */
  readonly network: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** In how many of the protocols the train loss must fall within a few epochs. */
  readonly quickProtocols: number;
  notes(seeds: readonly number[]): readonly string[];
  /** Whether enough is chosen for the paper's figures to be reproduced. */
  isWhole(choices: Choices): boolean;
  /** What must hold then. */
  checks(found: Found, choices: Choices): readonly Check[];
  /** Whether figures of another program can be compared, and the paper's with the original images. */
  readonly compares?: true;
}

interface Row {
  readonly title: string;
  readonly paper: number;
  /** Its seed, if it has one, is the run's. */
  readonly topology: TopologySpec;
  readonly algorithm?: string;
  readonly equiTopo?: true;
  readonly group: "both" | "static" | "one-peer";
}

const n = 17;
const quickRows = ["Centralised SGD", "OD-EquiDyn"];

/** The eight rows, with the paper's figures for one of its two data sets. */
function paperRows({ m, paper }: ImageStudy): readonly Row[] {
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

export function imageStudy(study: ImageStudy, choices: Choices = {}): Study {
  const { name, title } = study;
  requireChoices(study, choices);
  const { seeds = [1], protocols: asked = protocols, against } = choices;
  const all = paperRows(study);
  const epochsAt = (scale: Scale) => choices.epochs ?? (scale === "full" ? study.epochs : 2);
  const rowsAt = (scale: Scale) => {
    const wanted = choices.rows ?? (scale === "full" ? undefined : quickRows);
    return all.filter((row) => wanted?.includes(row.title) ?? true);
  };
  const imagesAt = (scale: Scale) => {
    const [all, images, tests] = [study.images, study.some.images, study.some.tests].map(showCount);
    return scale === "full" ? all : `the first ${images}, tests on ${tests}`;
  };
  const keyOf = (row: Row, protocol: Protocol, seed: number) =>
    `${protocol}: ${row.title}${seeds.length === 1 && seed === 1 ? "" : ` seed=${seed}`}`;
  const runOf = (scale: Scale, row: Row, protocol: Protocol, seed: number): RunSpec => {
    const { images } = scale === "full" ? study : study.some;
    const { model, batch, weightDecay, momentum } = study;
    const asRun = protocol === "as-run";
    const rate = study.learningRate(protocol, choices.epochs);
    const epoch = Math.ceil(Math.ceil(images / n) / batch);
    return {
      algorithm: { name: row.algorithm ?? "dmsgd", momentum, learningRate: rate as number },
      problem: {
        ...{ name: "classification", n, data: name, model, batch },
        ...(weightDecay === undefined ? {} : { weightDecay }),
        seed,
        ...(study.batchSoftmax ? { softmax: asRun ? "batch" : "classes" } : {}),
        split: asRun ? "dealt" : "iid",
        // All models on all test images cost as much as an epoch: only at the end.
        try: "share",
        ...(scale === "full" ? {} : study.some),
      },
      ...{ rounds: epochsAt(scale) * epoch, every: epoch, evaluate: epoch, type: "float32" },
      label: keyOf(row, protocol, seed),
      topology: row.equiTopo === true ? { ...row.topology, seed } : row.topology,
      seed,
    };
  };
  return {
    name,
    title: `${title} on 17 nodes`,
    paper: `Section 6, deep learning; Appendix D.3, ${title}`,
    shows: "EquiTopo graphs reach the train loss and the test accuracy of centralised SGD.",
    needs: name,
    rows: all.map((row) => row.title),
    choose: (chosen) => imageStudy(study, chosen),
    parameters: (scale) => ({
      network: study.network,
      n: String(n),
      "local batch": String(study.batch),
      momentum: `${study.momentum}, local`,
      ...study.parameters,
      epochs: String(epochsAt(scale)),
      images: imagesAt(scale),
      [seeds.length === 1 ? "seed" : "seeds"]: seeds.join(", "),
      protocols: asked.join(", "),
    }),
    units: (scale) =>
      asked.flatMap((protocol) =>
        seeds.flatMap((seed) =>
          rowsAt(scale).map((row): LearningUnit => {
            return { kind: "learning", key: keyOf(row, protocol, seed), run: runOf(scale, row, protocol, seed) };
          }),
        ),
      ),
    outcome(results, scale) {
      const runsOf = (protocol: Protocol) => (row: Row) =>
        seeds.map((seed) => results.get(keyOf(row, protocol, seed)) as RunResult);
      const found = asked.map((protocol) => foundOf(protocol, rowsAt(scale), study.last, runsOf(protocol)));
      const whole = scale === "full" && study.isWhole(choices);
      return {
        figures: found.flatMap((one) => study.groups.map((group) => figureOf(study, one, group))),
        tables: found.map(tableOf),
        checks: [
          ...(whole
            ? found.flatMap((one) => study.checks(one, choices))
            : found.slice(0, study.quickProtocols).flatMap(quickChecks)),
          ...(against === undefined ? [] : found.flatMap((one) => againstCheck(one, against))),
        ],
        notes: study.notes(seeds),
      };
    },
  };
}

/** Refuses choices that the study does not have, and another program's figures at another number of epochs. */
function requireChoices(study: ImageStudy, { epochs = study.epochs, against, original }: Choices): void {
  const [stray] = study.compares
    ? []
    : Object.entries({ against, original }).filter(([, value]) => value !== undefined);
  if (stray !== undefined) throw new InputError(`--${stray[0]} is for cifar10`, study.name, "leave it out");
  if (against === undefined || against.epochs === epochs) return;
  const remedy = `try --epochs ${against.epochs}`;
  throw new InputError(`--against must hold figures of as many epochs, ${epochs}`, against.epochs, remedy);
}

/** Results of one protocol, `runs` being those of a row by seed. Accuracies are in percent, means over the last epochs. */
function foundOf(protocol: Protocol, rows: readonly Row[], last: number, runs: (row: Row) => RunResult[]) {
  const metric = protocol === "as-run" ? "shareAccuracy" : "averagedAccuracy";
  const central = rows.find(({ algorithm }) => algorithm === "centralised");
  const accuracies = (row: Row, of = metric) => runs(row).map((run) => 100 * mean(curve(run, of).slice(-last)));
  /** The accuracy less that of centralised SGD, paired by seed; undefined if that was not run. */
  const paired = (row: Row): Summary | undefined => {
    if (central === undefined) return undefined;
    const beside = accuracies(central);
    return summaryOf(accuracies(row).map((value, k) => value - beside[k]));
  };
  const accuracy = (row: Row) => summaryOf(accuracies(row));
  return { protocol, rows, last, runs, metric, central, accuracies, accuracy, paired };
}

export type Found = ReturnType<typeof foundOf>;

/** After a few epochs: whether it learns at all. */
function quickChecks({ protocol, rows, runs }: Found): Check[] {
  return rows.map((row) => {
    const losses = curve(runs(row)[0], "trainLoss");
    const [first, last] = [losses[0], atLast(losses)];
    return {
      name: `${protocol}: the train loss of ${row.title} falls`,
      expected: `below ${first.toFixed(3)}`,
      measured: last.toFixed(3),
      pass: last < first,
    };
  });
}

/** Whether centralised SGD equals the other program's, by the averaged model and within the spread of seeds. */
function againstCheck(found: Found, { what, accuracies }: Against): Check[] {
  const { protocol, central } = found;
  if (central === undefined || protocol !== "corrected") return [];
  const here = found.accuracies(central);
  const [ours, theirs] = [summaryOf(here), summaryOf(accuracies)];
  const squares = ({ sd }: Summary, seeds: number) => (sd ?? 0) ** 2 * (seeds - 1);
  const freedom = here.length + accuracies.length - 2;
  const deviation = Math.sqrt((squares(ours, here.length) + squares(theirs, accuracies.length)) / freedom);
  return [
    {
      name: `${protocol}: Centralised SGD equals the other program's (${what}, ${accuracies.length} seeds)`,
      expected: `${show(theirs)}, within ${(2 * deviation).toFixed(2)}, two deviations of a seed`,
      measured: show(ours),
      pass: Math.abs(ours.mean - theirs.mean) <= 2 * deviation,
    },
  ];
}

const curve = (result: RunResult, metric: string): readonly number[] => result.evaluations?.metrics[metric] ?? [];

const atLast = (values: readonly number[]) => values.at(-1) ?? Number.NaN;

export const show = ({ mean: centre, se }: Summary) =>
  se === null ? centre.toFixed(2) : `${centre.toFixed(2)} ± ${se.toFixed(2)}`;

function tableOf(found: Found): Table {
  const round = (value: number) => Number(value.toFixed(2));
  const { protocol, last, rows } = found;
  const seeds = found.runs(rows[0]).length;
  const several = seeds > 1;
  return {
    name: protocol,
    title: `Test accuracy in percent, mean over the last ${last} epochs${several ? ` and ${seeds} seeds` : ""}: ${protocol}`,
    columns: [
      ...["topology", "paper", "here", "difference", "standard error"],
      ...(several ? ["less centralised, paired", "its standard error"] : []),
      ...["averaged model", "nodes, whole test set (last epoch)", "nodes, own share"],
      ...["train loss", "exact rate", "MB sent per node"],
    ],
    rows: rows.map((row) => {
      const meanOf = (of: (result: RunResult) => number) => mean(found.runs(row).map(of));
      const here = found.accuracy(row);
      const paired = found.paired(row);
      return [
        row.title,
        row.paper,
        round(here.mean),
        round(here.mean - row.paper),
        // Of one seed, that of an accuracy over 10,000 test images.
        round(here.se ?? Math.sqrt((here.mean * (100 - here.mean)) / 10_000)),
        ...(several ? [paired ? round(paired.mean) : null, paired?.se ? round(paired.se) : null] : []),
        round(mean(found.accuracies(row, "averagedAccuracy"))),
        round(meanOf((result) => 100 * atLast(curve(result, "meanAccuracy")))),
        round(mean(found.accuracies(row, "shareAccuracy"))),
        Number(meanOf((result) => atLast(curve(result, "trainLoss"))).toFixed(4)),
        Number(meanOf(({ rate }) => rate).toFixed(4)),
        round(meanOf(({ bytes }) => atLast(bytes)) / 1e6),
      ];
    }),
  };
}

/** Train loss and test error against epochs, means over seeds. */
function figureOf(study: ImageStudy, found: Found, group: ImageStudy["groups"][number]): Figure {
  const { protocol } = found;
  const rows = found.rows.filter((row) => group === undefined || row.group === "both" || row.group === group);
  const panel = (title: string, yLabel: string, metric: string, of = (value: number) => value): Panel => {
    const series = rows.map((row): Series => {
      const curves = found.runs(row).map((result) => curve(result, metric).map(of));
      const { low, high, x: epochs, ...band } = bandOf(row.title, curves);
      const range = curves.length > 1 && low && high ? { low, high } : {};
      return { ...band, x: epochs.map((epoch) => epoch + 1), topology: row.topology.name, ...range };
    });
    return { title, yLabel, series, xLabel: "epochs", yLog: fillsDecade(series.flatMap((one) => one.mean)) };
  };
  return {
    name: [study.name, protocol, ...(group === undefined ? [] : [group])].join("-"),
    title: `${study.title} on 17 nodes${group === undefined ? "" : `, ${group}`}: ${protocol}`,
    caption:
      protocol === "as-run"
        ? "As the authors ran it. Right: 100 percent less the mean accuracy of the nodes' own models, each on its seventeenth of the test set."
        : "Corrected protocol. Right: 100 percent less the accuracy of the averaged model on the whole test set.",
    panels: [
      panel("train loss", "mean loss", "trainLoss"),
      panel("test error", "percent wrong", found.metric, (fraction) => 100 - 100 * fraction),
    ],
  };
}
