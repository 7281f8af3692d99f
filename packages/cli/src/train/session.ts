/** One training run in its folder: checkpoints, history, figures, the model; begun or gone on with. */

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError, labelCounts, modelTensors, sha256, stateHash, writeSafetensors } from "equitopo";
import { Trainer, type Trial } from "equitopo/training";
import type { TrainAndTest } from "../data/mnist.ts";
import { panelFigure } from "../figure/figure.ts";
import { svgToPng } from "../figure/png.ts";
import { makeFolder, writeAtomically } from "../output.ts";
import { csv, type Row } from "../report/run-folder.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { type EpochRecord, runTraining } from "./run-training.ts";
import type { Settings } from "./settings.ts";
import { sharesPicture } from "./shares-picture.ts";

export interface SessionOptions {
  readonly settings: Settings;
  readonly data: TrainAndTest;
  readonly out: string;
  readonly resume: boolean;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** What the nodes' models are tried on after every epoch; after the last it is all images in any case. */
  readonly trial: Trial;
  readonly onStart: (trainer: Trainer, epochsDone: number) => void;
  readonly onStep: (trainer: Trainer, seconds: number) => void;
  readonly onEpoch: (trainer: Trainer, record: EpochRecord) => void;
}

export interface TrainingOutcome {
  readonly history: readonly EpochRecord[];
  readonly stateHash: string;
  readonly parameters: number;
}

const checkpointName = "checkpoint.bin";

export async function trainInFolder(options: SessionOptions): Promise<TrainingOutcome> {
  const { settings, data, out, signal } = options;
  const path = join(out, checkpointName);
  const identity = identityOf(settings, data);
  const found = readCheckpoint(path);
  if (found !== undefined && !options.resume) {
    throw new InputError("a new run needs a folder without one", out, "add --resume, or choose another folder");
  }
  if (found === undefined && options.resume) {
    throw new InputError("--resume needs a folder with a checkpoint", out, "leave --resume out to begin");
  }
  if (found !== undefined) requireSame(found.settings, identity, out);
  const trainer = await Trainer.create(settings.spec, { ...data, workers: options.workers }, found?.state);
  try {
    makeFolder(out);
    // What a killed run was about to write.
    for (const name of readdirSync(out)) if (/^\..+\.tmp$/.test(name)) rmSync(join(out, name), { force: true });
    writeAtomically(join(out, "spec.json"), [`${JSON.stringify({ ...settings, ...identity }, null, 2)}\n`]);
    if (trainer.shares !== null && settings.spec.split.kind !== "iid") {
      const counts = labelCounts(data.train.labels, trainer.shares, data.train.classes);
      const title = `Who holds what: ${settings.dataset}, ${inWords(settings.spec.split)}`;
      await writeFigure(out, "shares", sharesPicture(title, counts));
    }
    const history = [...(found?.history ?? [])];
    const save = (seconds: number) =>
      writeCheckpoint(path, { settings: identity, history, seconds, state: trainer.state() });
    options.onStart(trainer, history.length);
    await runTraining(trainer, {
      epochs: settings.epochs,
      before: found?.seconds ?? 0,
      trials: (epoch) => [epoch === settings.epochs - 1 ? "all" : options.trial],
      async onStep(seconds) {
        options.onStep(trainer, seconds);
        // The event loop is where Ctrl-C arrives.
        await new Promise((resolve) => setImmediate(resolve));
        // A step that ends an epoch is saved with it; before that there would be no record of it.
        if (!signal.aborted || trainer.steps % trainer.stepsPerEpoch === 0) return;
        save(seconds);
        throw signal.reason;
      },
      async onEpoch(record) {
        history.push(record);
        save(record.seconds);
        writeAtomically(join(out, "history.csv"), [csv(history.map((one): Row => ({ ...one })))]);
        options.onEpoch(trainer, record);
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted && history.length < settings.epochs) throw signal.reason;
      },
    });
    const outcome = { history, stateHash: stateHash(trainer.x), parameters: trainer.model.parameterCount };
    writeModel(trainer, settings, out, outcome.stateHash);
    if (history.length > 0) await writeFigure(out, "training", curves(settings, history));
    return outcome;
  } finally {
    await trainer.close();
  }
}

/** What must be the same for a run to go on; the number of epochs may grow. */
function identityOf({ dataset, spec }: Settings, { train, test }: TrainAndTest): object {
  // Images and labels enter by their hash: another file under the same name is another run.
  const sum = ({ images, labels, count }: TrainAndTest["train"]) => {
    const bytes = (x: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }) =>
      new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
    return { count, sha256: sha256(bytes(images)), labels: sha256(bytes(labels)) };
  };
  return { dataset, spec, train: sum(train), test: sum(test) };
}

function requireSame(there: unknown, now: object, out: string): void {
  const flat = (value: unknown) => JSON.stringify(value);
  const before = there as Record<string, unknown>;
  const parts = (tree: Record<string, unknown>) => ({ ...tree, ...(tree["spec"] as object), spec: undefined });
  const [a, b] = [parts(before) as Record<string, unknown>, parts(now as Record<string, unknown>)];
  const differing = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => flat(a[key]) !== flat((b as Record<string, unknown>)[key]),
  );
  if (differing.length === 0) return;
  const [first] = differing;
  const rule = `resuming needs what the run began with; ${first} was ${flat(a[first])} and is now ${flat((b as Record<string, unknown>)[first])}`;
  throw new InputError(rule, out, "resume with the old values, or begin anew in another folder");
}

function writeModel(trainer: Trainer, { dataset, spec }: Settings, out: string, hash: string): void {
  const { parameters, statistics } = trainer.averaged();
  const metadata = {
    ...{ format: "equitopo", model: spec.model.name, dataset, steps: String(trainer.steps), stateHash: hash },
    ...(spec.normalisation === undefined ? {} : { normalisation: JSON.stringify(spec.normalisation) }),
  };
  const tensors = modelTensors(trainer.model, parameters, statistics);
  writeAtomically(join(out, "model.safetensors"), [writeSafetensors(tensors, metadata)]);
}

async function writeFigure(out: string, name: string, svg: string): Promise<void> {
  writeAtomically(join(out, `${name}.svg`), [svg]);
  writeAtomically(join(out, `${name}.png`), [await svgToPng(svg)]);
}

function curves({ dataset, spec }: Settings, history: readonly EpochRecord[]): string {
  const x = history.map(({ epoch }) => epoch + 1);
  const of = (label: string, value: (record: EpochRecord) => number | null) => {
    const kept = history.filter((record) => value(record) !== null);
    return {
      label,
      x: kept.map(({ epoch }) => epoch + 1),
      mean: kept.map((record) => value(record) as number),
    };
  };
  return panelFigure({
    title: `${dataset}: ${spec.algorithm.name} on ${spec.topology.name}, n = ${spec.topology.n}`,
    columns: 2,
    panels: [
      {
        ...{ title: "loss", xLabel: "epochs", yLabel: "mean loss", yLog: true },
        series: [
          { label: "training", x, mean: history.map(({ trainLoss }) => trainLoss) },
          of("averaged model, test", ({ averagedLoss }) => averagedLoss),
        ],
      },
      {
        ...{ title: "test accuracy", xLabel: "epochs", yLabel: "fraction right", yLog: false },
        series: [
          of("averaged model, test", ({ averagedAccuracy }) => averagedAccuracy),
          of("nodes' own models, mean", ({ meanAccuracy, shareAccuracy }) => meanAccuracy ?? shareAccuracy),
        ],
      },
    ],
  });
}

function inWords(split: Settings["spec"]["split"]): string {
  if (split.kind === "dirichlet") return `Dirichlet(${split.alpha})`;
  return split.kind === "shards" ? `${split.shards ?? 2} label shards a node` : split.kind;
}
