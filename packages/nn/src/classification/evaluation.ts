/**
 * What the models are worth. The network averages the models; where there is batch norm, every node estimates statistics
 * for its copy of the average, and the network averages these, too. Then node i tries its copy on the i-th part of the test
 * set, so that all nodes together try the whole set once, and its own model on all test images, on its share of them, or
 * not at all.
 *
 * Statistics are estimated from what nodes see in their first steps of training, crops, flips and dropout included: a
 * network expects its activations as they were normalised in training, and the black rims of crops are part of that.
 * From images as they are, ResNet-20 on CIFAR-10 loses two to three points (docs/results/cifar10.md).
 */

import type { Evaluation, Rows, Tally } from "equitopo";
import type { Settings } from "./settings.ts";
import { partSize } from "./tests.ts";
import { commands, type Plan } from "./work.ts";

/** Images from which the network re-estimates batch-norm statistics. */
const ESTIMATE_IMAGES = 2048;

export interface Evaluated extends Pick<Plan, "settings" | "first" | "staging"> {
  readonly stepsPerEpoch: number;
  readonly count: number;
  readonly tests: number;
  /** Sums of losses of the nodes here, and of how many steps, in the epoch that ended with so many updates. */
  losses(k: number, updates: number): { readonly sum: number; readonly steps: number };
  run(command: number, tasks: number, ...args: readonly number[]): void;
}

/** Batches of its own that every node estimates statistics from. */
export const estimateBatches = ({ n, batch }: Settings, stepsPerEpoch: number): number =>
  Math.min(stepsPerEpoch, Math.ceil(ESTIMATE_IMAGES / (n * batch)));

export function evaluationOf(problem: Evaluated): Evaluation {
  const { settings, staging, first, count, tests } = problem;
  const size = partSize(tests, settings.n);
  const parts = Math.ceil(tests / size);
  const partOf = (node: number) => Math.max(0, Math.min(size, tests - node * size));

  /** Right answers and losses of each node, the tasks of a node one after another. */
  function tried(command: number, tasks: number): { right: number; loss: number }[] {
    problem.run(command, count * tasks);
    return Array.from({ length: count }, (_, k) => {
      const sums = { right: 0, loss: 0 };
      for (let task = k * tasks; task < (k + 1) * tasks; task++) {
        sums.right += staging.results[2 * task];
        sums.loss += staging.results[2 * task + 1];
      }
      return sums;
    });
  }

  return {
    *tally(x, updates, from, rows, last = false): Generator<readonly Rows[], readonly Tally[], readonly Rows[]> {
      if (from !== first || rows !== count) throw new Error("a problem is evaluated for the nodes it was made for");
      const [averaged] = yield [x.slice()];
      staging.x.set(x);
      staging.y.set(averaged);
      if (staging.estimated.length > 0) {
        problem.run(commands.estimate, count, estimateBatches(settings, problem.stepsPerEpoch));
        const [statistics] = yield [staging.estimated.slice()];
        staging.estimated.set(statistics);
      }
      const average = tried(commands.tryPart, 1);
      const share = settings.try === "share" ? tried(commands.tryShare, 1) : undefined;
      const all = settings.try === "all" || last ? tried(commands.tryAll, parts) : undefined;
      return average.map(({ right, loss }, k): Tally => {
        const train = problem.losses(k, updates);
        return {
          ...{ averagedRight: right, averagedLoss: loss, averagedImages: partOf(first + k) },
          ...{ trainLoss: train.sum, trainSteps: train.steps },
          ...(share === undefined ? {} : { shareAccuracy: share[k].right / size }),
          ...(all === undefined ? {} : { accuracy: all[k].right / tests }),
        };
      });
    },
    summarise,
  };
}

/** The network's numbers; accuracies are fractions, and not a number where nobody was tried. */
export function summarise(tallies: readonly Tally[]): Record<string, number> {
  const sum = (name: string) => tallies.reduce((total, tally) => total + (tally[name] ?? Number.NaN), 0);
  const images = sum("averagedImages");
  return {
    averagedAccuracy: sum("averagedRight") / images,
    averagedLoss: sum("averagedLoss") / images,
    meanAccuracy: sum("accuracy") / tallies.length,
    worstAccuracy: tallies.reduce((least, { accuracy = Number.NaN }) => Math.min(least, accuracy), 1),
    ...(tallies.every((tally) => "shareAccuracy" in tally)
      ? { shareAccuracy: sum("shareAccuracy") / tallies.length }
      : {}),
    trainLoss: sum("trainLoss") / sum("trainSteps"),
  };
}
