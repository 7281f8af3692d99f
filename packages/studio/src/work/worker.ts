/**
 * A worker's side: questions one after another, in slices, so that a newer question of the same job is heard between two of
 * them and ends the older one.
 */

import type { Jobs } from "./jobs.ts";

/** What the page asks. A newer question of a job takes the place of an older one, which then gets no answer. */
export interface ToWorker {
  readonly id: number;
  readonly job: keyof Jobs;
  readonly question: unknown;
}

/** The one answer to a question, news on the way to it, or the message of the error in its place. */
export interface FromWorker extends Pick<ToWorker, "id" | "job"> {
  readonly kind: "answer" | "news" | "failed";
  readonly value: unknown;
}

/** A job may be ended wherever it yields, so a long one yields often; what it yields, unless undefined, is news. */
type Work = (question: never) => Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;
type Works = { readonly [K in keyof Jobs]?: Work };

/** So long a job goes on before messages are looked at. */
const SLICE_MS = 8;

/** Takes the page's questions and answers through `post`; `turn` resolves after the messages that are waiting. */
export function worker(
  jobs: Works,
  post: (message: FromWorker) => void,
  turn: () => Promise<void>,
): (asked: ToWorker) => void {
  const newest = new Map<string, number>();
  let last = Promise.resolve();

  async function answer({ id, job, question }: ToWorker): Promise<void> {
    const say = (kind: FromWorker["kind"], value: unknown) => post({ id, job, kind, value });
    try {
      const steps = (jobs[job] as Work)(question as never);
      for (let end = 0; ; ) {
        if (performance.now() >= end) {
          await turn();
          end = performance.now() + SLICE_MS;
        }
        if (newest.get(job) !== id) return;
        const step = await steps.next();
        if (step.done) return say("answer", step.value);
        if (step.value !== undefined) say("news", step.value);
      }
    } catch (error) {
      say("failed", error instanceof Error ? error.message : String(error));
    }
  }

  return (asked) => {
    newest.set(asked.job, asked.id);
    last = last.then(() => answer(asked));
  };
}

/** Lets this thread answer the questions of the page. */
export function startWorker(jobs: Works): void {
  // A message to oneself is handled after those of the page, and at once: timers wait for milliseconds.
  const { port1, port2 } = new MessageChannel();
  const turn = () =>
    new Promise<void>((resolve) => {
      port2.onmessage = () => resolve();
      port1.postMessage(null);
    });
  const take = worker(jobs, (message) => postMessage(message), turn);
  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => take(data));
}
