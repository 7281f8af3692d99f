/**
 * The worker that trains on the GPU: a file of its own beside the page, fetched when somebody asks for it, since it brings
 * the kernels of a whole package. It speaks as the other workers do (protocol.ts), with one job.
 */

import { openGpu } from "@equitopo/gpu";
import type { FromWorker, ToWorker } from "../protocol.ts";
import type { LearningQuestion } from "./frame.ts";
import { learningOnGpu } from "./gpu-frame.ts";

const frame = learningOnGpu(openGpu);
const post = (message: FromWorker) => postMessage(message);

/** The newest question; older ones have been given up for it. */
let latest = 0;
let last: Promise<void> = Promise.resolve();

async function answer(id: number, question: LearningQuestion): Promise<void> {
  const isGivenUp = () => id !== latest;
  if (isGivenUp()) return;
  try {
    const value = await frame(question, (news) => post({ kind: "news", id, value: news }), isGivenUp);
    if (value !== undefined) post({ kind: "answer", id, value });
  } catch (error) {
    post({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "cancel") {
    if (data.id === latest) latest = 0;
    return;
  }
  latest = data.id;
  // One after another: the device has one run at a time.
  last = last.then(() => answer(data.id, data.question as LearningQuestion));
});
