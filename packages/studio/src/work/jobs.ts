/** What a worker can be asked, one line a job; as many workers run as there are desks (desk.ts). */

import type { AdviseOptions } from "equitopo";
import { adviceSteps } from "equitopo/advise";
import type { GraphData } from "equitopo/topology";
import { curves } from "./curves.ts";
import { eigen } from "./eigen.ts";
import { frame } from "./frame.ts";
import { improve } from "./improve.ts";
import { learningWork } from "./learning/frame.ts";
import { cpuTrainer } from "./learning/training.ts";
import { meetings } from "./meetings.ts";
import { rates } from "./rates.ts";

/** Its news: the candidate that is asked now, how many were before it and of how many, and the advice so far. */
export function* advice(question: AdviseOptions) {
  const steps = adviceSteps(question);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const { soFar, ...news } = step.value;
    yield { ...news, advice: soFar() };
  }
}

export const jobs = {
  frame,
  curves,
  rates,
  learning: learningWork(cpuTrainer),
  spectrum: eigen,
  design: improve,
  advice,
  meetings,
};

/** Of each job its question, its answer, and its news on the way. */
export type Jobs = {
  readonly [K in keyof typeof jobs]: (typeof jobs)[K] extends (
    question: infer Q,
  ) => Generator<infer N, infer A> | AsyncGenerator<infer N, infer A>
    ? { readonly question: Q; readonly answer: A; readonly news: Exclude<N, undefined> }
    : never;
} & {
  /** Of a worker of its own (graph.worker.ts). */
  readonly graph: { readonly question: Uint8Array; readonly answer: GraphData; readonly news: never };
};
