/**
 * The worker's side: jobs one after another, in slices, so that a cancel is heard between two of them. Pure but for the
 * clock and the turn of the event loop, which are handed in.
 */

import type { FromWorker, ToWorker } from "./protocol.ts";

/** So long a job goes on before messages are looked at. */
const SLICE_MS = 8;

type AnyWork = (question: unknown) => Generator<unknown, unknown>;

export interface Surroundings {
  post(message: FromWorker): void;
  /** Milliseconds. */
  now(): number;
  /** Calls back after what is waiting in the event loop. */
  later(callback: () => void): void;
}

/** Takes the page's messages; answers through `post`. */
export function worker(
  jobs: Readonly<Record<string, AnyWork>>,
  { post, now, later }: Surroundings,
): (message: ToWorker) => void {
  const waiting: (ToWorker & { kind: "ask" })[] = [];
  let scheduled = false;
  let current: { readonly id: number; readonly steps: Generator<unknown, unknown> } | undefined;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    later(slice);
  }

  function slice(): void {
    scheduled = false;
    const next = current === undefined ? waiting.shift() : undefined;
    if (next !== undefined) current = { id: next.id, steps: jobs[next.job](next.question) };
    if (current === undefined) return;
    const { id, steps } = current;
    const end = now() + SLICE_MS;
    try {
      do {
        const step = steps.next();
        if (step.done) {
          current = undefined;
          post({ kind: "answer", id, value: step.value });
          break;
        }
        if (step.value !== undefined) post({ kind: "news", id, value: step.value });
      } while (now() < end);
    } catch (error) {
      current = undefined;
      post({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) });
    }
    if (current !== undefined || waiting.length > 0) schedule();
  }

  return (message) => {
    if (message.kind === "ask") {
      waiting.push(message);
      schedule();
      return;
    }
    const place = waiting.findIndex(({ id }) => id === message.id);
    if (place >= 0) waiting.splice(place, 1);
    if (current?.id === message.id) {
      current.steps.return(undefined);
      current = undefined;
    }
  };
}
