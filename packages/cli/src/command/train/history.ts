/** What a training run came to, epoch by epoch, and as a whole: the numbers of its files. */

import type { AlgorithmSpec, RunResult, SpecDocument } from "equitopo";
import { fillsDecade } from "equitopo/internal/picture";
import { divergedAt } from "equitopo/internal/run";
import type { Figure } from "equitopo/outcome";

export type EpochRecord = ReturnType<typeof historyOf>[number];

/** What is known after each epoch, accuracies as fractions; `seconds`, since this command began, by the number of updates. */
export function historyOf(result: RunResult, seconds: ReadonlyMap<number, number>) {
  const { updates, metrics } = result.evaluations ?? { updates: [], metrics: {} };
  return updates.map((done, epoch) => {
    const at = result.updates.indexOf(done);
    const maybe = (name: string) => {
      const value = metrics[name]?.[epoch];
      return value === undefined || Number.isNaN(value) ? null : value;
    };
    return {
      epoch,
      // The mean over nodes and steps of the epoch.
      trainLoss: metrics["trainLoss"][epoch],
      // The averaged model, then the nodes' own models, on the whole test set; null where that was left out.
      ...{ averagedAccuracy: metrics["averagedAccuracy"][epoch], averagedLoss: metrics["averagedLoss"][epoch] },
      ...{ meanAccuracy: maybe("meanAccuracy"), worstAccuracy: maybe("worstAccuracy") },
      // The mean over nodes of each node's model on its own share of the test set, as the paper's experiments ran.
      shareAccuracy: maybe("shareAccuracy"),
      consensusDistance: result.metrics["consensusDistance"][at],
      bytesPerNode: result.bytes[at],
      // null for epochs that were done before.
      seconds: seconds.get(done) ?? null,
    };
  });
}

/** The epoch in which a run diverged, as `equitopo run` has it, or whose mean loss is no number; undefined if none is so. */
export function divergedIn(result: RunResult, history: readonly EpochRecord[]): number | undefined {
  const at = divergedAt(result);
  const { updates } = result.evaluations ?? { updates: [] };
  return history.find(({ epoch, trainLoss }) => !Number.isFinite(trainLoss) || updates[epoch] >= (at ?? Infinity))
    ?.epoch;
}

export interface TrainingOutcome {
  readonly dataset: string;
  readonly document: SpecDocument;
  readonly history: readonly EpochRecord[];
  readonly diverged?: number;
  readonly model: string;
  readonly parameters: number;
  readonly stateHash: string;
  readonly seconds: number;
  readonly out: string;
  readonly device?: NonNullable<RunResult["device"]>;
}

const trainingVersion = 2;

/** What result.json holds and --json prints. */
export function resultOf({ document, history, seconds, out, stateHash, device, ...outcome }: TrainingOutcome): object {
  const [{ learningRate, ...algorithm }] = document.algorithms as readonly AlgorithmSpec[];
  const { averagedLoss: testLoss, ...last } = history[history.length - 1];
  const { averagedAccuracy, meanAccuracy, worstAccuracy, trainLoss, consensusDistance, bytesPerNode } = last;
  return {
    version: trainingVersion,
    dataset: outcome.dataset,
    topology: document.topologies?.[0],
    ...{ algorithm, learningRate, model: outcome.model, parameters: outcome.parameters, epochs: history.length },
    diverged: outcome.diverged,
    ...{ averagedAccuracy, meanAccuracy, worstAccuracy, trainLoss, testLoss, consensusDistance, bytesPerNode },
    ...{ seconds, stateHash, device, out, history },
  };
}

/** Losses and accuracies against epochs. */
export function trainingFigure(title: string, history: readonly EpochRecord[]): Figure {
  const of = (label: string, value: (record: EpochRecord) => number | null) => {
    const kept = history.filter((record) => value(record) !== null);
    return { label, x: kept.map(({ epoch }) => epoch + 1), mean: kept.map((record) => value(record) as number) };
  };
  const losses = [
    of("training", ({ trainLoss }) => trainLoss),
    of("averaged model, test", ({ averagedLoss }) => averagedLoss),
  ];
  return {
    ...{ name: "training", title, caption: "" },
    panels: [
      {
        ...{ title: "loss", xLabel: "epochs", yLabel: "mean loss", series: losses },
        yLog: fillsDecade(losses.flatMap(({ mean }) => mean)),
      },
      {
        ...{ title: "test accuracy", xLabel: "epochs", yLabel: "fraction right", yLog: false },
        series: [
          of("averaged model, test", ({ averagedAccuracy }) => averagedAccuracy),
          of("nodes' own models, mean", ({ meanAccuracy, shareAccuracy }) => meanAccuracy ?? shareAccuracy),
        ],
      },
    ],
  };
}
