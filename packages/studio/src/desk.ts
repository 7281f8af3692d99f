/**
 * The page's side: a worker of one's own to ask questions of. A newer question of the same job takes the place of an older
 * one, whose promise then comes to undefined. A view opens a desk for itself, a second one for what takes long, and
 * closes it when it leaves the screen.
 */

import type { FromWorker, Jobs, ToWorker } from "./protocol.ts";

/** What is needed of a Worker. */
export interface Line {
  postMessage(message: ToWorker): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  terminate(): void;
}

export interface Desk {
  /** The answer, or undefined where a newer question of this job came before it. */
  ask<K extends keyof Jobs>(
    job: K,
    question: Jobs[K]["question"],
    onNews?: (news: Jobs[K]["news"]) => void,
  ): Promise<Jobs[K]["answer"] | undefined>;
  /** Gives up the question of a job that is under way. */
  cancel(job: keyof Jobs): void;
  close(): void;
}

interface Open {
  readonly job: keyof Jobs;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onNews(news: unknown): void;
}

/** A desk over a worker, which is started with the first question. */
export function openDesk(start: () => Line): Desk {
  const open = new Map<number, Open>();
  let line: Line | undefined;
  let count = 0;

  function started(): Line {
    if (line !== undefined) return line;
    const begun = start();
    begun.onmessage = ({ data }) => {
      const question = open.get(data.id);
      if (question === undefined) return;
      if (data.kind === "news") return question.onNews(data.value);
      open.delete(data.id);
      if (data.kind === "failed") question.reject(new Error(data.message));
      else question.resolve(data.value);
    };
    // Without it a worker that cannot even start would leave the page waiting for ever.
    begun.onerror = ({ message }) => {
      for (const { reject } of open.values()) reject(new Error(`the worker failed: ${message ?? "no word of why"}`));
      open.clear();
    };
    line = begun;
    return begun;
  }

  function cancel(job: keyof Jobs): void {
    for (const [id, question] of open) {
      if (question.job !== job) continue;
      open.delete(id);
      line?.postMessage({ kind: "cancel", id });
      question.resolve(undefined);
    }
  }

  return {
    ask(job, question, onNews = () => {}) {
      cancel(job);
      const id = ++count;
      return new Promise((resolve, reject) => {
        open.set(id, { job, resolve: resolve as (answer: unknown) => void, reject, onNews });
        started().postMessage({ kind: "ask", id, job, question });
      });
    },
    cancel,
    close() {
      for (const { resolve } of open.values()) resolve(undefined);
      open.clear();
      line?.terminate();
      line = undefined;
    },
  };
}
