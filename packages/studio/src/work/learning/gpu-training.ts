/**
 * The same trainings on the GPU, all topologies as one batch of replicas; what the models are worth and where they draw
 * their lines is computed as ever. A GPU computes in float32, so its numbers are the CPU's to rounding.
 *
 * A run goes on from what the device handed back at the update before: so it can be looked at anywhere, and ended.
 */

import { type Gpu, openGpu, requireTrainable, runOnGpu } from "@equitopo/gpu/internal";
import { expandSpec, type RunSpec, type SavedRun } from "equitopo";
import type { Trainer } from "./frame.ts";
import type { Models } from "./lens.ts";
import { documentOf } from "./task.ts";

/** One topology's run, as far as it has come. */
interface Kept {
  readonly run: RunSpec;
  saved?: SavedRun;
  models: Models;
}

let opened: Promise<Gpu> | undefined;

export const gpuTrainer: Trainer<Kept> = {
  // Each time costs.
  stride: 100,

  /** A run before its first update: all nodes begin at one point. */
  begin(task, chosen, { start }) {
    const x = new Float32Array(task.n * start.length);
    for (let node = 0; node < task.n; node++) x.set(start, node * start.length);
    const [run] = expandSpec({ ...documentOf(task, [chosen], 0), type: "float32" });
    requireTrainable(run);
    return { run, models: { x, updates: 0, disagreement: [0], batchLoss: [Number.NaN], bytes: 0 } };
  },

  async advance(all, update) {
    opened ??= openGpu();
    const results = await runOnGpu(
      await opened,
      all.map(({ run }) => ({ ...run, rounds: update })),
      {
        of: (k) => ({
          ...(all[k].saved === undefined ? {} : { saved: all[k].saved }),
          keep: {
            due: (updates) => updates === update,
            save: (saved) => {
              all[k].saved = saved;
            },
          },
        }),
      },
    );
    results.forEach(({ metrics, bytes }, k) => {
      all[k].models = {
        ...{ x: (all[k].saved as SavedRun).vectors["state.x"], updates: update, bytes: bytes[bytes.length - 1] },
        ...{ disagreement: metrics["consensusDistance"], batchLoss: metrics["batchLoss"] },
      };
    });
  },

  modelsOf: ({ models }) => models,
};
