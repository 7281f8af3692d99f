/**
 * Where there are few classes of supports (classes.ts), all of them are weighed, and the best is proved to be the best
 * circulant of that degree. A class is given up as soon as its lower bound passes the best rate so far.
 */

import { classCount, forEachClass, supportCount } from "./classes.ts";
import type { Found } from "./search.ts";
import { Waves } from "./spectrum.ts";
import { columnsOf, type Question } from "./support.ts";
import { WeightOptimiser } from "./weights.ts";

/** Whether exhausting a question costs no more than weighing so many classes: about 10^4 a second at n = 100. */
export function isExhaustible(asked: Question, classes: number): boolean {
  return classCount(asked) <= classes && supportCount(asked) <= 50 * classes;
}

/** The best support of all. */
export function exhaust(asked: Question): Found {
  const optimiser = new WeightOptimiser(new Waves(asked.n, asked.directed), columnsOf(asked));
  let best: readonly number[] = [];
  let rate = Number.POSITIVE_INFINITY;
  let evaluations = 0;
  forEachClass(asked, (columns) => {
    evaluations++;
    // What is not better by more than rounding does not replace what came first.
    if (optimiser.optimise(columns, 1e-9, rate - 1e-9) >= rate - 1e-9) return;
    rate = optimiser.rate;
    best = [...columns];
  });
  return { shifts: best, rate, evaluations };
}
