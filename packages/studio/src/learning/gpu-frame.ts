/**
 * The same frames with the training done on the GPU, all topologies as one batch of replicas; what the models are worth and
 * where they draw their lines is computed here as ever. A GPU computes in float32, so its numbers are the CPU's to rounding.
 *
 * A run goes on from what the device handed back at the update before: so it can be looked at anywhere, and ended.
 */

import { type Gpu, requireTrainable, runOnGpu } from "@equitopo/gpu";
import { classificationFamily } from "@equitopo/nn";
import { expandSpec, problems, type RunSpec, type SavedRun } from "equitopo";
import { isTrouble, orTrouble, type Trouble } from "../trouble.ts";
import { MOST_UPDATES } from "./fields.ts";
import type { LearningFrame, LearningNews, LearningQuestion } from "./frame.ts";
import { Lens, type Models } from "./lens.ts";
import { documentOf, type Task } from "./task.ts";

/** One topology's run, as far as it has come. */
interface Kept {
  readonly run: RunSpec;
  saved?: SavedRun;
  models: Models;
}

interface Held {
  readonly key: string;
  readonly lens: Lens;
  readonly runs: readonly (Kept | Trouble)[];
  update: number;
}

/** Updates between two pieces of news, and between two moments at which a question can be given up. */
const STRIDE = 100;

export function learningOnGpu(open: () => Promise<Gpu>) {
  if (!problems.has(classificationFamily.name)) problems.add(classificationFamily);
  let opened: Promise<Gpu> | undefined;
  let held: Held | undefined;

  /** The frame, or undefined where it was given up. */
  return async function frame(
    question: LearningQuestion,
    onNews: (news: LearningNews) => void,
    isGivenUp: () => boolean,
  ): Promise<LearningFrame | undefined> {
    const { task, topologies, learner } = question;
    const update = Math.min(MOST_UPDATES, question.update);
    const key = JSON.stringify([task, topologies]);
    if (held?.key !== key || held.update > update) held = begin(key, question);
    opened ??= open();
    const gpu = await opened;
    while (held.update < update && !isGivenUp()) {
      const to = Math.min(update, held.update + STRIDE);
      await advance(gpu, held.runs, to);
      held.update = to;
      onNews({ update: to });
    }
    if (isGivenUp()) return undefined;
    const { lens, runs } = held;
    const learnt = runs.map((kept) => (isTrouble(kept) ? kept : lens.look(kept.models, learner)));
    return { update, scene: lens.scene, learnt };
  };
}

function begin(key: string, { task, topologies }: LearningQuestion): Held {
  const lens = new Lens(task);
  const x = new Float32Array(task.learners * lens.start.length);
  for (let node = 0; node < task.learners; node++) x.set(lens.start, node * lens.start.length);
  const models: Models = { x, updates: 0, disagreement: [0], batchLoss: [Number.NaN], bytes: 0 };
  const runs = topologies.map((chosen) =>
    orTrouble((): Kept => {
      const [run] = expandSpec({ ...documentOf(task as Task, [chosen], 0), type: "float32" });
      requireTrainable(run);
      return { run, models };
    }),
  );
  return { key, lens, runs, update: 0 };
}

/** All runs to this update. */
async function advance(gpu: Gpu, all: readonly (Kept | Trouble)[], update: number): Promise<void> {
  const runs = all.filter((kept): kept is Kept => !isTrouble(kept));
  const results = await runOnGpu(
    gpu,
    runs.map(({ run }) => ({ ...run, rounds: update })),
    {
      of: (k) => ({
        ...(runs[k].saved === undefined ? {} : { saved: runs[k].saved }),
        keep: {
          due: (updates) => updates === update,
          save: (saved) => {
            runs[k].saved = saved;
          },
        },
      }),
    },
  );
  results.forEach(({ metrics, bytes }, k) => {
    const kept = runs[k];
    kept.models = {
      ...{ x: (kept.saved as SavedRun).vectors["state.x"], updates: update, bytes: bytes[bytes.length - 1] },
      ...{ disagreement: metrics["consensusDistance"], batchLoss: metrics["batchLoss"] },
    };
  });
}
