/**
 * What the page is shown of a training at one update: the library's numbers, and the models as lines and regions of the
 * plane. The worker keeps the trainings of the last question: the next update costs one update, an earlier one all of them.
 */

import type { Chosen } from "../topology-field.ts";
import { isTrouble, orTrouble, type Trouble } from "../trouble.ts";
import { MOST_UPDATES } from "./fields.ts";
import { Lens } from "./lens.ts";
import type { Verdict } from "./scores.ts";
import type { Task } from "./task.ts";
import { Training } from "./training.ts";
import type { Worth } from "./worth.ts";

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
  readonly lens: Lens;
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
    if (held?.key !== key || held.update > update) {
      const trainings = topologies.map((chosen) => orTrouble(() => new Training(task, chosen)));
      held = { key, lens: new Lens(task), trainings, update: 0 };
    }
    const now = held;
    while (now.update < update) {
      for (const training of now.trainings) if (!isTrouble(training)) training.step();
      now.update++;
      yield now.update % 100 === 0 ? { update: now.update } : undefined;
    }
    const learnt: (Learnt | Trouble)[] = [];
    for (const training of now.trainings) {
      learnt.push(isTrouble(training) ? training : now.lens.look(training.models(), learner));
      yield;
    }
    return { update, scene: now.lens.scene, learnt };
  };
}
