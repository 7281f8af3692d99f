/** What the page is shown of models: the library's numbers, and lines and regions of the plane. */

import { classification, prepareClassification } from "@equitopo/nn";
import { kernelMixer, type Problem } from "equitopo";
import { meanRow, type Rows, squaredDistance } from "equitopo/internal/round";
import { averager } from "equitopo/internal/run";
import { coarse, type Grid, gridPoints, surface, zeroLine } from "./contour.ts";
import { planeScores, verdictOf } from "./scores.ts";
import { optionsOf, POINTS, type Task } from "./task.ts";

/** All nodes' models after some updates, and what was recorded on the way. */
export interface Models {
  readonly x: Rows;
  readonly updates: number;
  /** After every update from 0 on. */
  readonly disagreement: ArrayLike<number>;
  readonly batchLoss: ArrayLike<number>;
  /** Sent by the node that sent most: so far, and after every update where that is known. */
  readonly bytes: number;
  readonly bytesBy?: ArrayLike<number>;
}

export type Lens = ReturnType<typeof lensOf>;

export function lensOf(task: Task) {
  const { n } = task;
  const { model, holdings, start } = prepareClassification(optionsOf(task));
  const { train, shares } = holdings;
  const owners = new Uint8Array(POINTS);
  shares?.forEach((share, node) => {
    for (const point of share) owners[point] = node;
  });
  /** The points that are learnt from: x, y, x, y, ..., their classes, and who holds them. */
  const scene = {
    ...{ classes: train.classes, owners },
    ...{ points: Float32Array.from(train.images), labels: Uint8Array.from(train.labels) },
  };
  const fine = planeScores(model, gridPoints(surface));
  const rough = planeScores(model, gridPoints(coarse));
  const worth = evaluator(classification(optionsOf(task)));
  return {
    scene,
    /** Where all nodes begin. */
    start: start.parameters,
    /** O(n points of the grids) forward passes; `node` is the node that is looked at, the mean where left out. */
    look({ x, updates, disagreement, batchLoss, bytes, bytesBy }: Models, node: number | undefined) {
      const d = x.length / n;
      const mean = meanRow(x, n);
      const models = Array.from({ length: n }, (_, node) => x.subarray(node * d, (node + 1) * d));
      const leads = fine(node === undefined || node >= n ? mean : models[node]);
      return {
        ...worth(x, updates),
        ...{ disagreement: Float64Array.from(disagreement), batchLoss: Float64Array.from(batchLoss), bytes },
        /** After every update; where only the end is known, as many bytes each. */
        bytesBy: Float64Array.from({ length: disagreement.length }, (_, k) =>
          bytesBy === undefined ? (bytes * k) / Math.max(1, updates) : bytesBy[k],
        ),
        /** Every node's distance from the mean of the models. */
        distances: Float64Array.from(models, (model) => Math.sqrt(squaredDistance(model, mean))),
        /** What the model that is looked at makes of the plane, on `surface`, and where it changes its mind. */
        verdict: verdictOf(leads),
        line: boundary(surface, leads),
        /** Where every node's model does. */
        lines: models.map((model) => boundary(coarse, rough(model))),
      };
    },
  };
}

/** Where the winning class changes: the ends of every class's region. */
function boundary(grid: Grid, leads: readonly Float32Array[]): Float32Array {
  // Two classes end where each other begins; of more, every line is there twice, and only looks thicker.
  const lines = (leads.length === 2 ? leads.slice(1) : leads).map((lead) => zeroLine(grid, lead));
  return Float32Array.from(lines.flat());
}

/** A function from models after so many updates to their worth. O(n test points) forward passes. */
export function evaluator({ evaluation, n }: Problem) {
  if (evaluation === undefined) throw new Error("classification has an evaluation");
  const average = averager(kernelMixer(n));
  return (x: Rows, updates: number) => {
    const tally = evaluation.tally(x, updates, 0, n, true);
    let step = tally.next();
    while (!step.done) step = tally.next(step.value.map(average));
    // Of the averaged model, on all test points; and of the nodes' own: their mean, the worst, and each.
    const { averagedAccuracy, meanAccuracy, worstAccuracy } = evaluation.summarise(step.value);
    const accuracies = Float32Array.from(step.value, ({ accuracy }) => accuracy);
    return { averagedAccuracy, meanAccuracy, worstAccuracy, accuracies };
  };
}
