/**
 * What the page is shown of a training at one update: the library's numbers, and the models as lines and regions of the
 * plane. The worker keeps the trainings of the last question: the next update costs one update, an earlier one all of them.
 */

import type { Chosen } from "../topology-field.ts";
import { isTrouble, orTrouble, type Trouble } from "../trouble.ts";
import { coarse, type Grid, gridPoints, surface, zeroLine } from "./contour.ts";
import { MOST_UPDATES } from "./fields.ts";
import { PlaneScores, type Verdict } from "./scores.ts";
import { POINTS, type Task } from "./task.ts";
import { prepare, Training, type Worth } from "./training.ts";

export interface LearningQuestion {
  readonly task: Task;
  readonly topologies: readonly Chosen[];
  /** The update to be shown. */
  readonly update: number;
  /** The node whose model colours the plane; the mean of all models where left out. */
  readonly learner?: number;
}

/** The points that are learnt from: x, y, x, y, ..., their classes, and who holds them. */
export interface Scene {
  readonly classes: number;
  readonly points: Float32Array;
  readonly labels: Uint8Array;
  readonly owners: Uint8Array;
}

/** One topology's training. */
export interface Learnt extends Worth {
  /** Numbers of every update so far. */
  readonly disagreement: Float64Array;
  readonly batchLoss: Float64Array;
  /** Sent so far by the node that sent most. */
  readonly bytes: number;
  /** Every node's distance from the mean of the models. */
  readonly distances: Float64Array;
  /** What the model that is looked at makes of the plane, on `surface`. */
  readonly verdict: Verdict;
  /** Where every node's model changes its mind, and where the looked-at one does. */
  readonly lines: readonly Float32Array[];
  readonly line: Float32Array;
}

export interface LearningFrame {
  readonly update: number;
  readonly scene: Scene;
  /** In the order of the question; trouble where algorithm and topology do not go together. */
  readonly learnt: readonly (Learnt | Trouble)[];
}

/** On the way to a far update: how far. */
export interface LearningNews {
  readonly update: number;
}

interface Held {
  readonly key: string;
  readonly scene: Scene;
  readonly fine: PlaneScores;
  readonly rough: PlaneScores;
  readonly trainings: readonly (Training | Trouble)[];
  update: number;
}

/** The job, with what it holds from question to question. */
export function learningWork() {
  let held: Held | undefined;
  return function* work(question: LearningQuestion): Generator<LearningNews | undefined, LearningFrame> {
    const { task, topologies, learner } = question;
    const update = Math.min(MOST_UPDATES, question.update);
    const key = JSON.stringify([task, topologies]);
    if (held?.key !== key || held.update > update) held = begin(key, task, topologies);
    const now = held;
    while (now.update < update) {
      for (const training of now.trainings) if (!isTrouble(training)) training.step();
      now.update++;
      yield now.update % 100 === 0 ? { update: now.update } : undefined;
    }
    const learnt: (Learnt | Trouble)[] = [];
    for (const training of now.trainings) {
      learnt.push(isTrouble(training) ? training : look(training, now, learner));
      yield;
    }
    return { update, scene: now.scene, learnt };
  };
}

function begin(key: string, task: Task, topologies: readonly Chosen[]): Held {
  const { model, holdings } = prepare(task);
  const { train, shares } = holdings;
  const owners = new Uint8Array(POINTS);
  shares?.forEach((share, node) => {
    for (const point of share) owners[point] = node;
  });
  const trainings = topologies.map((chosen) => orTrouble(() => new Training(task, chosen)));
  return {
    key,
    scene: {
      classes: train.classes,
      points: Float32Array.from(train.images),
      labels: Uint8Array.from(train.labels),
      owners,
    },
    fine: new PlaneScores(model, gridPoints(surface)),
    rough: new PlaneScores(model, gridPoints(coarse)),
    trainings,
    update: 0,
  };
}

function look(training: Training, { fine, rough }: Held, learner: number | undefined): Learnt {
  const { x, record } = training.standing;
  const { n, d } = training.problem;
  const mean = training.mean();
  const chosen = learner === undefined || learner >= n ? mean : training.model(learner);
  const distances = Float64Array.from({ length: n }, (_, i) => {
    let square = 0;
    for (let j = 0; j < d; j++) square += (x[i * d + j] - mean[j]) ** 2;
    return Math.sqrt(square);
  });
  return {
    ...training.worth(),
    disagreement: Float64Array.from(record.metrics["consensusDistance"]),
    batchLoss: Float64Array.from(record.metrics["batchLoss"]),
    bytes: record.bytes[record.bytes.length - 1],
    distances,
    verdict: fine.verdict(chosen),
    line: boundary(fine, surface, chosen),
    lines: Array.from({ length: n }, (_, i) => boundary(rough, coarse, training.model(i))),
  };
}

/** Where the winning class changes: the ends of every class's region, of the last but one where there are two. */
function boundary(scores: PlaneScores, grid: Grid, model: ArrayLike<number>): Float32Array {
  const leads = scores.lead(model);
  // Two classes end where each other begins; of more, every line would else be there twice, and only looks thicker.
  const lines = (leads.length === 2 ? leads.slice(1) : leads).map((lead) => zeroLine(grid, lead));
  const line = new Float32Array(lines.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of lines) {
    line.set(part, at);
    at += part.length;
  }
  return line;
}
