/** What a worker can be asked, one line a job; as many workers run as there are desks (desk.ts). */

import type { GraphFile } from "equitopo/topology";
import { curves } from "./curves.ts";
import { frame } from "./frame.ts";
import { learningWork } from "./learning/frame.ts";
import { cpuTrainer } from "./learning/training.ts";
import type { rareJobs } from "./rare-jobs.ts";
import { rates } from "./rates.ts";

/** Those of views.ts and graphs.ts are added when these are fetched. */
export const jobs = { frame, curves, rates, learning: learningWork(cpuTrainer) };

/** Of graphs.ts. */
export type GraphJob = (bytes: Uint8Array) => Generator<undefined, GraphFile>;

type AllJobs = typeof jobs & typeof rareJobs & { readonly graph: GraphJob };

/** Of each job its question, its answer, and its news on the way. */
export type Jobs = {
  readonly [K in keyof AllJobs]: AllJobs[K] extends (
    question: infer Q,
  ) => Generator<infer N, infer A> | AsyncGenerator<infer N, infer A>
    ? { readonly question: Q; readonly answer: A; readonly news: Exclude<N, undefined> }
    : never;
};
