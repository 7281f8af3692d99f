/** Training from epoch to epoch: steps, then what the models are worth. Effects (files, terminal) are the caller's. */

import type { Score, Trainer, Trial } from "equitopo/training";

/** After an epoch; accuracies are fractions. */
export interface EpochRecord {
  readonly epoch: number;
  /** The mean over nodes and steps of the epoch. */
  readonly trainLoss: number;
  /** The averaged model on the whole test set. */
  readonly averagedAccuracy: number;
  readonly averagedLoss: number;
  /** The nodes' own models on the whole test set: mean and worst; null where that was left out. */
  readonly meanAccuracy: number | null;
  readonly worstAccuracy: number | null;
  /** The mean over nodes of each node's model on its own share of the test set, as the paper's experiments ran. */
  readonly shareAccuracy: number | null;
  readonly consensusDistance: number;
  readonly bytesPerNode: number;
  /** Of work so far, in this run and those that it resumed. */
  readonly seconds: number;
}

export interface RunOptions {
  readonly epochs: number;
  /** What the nodes' own models are tried on after an epoch. */
  readonly trials: (epoch: number) => readonly Trial[];
  /** Seconds of the runs that this one resumes. */
  readonly before?: number;
  /** After every step; may throw to stop. `seconds` counts the work so far. */
  readonly onStep?: (seconds: number) => void | Promise<void>;
  readonly onEpoch: (record: EpochRecord) => void | Promise<void>;
}

/** Trains on until so many epochs are done in all. */
export async function runTraining(trainer: Trainer, options: RunOptions): Promise<void> {
  const { epochs, trials, before = 0, onStep, onEpoch } = options;
  const start = performance.now();
  const seconds = () => before + (performance.now() - start) / 1000;
  while (trainer.steps < epochs * trainer.stepsPerEpoch) {
    trainer.step();
    await onStep?.(seconds());
    if (trainer.steps % trainer.stepsPerEpoch !== 0) continue;
    const epoch = trainer.steps / trainer.stepsPerEpoch - 1;
    await onEpoch(recordOf(trainer, epoch, trials(epoch), seconds));
  }
}

function recordOf(trainer: Trainer, epoch: number, trials: readonly Trial[], seconds: () => number): EpochRecord {
  const tried = new Map(trials.map((trial) => [trial, trainer.evaluate(trial)]));
  const { averaged } = [...tried.values()][0] ?? trainer.evaluate("none");
  const accuracies = (nodes: readonly Score[]) => nodes.map(({ accuracy }) => accuracy);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const all = tried.get("all");
  const share = tried.get("share");
  return {
    epoch,
    trainLoss: trainer.trainLoss(epoch),
    averagedAccuracy: averaged.accuracy,
    averagedLoss: averaged.loss,
    meanAccuracy: all === undefined ? null : mean(accuracies(all.nodes)),
    worstAccuracy: all === undefined ? null : Math.min(...accuracies(all.nodes)),
    shareAccuracy: share === undefined ? null : mean(accuracies(share.nodes)),
    consensusDistance: trainer.consensusDistance(),
    bytesPerNode: trainer.bytesPerNode,
    seconds: seconds(),
  };
}
