/** `equitopo train`: a neural network on n nodes, each with its own share of the images. The short way to write a spec. */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { specExperiment } from "@equitopo/experiments";
import { chooseSplit, dataSets, decodeModel, labelCounts, models, openData, splitData } from "@equitopo/nn";
import { type Command, Option } from "commander";
import { expandSpec, InputError, type RunResult, type RunSpec, type SpecDocument } from "equitopo";
import { nearest } from "equitopo/input";
import { stringify } from "yaml";
import { integerOption, numberOption } from "../arguments.ts";
import { svgToPng } from "../figure/png.ts";
import { goesOn, untilInterrupted } from "../interrupt.ts";
import { showBytes } from "../numbers.ts";
import { jsonText, note, print } from "../output.ts";
import { csv, type Row } from "../report/run-folder.ts";
import { contextOf, dataVariable, watched } from "../run/context.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { deviceHelp, deviceOption, gpuEngine, precisionOption, requireDevice, requireGpuUnits } from "../run/gpu.ts";
import { runExperiments } from "../run/run-experiments.ts";
import { sayCost } from "../run/say-cost.ts";
import type { CommonOptions, Session } from "../session.ts";
import { tellNotes } from "../topology-notes.ts";
import { addTopologyOptions } from "../topology-options.ts";
import { documentOf, type TrainOptions } from "../train/document.ts";
import { historyOf, resultOf, type TrainingOutcome, trainingFigure } from "../train/history.ts";
import { sharesPicture } from "../train/shares-picture.ts";

interface Options extends TrainOptions, CommonOptions {
  readonly data?: string;
  readonly workers?: number;
  readonly out?: string;
  readonly resume?: true;
  readonly spec?: true;
  readonly device?: string;
}

export function define(command: Command, session: Session): void {
  command.argument("<data>", dataSets.names.join(", "));
  addTopologyOptions(command)
    .option("--data <DIR>", `folder of the data set's files (or the environment variable ${dataVariable})`)
    .option("--nodes <N>", "replicas, default 17 (the same as --n)", integerOption("nodes", 1, 17))
    .option("--topology <NAME>", "a name of `equitopo list`, default od-equidyn")
    .option("--algorithm <NAME>", "dmsgd (default), dsgd, dsgt, centralised, ...")
    .option("--momentum <B>", "momentum, default the paper's", numberOption("momentum", 0.5))
    .option("--learning-rate <G>", "constant; default the paper's (mnist: 0.01 n)", numberOption("learning-rate", 0.1))
    .option("--weight-decay <D>", "default the paper's", numberOption("weight-decay", 1e-4))
    .option("--epochs <E>", "passes over the data in all, default the paper's", integerOption("epochs", 1, 20))
    .option("--batch <B>", "images a node sees in a step, default the paper's", integerOption("batch", 1, 64))
    .addOption(new Option("--model <NAME>", "default the data set's").choices(models.names))
    .option("--dropout <P>", "of mnist-cnn, default 0.5; 0 for none", numberOption("dropout", 0.5))
    .option("--from <FILE>", "start from a saved model.safetensors")
    .addOption(
      new Option(
        "--protocol <P>",
        "corrected (default): softmax over classes, shares stay; as-run: as in the paper",
      ).choices(["corrected", "as-run"]),
    )
    .option("--split <S>", "who holds what: iid (default), shards, dirichlet")
    .option("--alpha <A>", "of --split dirichlet, default 0.5: small is uneven", numberOption("alpha", 0.5))
    .option("--shards <K>", "of --split shards: label shards per node, default 2", integerOption("shards", 1, 2))
    .option("--images <K>", "train on the first K images only", integerOption("images", 1, 6000))
    .option("--tests <K>", "test on the first K images only", integerOption("tests", 1, 1000))
    .addOption(
      new Option(
        "--evaluate <WHAT>",
        "each epoch: averaged model and every node's on all test images (all, default)," +
          " on its share of them (share), or the averaged model only",
      ).choices(["all", "share", "averaged"]),
    )
    .option(
      "--workers <W>",
      "threads (default: one per core); results do not depend on it",
      integerOption("workers", 1, 2),
    )
    .option(deviceOption, deviceHelp)
    .addOption(precisionOption())
    .option("--out <DIR>", "folder for checkpoint, model, history and figures (default: a new one in runs/)")
    .option("--resume", "go on with the run in --out, bit for bit; --epochs may be raised")
    .option("--spec", "print the spec of this run as YAML, for `equitopo run`, and do nothing else")
    .addHelpText(
      "after",
      `
The folder gets what every run's does (spec.json, result.json, report.html, checkpoints now and then and on Ctrl-C), and
model.safetensors (the averaged model), history.csv, training.svg, and shares.svg for splits other than iid.
consensus distance: sqrt(mean of ||x_i - mean||^2).

Your own data (train own --data DIR): DIR has train.csv and test.csv, an example a line, its numbers and then its label,
separated by commas, without quotes; a first line of names is passed over. Labels are 0, 1, 2, ... or words, which are
numbered by the training file in alphabetical order. Or NumPy arrays: train-images.npy (examples first), train-labels.npy,
test-images.npy, test-labels.npy. A column elsewhere, or a file for each node, is said in a spec: equitopo guide training.

Examples:
  equitopo train synthetic --nodes 8 --epochs 3
  equitopo train mnist --data DIR --topology od-equidyn --eta 0.53 --out runs/od
  equitopo train mnist --data DIR --topology ring --protocol as-run
  equitopo train mnist --data DIR --split dirichlet --alpha 0.1 --algorithm dsgt --learning-rate 0.05
  equitopo train cifar10 --data DIR --topology u-equistatic --m 5
  equitopo train own --data DIR --model softmax-regression --learning-rate 0.1
  equitopo train cifar10 --data DIR --device gpu --precision mixed
  equitopo train mnist --spec > mnist.yaml && equitopo run mnist.yaml --data DIR --transport tcp --peers 17
`,
    )
    .action(async (name: string, options: Options) => {
      const document = documentOf(datasetOf(name), options);
      if (options.spec) {
        await print([stringify(document)]);
        return;
      }
      if (!(await train(name, document, options))) session.exitCode = 1;
    });
}

/** Trains, tells, and answers whether the losses stayed numbers. */
async function train(dataset: string, document: SpecDocument, options: Options): Promise<boolean> {
  const { context, sums } = watched(contextOf(options));
  const runs = expandSpec(document, context); // refuses what is wrong before any folder is made
  const [run] = runs;
  const { device } = options;
  requireDevice(runs, device);
  tellNotes(runs, options);
  if (device !== undefined) await requireGpuUnits([{ kind: "learning", key: run.label, run }], device, options);
  const out = outFolder(options, `train-${dataset}`);
  if (device === undefined && !options.resume) sayCost(runs, context, options);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const times = new Map<number, number>();
  const teller = tellerOf(document, run, options);
  let outcome: TrainingOutcome | undefined;
  const title = document.title as string;
  const experiment = specExperiment({
    ...{ name: "train", title, paper: "Your own run", shows: "", runs: () => runs },
  });
  await untilInterrupted(
    (signal) =>
      runExperiments([experiment], {
        ...{ scale: "full", out, signal, lead: "A network trained by equitopo." },
        ...options,
        workers: options.workers ?? availableParallelism(),
        ...(device === undefined ? {} : { engine: gpuEngine(device) }),
        ...(Object.keys(sums).length === 0 ? {} : { mark: { data: { ...sums } } }),
        onEvaluation(_unit, updates, metrics) {
          times.set(updates, seconds());
          teller(updates, metrics, seconds());
        },
        async extraFiles({ results }) {
          const [result] = [...results.values()] as RunResult[];
          const { model } = decodeModel(readFileSync(join(out, "model.safetensors")), "model.safetensors");
          outcome = {
            ...{ dataset, document, out, seconds: seconds(), history: historyOf(result, times) },
            ...{ model: model.name, parameters: model.parameterCount, stateHash: result.stateHash },
            ...(result.device === undefined ? {} : { device: result.device }),
          };
          const figures = { training: trainingFigure(title, outcome.history), ...sharesFigure(run, context) };
          return {
            "result.json": jsonText(resultOf(outcome)),
            "history.csv": csv(outcome.history.map((one): Row => ({ ...one }))),
            ...Object.fromEntries(
              await Promise.all(
                Object.entries(figures).flatMap(([figure, svg]) => [
                  Promise.resolve([`${figure}.svg`, svg] as const),
                  svgToPng(svg).then((png) => [`${figure}.png`, png] as const),
                ]),
              ),
            ),
          };
        },
      }),
    goesOn(out),
  );
  const text = options.json ? jsonText(resultOf(outcome as TrainingOutcome)) : asText(outcome as TrainingOutcome);
  await print([text]);
  const lost = outcome?.history.find(({ trainLoss }) => !Number.isFinite(trainLoss));
  if (lost !== undefined) note(`\ndiverged in epoch ${lost.epoch}; try a smaller --learning-rate`, options);
  if (!options.json) note(`\nfolder: ${out}`, options);
  return lost === undefined;
}

function datasetOf(name: string): string {
  if (dataSets.has(name)) return name;
  const near = nearest(name, dataSets.names);
  const remedy = near === undefined ? "try synthetic, which needs no files" : `did you mean ${near}?`;
  throw new InputError(`the data set must be one of ${dataSets.names.join(", ")}`, name, remedy);
}

/** Who holds what, where that is uneven. */
function sharesFigure({ problem, seed }: RunSpec, { files }: ReturnType<typeof contextOf>): Record<string, string> {
  const { n, data, split, images } = problem as RunSpec["problem"] & {
    readonly data: string;
    readonly split: string | { readonly name: string; readonly alpha?: number; readonly shards?: number };
    readonly images?: number;
  };
  const { member } = chooseSplit(split);
  if (member.name === "iid" || member.shares === undefined) return {};
  const opened = openData(data, {
    seed,
    ...(images === undefined ? {} : { images }),
    ...(files === undefined ? {} : { files }),
  });
  if (opened.own !== undefined) return {};
  const labels = opened.labels();
  const counts = labelCounts(labels, splitData(labels, n, split, seed), opened.classes);
  const name = typeof split === "string" ? split : Object.values(split).join(" ");
  return { shares: sharesPicture(`Who holds what: ${name}`, counts) };
}

function asText({ document, history, stateHash, seconds }: TrainingOutcome): string {
  const record = history[history.length - 1];
  const lines = [
    ["averaged model", `${percent(record.averagedAccuracy)} of the test images right`],
    ["nodes' own models", `${percent(record.meanAccuracy)} on average, ${percent(record.worstAccuracy)} at worst`],
    ["train loss", record.trainLoss.toFixed(4)],
    ["consensus distance", record.consensusDistance.toPrecision(4)],
    ["sent per node", showBytes(record.bytesPerNode)],
    ["time taken", `${seconds.toFixed(1)} s`],
    ["state", stateHash.slice(0, 12)],
  ];
  const epochs = history.length === 1 ? "1 epoch" : `${history.length} epochs`;
  return `\n${document.title}, ${epochs}\n\n${lines.map(([name, value]) => `  ${name.padEnd(20)}${value}\n`).join("")}`;
}

const percent = (fraction: number | null | undefined) =>
  fraction === null || fraction === undefined || Number.isNaN(fraction) ? "-" : `${(100 * fraction).toFixed(2)}%`;

/** A line per epoch, on stderr. */
function tellerOf({ epochs = 0 }: SpecDocument, { evaluate = 1, problem }: RunSpec, options: Options) {
  let first: { readonly updates: number; readonly seconds: number } | undefined;
  const perUpdate = problem.n * Number(problem["batch"]);
  return (updates: number, metrics: Readonly<Record<string, number>>, seconds: number) => {
    const pace = first === undefined ? seconds / updates : (seconds - first.seconds) / (updates - first.updates);
    first ??= { updates, seconds };
    const { trainLoss, averagedAccuracy, meanAccuracy, shareAccuracy } = metrics;
    const nodes = Number.isNaN(meanAccuracy) ? shareAccuracy : meanAccuracy;
    const left = duration(pace * (epochs * evaluate - updates));
    note(
      `epoch ${Math.ceil(updates / evaluate)}/${epochs}: loss ${trainLoss.toFixed(4)}, averaged ${percent(averagedAccuracy)}, nodes ${percent(nodes)}, ${(perUpdate / pace).toFixed(0)} images/s with evaluation, ${left} left`,
      options,
    );
  };
}

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "an unknown time";
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
