/** `equitopo train`: a neural network on n nodes, each with its own share of the images. The short way to write a spec. */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chooseSplit, dataSets, decodeModel, labelCounts, openData, splitData, texts } from "@equitopo/nn/internal";
import type { Command } from "commander";
import { expandSpec, InputError, type RunResult, type RunSpec, type SpecDocument } from "equitopo";
import { defined, nearest } from "equitopo/internal/input";
import { specExperiment } from "equitopo/outcome";
import { stringify } from "yaml";
import { inEveryFormat } from "../../figure/files.ts";
import { wholeFigure } from "../../figure/whole.ts";
import { outFolder } from "../../folder/fresh-folder.ts";
import { plugins } from "../../input/plugins.ts";
import { contextOf, watched } from "../../run/context.ts";
import { sayRunCost } from "../../run/cost.ts";
import { requireDriver } from "../../run/driver.ts";
import { gpuEngine, requireGpuUnits } from "../../run/gpu.ts";
import { runToFolder } from "../../run/run-experiments.ts";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../../terminal/answer.ts";
import { csv, type Row } from "../../terminal/csv-text.ts";
import { addFlags, type CommonOptions } from "../../terminal/flags.ts";
import { showBytes } from "../../terminal/numbers.ts";
import { jsonText, note, print } from "../../terminal/output.ts";
import { showDuration } from "../../terminal/progress.ts";
import { type Cell, numberCell, valueTable } from "../../terminal/table.ts";
import { tellNotes } from "../../topology/notes.ts";
import { addTopologyOptions } from "../../topology/options.ts";
import { documentOf, flags } from "./document.ts";
import { divergedIn, historyOf, resultOf, type TrainingOutcome, trainingFigure } from "./history.ts";
import { sharesPicture } from "./shares-picture.ts";
import { trainText } from "./text.ts";
import { ofTexts, refuseFlags, type TextOptions, textFlags } from "./text-document.ts";

interface Options extends TextOptions, CommonOptions, FormatOptions {}

/** What it can be trained on; gpt is another name of text. */
const names = () => [...dataSets.names, ...texts.names, "gpt"];

export const define = (command: Command) =>
  addFlags(addTopologyOptions(command.argument("<data>", names().join(", "))), {
    ...{ ...flags, ...textFlags },
    ...formatFlag,
  });

export const first = names;

export const help = `
The folder gets what every run's does (spec.json, result.json, report.html, checkpoints now and then and on Ctrl-C), and
model.safetensors (the averaged model), history.csv, training.svg, and shares.svg for splits other than iid.
consensus distance: sqrt(mean of ||x_i - mean||^2).

A language model (train text --data FILE|DIR): a small GPT on any text, its losses in nats a token on the last tenth of it, and
now and then a sample of what it writes; equitopo generate writes more. See equitopo guide language.

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
  equitopo train text --data book.txt --nodes 4
  equitopo train sotu --data DIR --nodes 8 --split by-file --updates 1000
  equitopo train own --data DIR --model softmax-regression --learning-rate 0.1
  equitopo train cifar10 --data DIR --device gpu --precision mixed
  equitopo train mnist --spec > mnist.yaml && equitopo run mnist.yaml --data DIR --transport tcp --peers 17
`;

export async function act(name: string, options: Options): Promise<number> {
  if (name === "gpt" || texts.has(name)) return trainText(name === "gpt" ? "text" : name, options);
  refuseFlags(options, ofTexts, "a text, not to images");
  const document = documentOf(datasetOf(name), options);
  if (options.spec) await print([stringify(document)]);
  return options.spec || (await train(name, document, options)) ? 0 : 1;
}

/** Trains and prints the results; false if the run diverged. */
async function train(dataset: string, document: SpecDocument, options: Options): Promise<boolean> {
  const { context, sums } = watched(contextOf(options));
  const runs = expandSpec(document, context); // refuses what is wrong before any folder is made
  const [run] = runs;
  const { device } = options;
  requireDriver(runs, options);
  tellNotes(runs, options);
  if (device !== undefined) await requireGpuUnits([{ kind: "learning", key: run.label, run }], device, options);
  const out = outFolder(options, `train-${dataset}`);
  if (device === undefined && !options.resume) sayRunCost(runs, options);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const times = new Map<number, number>();
  const teller = tellerOf(document, run, options);
  let outcome: TrainingOutcome | undefined;
  const title = document.title as string;
  const experiment = specExperiment({ name: "train", title, runs: () => runs, plugins: plugins() });
  await runToFolder([experiment], {
    ...{ scale: "full", out, lead: "A network trained by equitopo." },
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
      const history = historyOf(result, times);
      outcome = {
        ...{ dataset, document, out, history, seconds: seconds() },
        ...{ model: model.name, parameters: model.parameterCount, stateHash: result.stateHash },
        ...defined({ diverged: divergedIn(result, history), device: result.device }),
      };
      const training = wholeFigure(trainingFigure(title, outcome.history), options);
      const figures = { training, ...sharesFigure(run, context) };
      const files: Record<string, string | Uint8Array> = {
        "result.json": jsonText(resultOf(outcome)),
        "history.csv": csv(outcome.history.map((one): Row => ({ ...one }))),
      };
      for (const [figure, svg] of Object.entries(figures)) {
        for (const [ending, bytes] of await inEveryFormat(svg)) files[figure + ending] = bytes;
      }
      return files;
    },
  });
  await printAnswer(resultOf(outcome as TrainingOutcome), () => asParts(outcome as TrainingOutcome), options);
  const diverged = outcome?.diverged;
  if (diverged !== undefined) note(`\ndiverged in epoch ${diverged + 1}; try a smaller --learning-rate`, options);
  if (!options.json) note(`\nfolder: ${out}`, options);
  return diverged === undefined;
}

function datasetOf(name: string): string {
  if (dataSets.has(name)) return name;
  const near = nearest(name, names());
  const remedy = near === undefined ? "try synthetic, which needs no files" : `did you mean ${near}?`;
  throw new InputError(`the data set must be one of ${names().join(", ")}`, name, remedy);
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
  const opened = openData(data, { seed, ...defined({ images, files }) });
  if (opened.own !== undefined) return {};
  const labels = opened.labels();
  const counts = labelCounts(labels, splitData(labels, n, split, seed), opened.classes);
  const name = typeof split === "string" ? split : Object.values(split).join(" ");
  return { shares: sharesPicture(`Who holds what: ${name}`, counts) };
}

function asParts({ document, history, stateHash, seconds }: TrainingOutcome): Part[] {
  const record = history[history.length - 1];
  const lines: [string, Cell, string][] = [
    ["averaged model", `${percent(record.averagedAccuracy)} of the test images right`, ""],
    ["nodes' own models", `${percent(record.meanAccuracy)} on average, ${percent(record.worstAccuracy)} at worst`, ""],
    ["train loss", numberCell(record.trainLoss, (value) => value.toFixed(4)), ""],
    ["consensus distance", numberCell(record.consensusDistance, (value) => value.toPrecision(4)), ""],
    ["sent per node", numberCell(record.bytesPerNode, showBytes), ""],
    ["time taken", numberCell(seconds, (value) => `${value.toFixed(1)} s`), ""],
    ["state", stateHash.slice(0, 12), ""],
  ];
  const epochs = history.length === 1 ? "1 epoch" : `${history.length} epochs`;
  const title = `${document.title}, ${epochs}`;
  return [`\n${title}\n\n`, valueTable(lines, title, 20)];
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
    const left = showDuration(pace * (epochs * evaluate - updates));
    note(
      `epoch ${Math.ceil(updates / evaluate)}/${epochs}: loss ${trainLoss.toFixed(4)}, averaged ${percent(averagedAccuracy)}, nodes ${percent(nodes)}, ${(perUpdate / pace).toFixed(0)} images/s with evaluation, ${left} left`,
      options,
    );
  };
}
