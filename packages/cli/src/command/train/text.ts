/** `equitopo train text`: a small language model on n nodes, with a sample of what it writes now and then. */

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { decodeModel, generateText } from "@equitopo/nn";
import { createProblem, expandSpec, type RunResult, type RunSpec, type SpecDocument } from "equitopo";
import { specExperiment } from "equitopo/outcome";
import { decodeCheckpoint } from "equitopo/run";
import { stringify } from "yaml";
import { inEveryFormat } from "../../figure/files.ts";
import { wholeFigure } from "../../figure/whole.ts";
import { outFolder } from "../../folder/fresh-folder.ts";
import { plugins } from "../../input/plugins.ts";
import { contextOf, watched } from "../../run/context.ts";
import { sayRunCost } from "../../run/cost.ts";
import { requireDriver } from "../../run/driver.ts";
import { runToFolder } from "../../run/run-experiments.ts";
import { type FormatOptions, printAnswer } from "../../terminal/answer.ts";
import { csv, type Row } from "../../terminal/csv-text.ts";
import type { CommonOptions } from "../../terminal/flags.ts";
import { showBytes } from "../../terminal/numbers.ts";
import { jsonText, note, print } from "../../terminal/output.ts";
import { showDuration } from "../../terminal/progress.ts";
import { type Cell, numberCell, valueTable } from "../../terminal/table.ts";
import { tellNotes } from "../../topology/notes.ts";
import { type TextOptions, textDocument, textPlace } from "./text-document.ts";

interface Options extends TextOptions, CommonOptions, FormatOptions {}

const version = 1;

/** Characters of a sample. */
const SAMPLE = 160;

export async function trainText(name: string, given: Options): Promise<number> {
  const document = textDocument(name, given);
  if (given.spec) {
    await print([stringify(document)]);
    return 0;
  }
  const { folder } = textPlace(given);
  const options: Options = folder === undefined ? given : { ...given, data: folder };
  const { context, sums } = watched(contextOf(options));
  const runs = expandSpec(document, context); // refuses what is wrong before any folder is made
  const [run] = runs;
  requireDriver(runs, options);
  tellNotes(runs, options);
  const out = outFolder(options, `train-${name}`);
  if (!options.resume) sayRunCost(runs, options);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const problem = createProblem({ ...run.problem, seed: run.seed }, { ...context, count: 0 });
  /** What the average of some rows writes. */
  const sampleOf = (file: Uint8Array) => {
    const { model, saved } = decodeModel(file, "model.safetensors");
    return generateText(model, saved, { tokens: SAMPLE, temperature: 0.8, seed: run.seed });
  };
  const teller = tellerOf(run, options, () => {
    const x = lastRows(out);
    return x === undefined ? undefined : sampleOf(problem.files?.(x)["model.safetensors"] as Uint8Array);
  });
  const title = document.title as string;
  let answer: Answer | undefined;
  await runToFolder([specExperiment({ name: "train", title, runs: () => runs, plugins: plugins() })], {
    ...{ scale: "full", out, lead: "A language model trained by equitopo." },
    ...options,
    workers: options.workers ?? availableParallelism(),
    ...(Object.keys(sums).length === 0 ? {} : { mark: { data: { ...sums } } }),
    onEvaluation: (_unit, updates, metrics) => teller(updates, metrics, seconds()),
    async extraFiles({ results }) {
      const [result] = [...results.values()] as RunResult[];
      const file = readFileSync(join(out, "model.safetensors"));
      answer = answerOf(document, run, result, { out, file, seconds: seconds(), sample: sampleOf(file) });
      const files: Record<string, string | Uint8Array> = {
        "result.json": jsonText(answer),
        "history.csv": csv(answer.history.map((one): Row => ({ ...one }))),
      };
      const figure = wholeFigure(figureOf(title, answer.history), options);
      for (const [ending, bytes] of await inEveryFormat(figure)) files[`training${ending}`] = bytes;
      return files;
    },
  });
  const { history, sample } = answer as Answer;
  const last = history[history.length - 1];
  await printAnswer(answer as object, () => [`\n${title}\n\n`, asTable(answer as Answer, title)], options);
  if (!options.json)
    note(`\n${sample}\n\nfolder: ${out} (equitopo generate ${join(out, "model.safetensors")})`, options);
  if (Number.isFinite(last.averagedLoss)) return 0;
  note("\ndiverged; try a smaller --learning-rate", options);
  return 1;
}

/** The nodes' rows in the last checkpoint, if one was written. */
function lastRows(out: string) {
  const [file] = readdirSync(join(out, "checkpoints"));
  return file === undefined
    ? undefined
    : decodeCheckpoint(readFileSync(join(out, "checkpoints", file))).vectors["state.x"];
}

interface Ended {
  readonly out: string;
  readonly file: Uint8Array;
  readonly seconds: number;
  readonly sample: string;
}

type Answer = ReturnType<typeof answerOf>;

/** What result.json holds and --json prints. */
function answerOf(
  document: SpecDocument,
  { problem, rounds }: RunSpec,
  result: RunResult,
  { out, file, seconds, sample }: Ended,
) {
  const { model } = decodeModel(file, "model.safetensors");
  const { updates, metrics } = result.evaluations ?? { updates: [], metrics: {} };
  const history = updates.map((done, k) => {
    const at = result.updates.indexOf(done);
    const found = Object.fromEntries(
      Object.entries(metrics).map(([name, values]) => [name, Number.isNaN(values[k]) ? null : values[k]]),
    ) as Readonly<Record<string, number | null>>;
    return {
      ...{ updates: done, trainLoss: found["trainLoss"], averagedLoss: found["averagedLoss"] as number },
      averagedBitsPerByte: found["averagedBitsPerByte"] as number,
      ...{
        meanLoss: found["meanLoss"],
        worstLoss: found["worstLoss"],
        outputDistance: found["outputDistance"] as number,
      },
      ...{ consensusDistance: result.metrics["consensusDistance"][at], bytesPerNode: result.bytes[at] },
    };
  });
  const { updates: _done, ...last } = history[history.length - 1];
  return {
    ...{ version, data: problem["data"], topology: document.topologies?.[0], algorithm: document.algorithms?.[0] },
    ...{ model: model.name, parameters: model.parameterCount, vocabulary: model.classes, updates: rounds },
    ...last,
    tokensPerSecond: (problem.n * Number(problem["batch"]) * model.rows * rounds) / seconds,
    ...{ seconds, sample, stateHash: result.stateHash, out, history },
  };
}

function asTable(answer: Answer, title: string) {
  const loss = (value: number | null) =>
    numberCell(value ?? Number.NaN, (one) => (Number.isNaN(one) ? "-" : one.toFixed(4)));
  const lines: [string, Cell, string][] = [
    ["averaged model", loss(answer.averagedLoss), "nats a token on the whole validation text"],
    ["", numberCell(answer.averagedBitsPerByte, (value) => value.toFixed(4)), "bits a byte"],
    ["nodes' own models", loss(answer.meanLoss), "on average"],
    ["", loss(answer.worstLoss), "at worst"],
    ["train loss", loss(answer.trainLoss), "of the last step"],
    ["output distance", numberCell(answer.outputDistance, (value) => value.toPrecision(4)), "Jensen-Shannon"],
    ["consensus distance", numberCell(answer.consensusDistance, (value) => value.toPrecision(4)), ""],
    ["sent per node", numberCell(answer.bytesPerNode, showBytes), ""],
    ["speed", numberCell(answer.tokensPerSecond, (value) => `${value.toFixed(0)} tokens/s`), "evaluations included"],
    ["time taken", numberCell(answer.seconds, (value) => `${value.toFixed(1)} s`), ""],
    ["state", answer.stateHash.slice(0, 12), ""],
  ];
  return valueTable(lines, title, 20);
}

/** Losses against updates. */
function figureOf(title: string, history: Answer["history"]) {
  const of = (label: string, value: (one: Answer["history"][number]) => number | null) => {
    const kept = history.filter((one) => value(one) !== null);
    return { label, x: kept.map(({ updates }) => updates), mean: kept.map((one) => value(one) as number) };
  };
  const series = [
    of("training", ({ trainLoss }) => trainLoss),
    of("averaged model, validation", ({ averagedLoss }) => averagedLoss),
    of("nodes' own models, mean", ({ meanLoss }) => meanLoss),
  ];
  const panel = { title: "loss", xLabel: "updates", yLabel: "nats a token", series, yLog: false };
  return { name: "training", title, caption: "", panels: [panel] };
}

/** A line at every evaluation on stderr, and what the averaged model of the last checkpoint writes. */
function tellerOf({ problem, rounds }: RunSpec, options: Options, sample: () => string | undefined) {
  let before = { updates: 0, seconds: 0 };
  const { context = 64 } = problem["model"] as { readonly context?: number };
  const perUpdate = problem.n * Number(problem["batch"]) * context;
  return (
    updates: number,
    { trainLoss, averagedLoss, averagedBitsPerByte }: Readonly<Record<string, number>>,
    seconds: number,
  ) => {
    const pace = (seconds - before.seconds) / Math.max(1, updates - before.updates);
    before = { updates, seconds };
    const losses = `loss ${trainLoss.toFixed(3)}, averaged ${averagedLoss.toFixed(3)} (${averagedBitsPerByte.toFixed(3)} bits a byte)`;
    const speed = `${(perUpdate / pace).toFixed(0)} tokens/s with evaluation`;
    note(`update ${updates}/${rounds}: ${losses}, ${speed}, ${showDuration(pace * (rounds - updates))} left`, options);
    const written = updates < rounds && !options.quiet && !options.json ? sample() : undefined;
    if (written !== undefined) note(`  | ${written.trim().replaceAll("\n", "\n  | ")}`, options);
  };
}
