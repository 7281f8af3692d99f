/**
 * The page's side: a worker to ask questions of. A newer question of the same job takes the place of an older one, whose
 * promise then resolves to undefined. A view opens a desk for itself, a second one for what takes long, and closes it when
 * it leaves the screen. One that is asked again starts anew.
 */

import type { Jobs } from "./work/jobs.ts";
import type { FromWorker, ToWorker } from "./work/worker.ts";

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
  close(): void;
}

interface Open {
  readonly id: number;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onNews(news: unknown): void;
}

/** A desk over a worker, which is started with the first question. */
export function openDesk(start: () => Line): Desk {
  const open = new Map<keyof Jobs, Open>();
  let line: Line | undefined;
  let count = 0;

  function started(): Line {
    const begun = start();
    begun.onmessage = ({ data: { id, job, kind, value } }) => {
      const question = open.get(job);
      if (question?.id !== id) return;
      if (kind === "news") return question.onNews(value);
      open.delete(job);
      if (kind === "failed") question.reject(new Error(String(value)));
      else question.resolve(value);
    };
    // Without it a worker that cannot even start would leave the page waiting for ever.
    begun.onerror = ({ message }) => {
      for (const { reject } of open.values()) reject(new Error(`the worker failed: ${message ?? "no reason given"}`));
      open.clear();
    };
    return begun;
  }

  return {
    ask(job, question, onNews = () => {}) {
      open.get(job)?.resolve(undefined);
      const id = ++count;
      return new Promise((resolve, reject) => {
        open.set(job, { id, resolve: resolve as Open["resolve"], reject, onNews });
        line ??= started();
        line.postMessage({ id, job, question });
      });
    },
    close() {
      for (const { resolve } of open.values()) resolve(undefined);
      open.clear();
      line?.terminate();
      line = undefined;
    },
  };
}

let address: string | undefined;

/** The text of the page's own script, which finds out by itself where it runs (script.tsx): a file on a disk has no others. */
function scriptAddress(): string {
  const text = document.querySelector("script[type=module]")?.textContent ?? "";
  address ??= URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return address;
}

/** A desk with a worker of its own. */
export const newDesk = (): Desk => openDesk(() => new Worker(scriptAddress()) as unknown as Line);
