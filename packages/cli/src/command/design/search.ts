/**
 * A search on all cores: each chunk goes to a thread that is free. The lowest rate found counts, and among equal rates the
 * first chunk's; so the result is the same on any number of threads. A chunk that is asked to stop returns its best so far.
 */

import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Found, OnePeerQuestion, Question } from "equitopo/internal/design";

export interface DesignWork {
  readonly asked: Question | OnePeerQuestion;
  readonly seed: number;
  /** Not 0: stop, and return the best so far. */
  readonly stop: Int32Array;
}

/** A piece of the search: chunk number c, of so many evaluations. */
export interface SearchChunk {
  readonly c: number;
  readonly evaluations: number;
}

interface SearchOptions {
  readonly seed: number;
  /** Evaluations of a chunk, and in all (Infinity: until the signal). */
  readonly chunk: number;
  readonly evaluations: number;
  readonly threads?: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (best: number, evaluations: number) => void;
}

export async function searchOnThreads(asked: Question | OnePeerQuestion, options: SearchOptions): Promise<Found> {
  const { seed, chunk, evaluations, signal } = options;
  const chunks = Math.max(1, Math.ceil(evaluations / chunk));
  const count = Math.min(chunks, options.threads ?? availableParallelism());
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const halt = () => Atomics.store(stop, 0, 1);
  signal.addEventListener("abort", halt);
  const workers = Array.from({ length: count }, () => {
    const workerData: DesignWork = { asked, seed, stop };
    return new Worker(new URL("../../thread/design.js", import.meta.url), { workerData });
  });
  let next = 0;
  let best: { found: Found; c: number } | undefined;
  let spent = 0;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        // Every thread begins a chunk, so that there is something to return.
        for (let first = true; next < chunks && (first || !signal.aborted); first = false) {
          const c = next++;
          const work: SearchChunk = { c, evaluations: Math.min(chunk, evaluations - c * chunk) };
          const answer = once(worker, "message");
          worker.postMessage(work);
          const [found]: Found[] = await answer;
          spent += found.evaluations;
          const earlier = best !== undefined && found.rate === best.found.rate && c < best.c;
          if (best === undefined || found.rate < best.found.rate || earlier) best = { found, c };
          options.onProgress?.(best.found.rate, spent);
        }
      }),
    );
  } finally {
    signal.removeEventListener("abort", halt);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  if (best === undefined) throw new Error("no thread handed anything in");
  return { ...best.found, evaluations: spent };
}
