/** `equitopo train`: a neural network on n nodes, each with its own share of the images. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { InputError, nearest } from "equitopo";
import { modelNames, type Trainer, type Trial } from "equitopo/training";
import { betweenOption, integerOption, numberOption } from "../arguments.ts";
import type { CommonOptions } from "../commands.ts";
import { dataVariable } from "../data/folder.ts";
import { showBytes } from "../numbers.ts";
import { jsonText, note, print, writeAtomically } from "../output.ts";
import { progressOf } from "../progress.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { untilInterrupted } from "../run/interrupt.ts";
import { addTopologyOptions } from "../topology-options.ts";
import type { EpochRecord } from "../train/run-training.ts";
import { type TrainingOutcome, trainInFolder } from "../train/session.ts";
import {
  type DatasetName,
  dataOf,
  datasetNames,
  type Settings,
  settingsOf,
  type TrainOptions,
} from "../train/settings.ts";

interface Options extends TrainOptions, CommonOptions {
  readonly workers?: number;
  readonly out?: string;
  readonly resume?: true;
  readonly evaluate?: "all" | "share" | "averaged";
}

export function define(command: Command): void {
  command.argument("<data>", datasetNames.join(", "));
  addTopologyOptions(command)
    .option("--data <DIR>", `folder of the data set's files (or the environment variable ${dataVariable})`)
    .option("--nodes <N>", "replicas, default 17 (the same as --n)", integerOption("nodes", 1, 17))
    .option("--topology <NAME>", "a name of `equitopo list`, default od-equidyn")
    .option("--algorithm <NAME>", "dmsgd (default), dsgd, dsgt, centralised, ...")
    .option("--momentum <B>", "momentum, default the paper's", betweenOption("momentum", -1e-9, 1, 0.5))
    .option("--learning-rate <G>", "constant; default the paper's (mnist: 0.01 n)", numberOption("learning-rate", 0.1))
    .option("--weight-decay <D>", "default the paper's", numberOption("weight-decay", 1e-4))
    .option("--epochs <E>", "passes over the data in all, default the paper's", integerOption("epochs", 1, 20))
    .option("--batch <B>", "images a node sees in a step, default the paper's", integerOption("batch", 1, 64))
    .addOption(new Option("--model <NAME>", "default the data set's").choices(modelNames))
    .option("--dropout <P>", "of mnist-cnn, default 0.5; 0 for none", numberOption("dropout", 0.5))
    .addOption(
      new Option(
        "--protocol <P>",
        "corrected (default): softmax over classes, shares stay; as-run: as in the paper",
      ).choices(["corrected", "as-run"]),
    )
    .addOption(
      new Option("--split <S>", "who holds what: iid (default), shards, dirichlet").choices([
        "iid",
        "shards",
        "dirichlet",
      ]),
    )
    .option("--alpha <A>", "of --split dirichlet, default 0.5: small is uneven", numberOption("alpha", 0.5))
    .option("--shards <K>", "of --split shards: label shards a node, default 2", integerOption("shards", 1, 2))
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
      "threads (default: one a core); results do not depend on it",
      integerOption("workers", 1, 2),
    )
    .option("--out <DIR>", "folder for checkpoint, model, history and figures (default: a new one in runs/)")
    .option("--resume", "go on with the run in --out, bit for bit; --epochs may be raised")
    .addHelpText(
      "after",
      `
The folder gets checkpoint.bin after every epoch and on Ctrl-C, model.safetensors (the averaged model), history.csv,
training.svg, result.json, and shares.svg for splits other than iid. consensus distance: sqrt(mean of ||x_i - mean||^2).

Examples:
  equitopo train synthetic --nodes 8 --epochs 3
  equitopo train mnist --data DIR --topology od-equidyn --eta 0.53 --out runs/od
  equitopo train mnist --data DIR --topology ring --protocol as-run
  equitopo train mnist --data DIR --split dirichlet --alpha 0.1 --algorithm dsgt --learning-rate 0.05
  equitopo train cifar10 --data DIR --topology u-equistatic --m 5
`,
    )
    .action(async (name: string, options: Options) => {
      const settings = settingsOf(datasetOf(name), options);
      if (options.resume && options.out === undefined) {
        throw new InputError("--resume needs the folder of the run", "no --out", "add --out DIR");
      }
      const data = dataOf(settings, options);
      const out = options.out ?? outFolder({}, `train-${name}`);
      const trial: Trial = options.evaluate === "averaged" ? "none" : (options.evaluate ?? "all");
      const teller = tellerOf(settings, options, data.test.count);
      const outcome = await untilInterrupted(
        (signal) =>
          trainInFolder({
            ...{ settings, data, out, signal, trial, ...teller },
            resume: options.resume ?? false,
            workers: options.workers ?? availableParallelism(),
          }).finally(teller.end),
        `interrupted; the same command with --out ${out} --resume goes on`,
      );
      const text = jsonText(resultOf(settings, outcome, out));
      writeAtomically(join(out, "result.json"), [text]);
      await print([options.json ? text : asText(settings, outcome)]);
      if (!options.json) note(`\nfolder: ${out}`, options);
    });
}

function datasetOf(name: string): DatasetName {
  const found = datasetNames.find((one) => one === name);
  if (found !== undefined) return found;
  const near = nearest(name, datasetNames);
  const remedy = near === undefined ? "try synthetic, which needs no files" : `did you mean ${near}?`;
  throw new InputError(`the data set must be one of ${datasetNames.join(", ")}`, name, remedy);
}

const last = <T>(list: readonly T[]) => list[list.length - 1];

/** What --json prints; accuracies are fractions. */
function resultOf(
  { dataset, spec }: Settings,
  { history, stateHash, parameters }: TrainingOutcome,
  out: string,
): object {
  const { meanAccuracy, worstAccuracy, averagedAccuracy, averagedLoss, ...record } = last(history);
  return {
    dataset,
    topology: spec.topology,
    algorithm: spec.algorithm,
    learningRate: spec.learningRate,
    model: spec.model.name,
    parameters,
    epochs: history.length,
    averagedAccuracy,
    meanAccuracy,
    worstAccuracy,
    trainLoss: record.trainLoss,
    testLoss: averagedLoss,
    consensusDistance: record.consensusDistance,
    bytesPerNode: record.bytesPerNode,
    seconds: record.seconds,
    stateHash,
    out,
    history,
  };
}

function asText({ dataset, spec }: Settings, { history, stateHash }: TrainingOutcome): string {
  const record = last(history);
  const lines = [
    ["averaged model", `${percent(record.averagedAccuracy)} of the test images right`],
    ["nodes' own models", `${percent(record.meanAccuracy)} on average, ${percent(record.worstAccuracy)} at worst`],
    ["train loss", record.trainLoss.toFixed(4)],
    ["consensus distance", record.consensusDistance.toPrecision(4)],
    ["sent per node", showBytes(record.bytesPerNode)],
    ["seconds", record.seconds.toFixed(1)],
    ["state", stateHash.slice(0, 12)],
  ];
  const title = `${dataset}: ${spec.algorithm.name} on ${spec.topology.name}, n = ${spec.topology.n}, ${history.length === 1 ? "1 epoch" : `${history.length} epochs`}`;
  return `\n${title}\n\n${lines.map(([name, value]) => `  ${name.padEnd(20)}${value}\n`).join("")}`;
}

const percent = (fraction: number | null) => (fraction === null ? "-" : `${(100 * fraction).toFixed(2)}%`);

/** Steps that are timed before the first estimate. */
const TIMED = 4;

/** What is said along the way, on stderr: a line an epoch, and on a terminal one that is redrawn. */
function tellerOf({ epochs, dataset }: Settings, options: Options, tests: number) {
  const progress = progressOf(options);
  let first = { seconds: 0, steps: 0 };
  let begun: { seconds: number; steps: number } | undefined;
  const pace = (trainer: Trainer, seconds: number) => (seconds - first.seconds) / (trainer.steps - first.steps);
  const left = (trainer: Trainer, seconds: number) =>
    duration(pace(trainer, seconds) * (epochs * trainer.stepsPerEpoch - trainer.steps));
  return {
    onStart(trainer: Trainer, done: number) {
      first = { seconds: 0, steps: trainer.steps };
      const images = trainer.imagesPerEpoch.toLocaleString("en-GB");
      const size = `${trainer.n} replicas of ${trainer.model.parameterCount.toLocaleString("en-GB")} parameters`;
      note(`${dataset}: ${size}, ${images} images an epoch, epochs ${done + 1} to ${epochs}`, options);
    },
    onStep(trainer: Trainer, seconds: number) {
      if (begun === undefined) {
        // The first step warms up: the clock starts after it.
        begun = { seconds, steps: trainer.steps };
        first = begun;
        return;
      }
      const epoch = Math.floor((trainer.steps - 1) / trainer.stepsPerEpoch);
      if (trainer.steps === begun.steps + TIMED) {
        // Forward alone is a third of a step.
        const trial = options.evaluate ?? "all";
        const tried = (trial === "all" ? (trainer.n + 1) * tests : trial === "share" ? 2 * tests : tests) / 3;
        const each = pace(trainer, seconds) * trainer.stepsPerEpoch * (1 + tried / trainer.imagesPerEpoch);
        const rest = each * (epochs - trainer.steps / trainer.stepsPerEpoch);
        note(`expected: ${duration(each)} an epoch, ${duration(rest)} in all (measured over ${TIMED} steps)`, options);
      }
      progress.step(() => {
        const step = ((trainer.steps - 1) % trainer.stepsPerEpoch) + 1;
        const speed = trainer.imagesPerEpoch / trainer.stepsPerEpoch / pace(trainer, seconds);
        return `epoch ${epoch + 1}/${epochs}, step ${step}/${trainer.stepsPerEpoch}, loss ${trainer.trainLoss(epoch).toFixed(4)}, ${speed.toFixed(0)} images/s, ${showBytes(trainer.bytesPerNode)} sent, ${left(trainer, seconds)} left`;
      });
    },
    onEpoch(trainer: Trainer, record: EpochRecord) {
      progress.done();
      const nodes = record.meanAccuracy ?? record.shareAccuracy;
      const speed = trainer.imagesPerEpoch / trainer.stepsPerEpoch / pace(trainer, record.seconds);
      note(
        `epoch ${record.epoch + 1}/${epochs}: loss ${record.trainLoss.toFixed(4)}, averaged ${percent(record.averagedAccuracy)}, nodes ${percent(nodes)}, distance ${record.consensusDistance.toPrecision(3)}, ${speed.toFixed(0)} images/s with evaluation, ${showBytes(record.bytesPerNode)} sent, ${left(trainer, record.seconds)} left`,
        options,
      );
    },
    end: () => progress.done(),
  };
}

function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "an unknown time";
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
