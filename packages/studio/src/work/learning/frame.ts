/**
 * What the page is shown of a training at one update: the library's numbers, and the models as lines and regions of the
 * plane. The worker keeps the trainings of the last question: the next update costs one update, an earlier one all of them.
 */

import { MOST_UPDATES } from "../../view/fields.ts";
import type { Chosen } from "../../view/topology-field.ts";
import { isTrouble, orTrouble, type Trouble } from "../trouble.ts";
import { type Lens, lensOf, type Models } from "./lens.ts";
import type { Task } from "./task.ts";

export interface LearningQuestion {
  readonly task: Task;
  readonly topologies: readonly Chosen[];
  readonly update: number;
  /** The node whose model colours the plane; the mean of all models where left out. */
  readonly node?: number | undefined;
}

export type Scene = Lens["scene"];

export type Learnt = ReturnType<Lens["look"]>;

/** Of every training, in the order of the question; trouble where algorithm and topology do not go together. */
export type LearningFrame = { update: number; scene: Scene; learnt: readonly (Learnt | Trouble)[] };

/** What computes the updates: the CPU here, or a GPU. */
export interface Trainer<T> {
  /** Updates at a time. */
  readonly stride: number;
  begin(task: Task, chosen: Chosen, lens: Lens): T;
  /** All trainings by a stride, or less at the end: to this update. */
  advance(trainings: readonly T[], update: number): void | Promise<void>;
  /** The models as they are now; they may be live memory. */
  modelsOf(training: T): Models;
}

/** The job, with the trainings of the last question as far as they have come; its news is how far that is. */
export function learningWork<T extends object>({ stride, begin, advance, modelsOf }: Trainer<T>) {
  let held: { key: string; lens: Lens; trainings: readonly (T | Trouble)[]; update: number } | undefined;
  return async function* work(question: LearningQuestion): AsyncGenerator<number | undefined, LearningFrame> {
    const { task, topologies, node } = question;
    const update = Math.min(MOST_UPDATES, question.update);
    const key = JSON.stringify([task, topologies]);
    if (held?.key !== key || held.update > update) {
      const lens = lensOf(task);
      held = { key, lens, trainings: topologies.map((one) => orTrouble(() => begin(task, one, lens))), update: 0 };
    }
    const { lens, trainings } = held;
    const going = trainings.filter((training): training is T => !isTrouble(training));
    while (held.update < update) {
      const next = Math.min(update, held.update + stride);
      await advance(going, next);
      held.update = next;
      yield Math.floor(next / 100) > Math.floor((next - stride) / 100) ? next : undefined;
    }
    const learnt: (Learnt | Trouble)[] = [];
    for (const training of trainings) {
      learnt.push(isTrouble(training) ? training : lens.look(modelsOf(training), node));
      yield;
    }
    return { update, scene: lens.scene, learnt };
  };
}
