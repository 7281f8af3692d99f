/**
 * What page and worker say to each other. The page asks a question of a job and gets one answer; on the way there may be
 * news. A newer question of the same job takes the place of an older one, which then gets no answer.
 *
 * A job is one line here and one in jobs.ts.
 */

import type { Advice, AdviseOptions } from "equitopo";
import type { AdviceStep } from "equitopo/advise";
import type { KnownRate } from "./curves/promise.ts";
import type { RatesQuestion } from "./curves/rates.ts";
import type { Curve, CurvesQuestion } from "./curves/work.ts";
import type { LearningFrame, LearningNews, LearningQuestion } from "./learning/frame.ts";
import type { FrameQuestion, Seen } from "./rounds/frame.ts";
import type { Scene, SceneQuestion } from "./rounds/work.ts";
import type { Meetings, MeetingsQuestion } from "./runs/meetings.ts";
import type { SpectrumAnswer, SpectrumQuestion } from "./spectrum/eigen.ts";
import type { Improvement, ImproveNews, ImproveQuestion } from "./spectrum/improve.ts";
import type { Trouble } from "./trouble.ts";

/** A job's question, its answer, and what it tells on the way. */
export interface Job<Question, Answer, News = never> {
  readonly question: Question;
  readonly answer: Answer;
  readonly news: News;
}

export interface Jobs {
  readonly scene: Job<SceneQuestion, readonly (Scene | Trouble)[]>;
  readonly frame: Job<FrameQuestion, readonly Seen[]>;
  readonly curves: Job<CurvesQuestion, readonly Curve[], readonly Curve[]>;
  readonly rates: Job<RatesQuestion, readonly (KnownRate | Trouble)[], readonly (KnownRate | Trouble | undefined)[]>;
  readonly learning: Job<LearningQuestion, LearningFrame, LearningNews>;
  readonly spectrum: Job<SpectrumQuestion, SpectrumAnswer>;
  readonly design: Job<ImproveQuestion, Improvement, ImproveNews>;
  readonly advice: Job<AdviseOptions, Advice, AdviceStep>;
  readonly meetings: Job<MeetingsQuestion, Meetings>;
}

/**
 * A job as a generator: it may be ended wherever it yields, so a long one yields often; what it yields, unless undefined,
 * is news.
 */
export type Work<K extends keyof Jobs> = (
  question: Jobs[K]["question"],
) => Generator<Jobs[K]["news"] | undefined, Jobs[K]["answer"]>;

export type ToWorker =
  | { readonly kind: "ask"; readonly id: number; readonly job: keyof Jobs; readonly question: unknown }
  | { readonly kind: "cancel"; readonly id: number };

export type FromWorker =
  | { readonly kind: "answer" | "news"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
