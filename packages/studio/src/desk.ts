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

type Heard = (value: unknown) => void;

export interface Desk {
  /** The answer, or undefined where a newer question of this job came before it. */
  ask<K extends keyof Jobs>(
    job: K,
    question: Jobs[K]["question"],
    onNews?: (news: Jobs[K]["news"]) => void,
  ): Promise<Jobs[K]["answer"] | undefined>;
  close(): void;
}

/** A desk over a worker, which is started with the first question. */
export function openDesk(start: () => Line): Desk {
  /** By job: the number of the newest question, and what hears of it. */
  const open = new Map<string, { id: number; news: Heard; answer: Heard; failed: Heard }>();
  let line: Line | undefined;
  let count = 0;

  function started(): Line {
    const begun = start();
    begun.onmessage = ({ data: { id, job, kind, value } }) => {
      const question = open.get(job);
      if (question?.id !== id) return;
      if (kind !== "news") open.delete(job);
      question[kind](value);
    };
    // Without it a worker that cannot even start would leave the page waiting for ever.
    begun.onerror = ({ message }) => {
      for (const { failed } of open.values()) failed(`the worker failed: ${message ?? "no reason given"}`);
      open.clear();
    };
    return begun;
  }

  return {
    ask(job, question, onNews = () => {}) {
      open.get(job)?.answer(undefined);
      const id = ++count;
      return new Promise((resolve, reject) => {
        const failed = (message: unknown) => reject(new Error(String(message)));
        open.set(job, { id, news: onNews as Heard, answer: resolve as Heard, failed });
        line ??= started();
        line.postMessage({ id, job, question });
      });
    },
    close() {
      for (const { answer } of open.values()) answer(undefined);
      open.clear();
      line?.terminate();
      line = undefined;
    },
  };
}

const addresses = new Map<string, string>();

/**
 * The text of the page's own script, which finds out by itself where it runs (script.tsx), and of the parts that were fetched,
 * which are functions (scripts/build.mjs): a page on a disk cannot read any other.
 */
function scriptAddress(): string {
  const { parts = {} } = globalThis as { parts?: Record<string, unknown> };
  const fetched = Object.values(parts)
    .flatMap((part) => (typeof part === "function" ? [`;(${part})()`] : []))
    .join("");
  const texts = [document.querySelector("script[type=module]")?.textContent ?? "", fetched];
  const address = addresses.get(fetched) ?? URL.createObjectURL(new Blob(texts, { type: "text/javascript" }));
  addresses.set(fetched, address);
  return address;
}

export const newDesk = (): Desk => openDesk(() => new Worker(scriptAddress()) as unknown as Line);
